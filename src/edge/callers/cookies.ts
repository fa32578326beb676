/** Cookies of the venue's own, which no page can read. */
import type { Context } from "hono";
import { parse, serialize } from "hono/utils/cookie";
import type { Env } from "../env.ts";
import type { Guards } from "./guard.ts";

/** What a cookie is called. */
export interface CookieName {
  /** With a prefix that lets no other host of the site set it in a browser. */
  readonly secure: string;
  /** Over plain HTTP on a loopback address, where the prefix is not allowed. */
  readonly loopback: string;
}

/** A call, and whether it came through the venue's own proxies. */
export interface CookieCall {
  readonly c: Context<Env>;
  readonly services: { readonly auth: Pick<Guards, "isBehindProxy"> };
}

/** How long a cookie lasts, and which calls from other sites it comes with. */
export interface CookieLife {
  readonly maxAgeSeconds: number;
  readonly sameSite: "Lax" | "Strict";
}

/** Returns the names of a cookie. */
export function cookieName(name: string): CookieName {
  return { secure: `__Host-${name}`, loopback: name };
}

/**
 * Returns the values that a call has of a cookie: whoever serves another port or host of the site
 * may have added one. Behind proxies the plain-HTTP name is ignored whatever the host is.
 */
export function cookieValues(
  c: Context<Env>,
  { secure, loopback }: CookieName,
  isBehindProxy: boolean,
): readonly string[] {
  const names = !isBehindProxy && isPlainLoopback(c.req.url) ? [secure, loopback] : [secure];
  const header = c.req.header("cookie") ?? "";
  return header.split(/[;,]/).flatMap((pair) =>
    names.flatMap((name) => parse(pair, name)[name] ?? [])
  );
}

/** Returns the header that sets a cookie, or deletes it if it has no time left. */
export function cookieText(
  { c, services }: CookieCall,
  { secure: secureName, loopback }: CookieName,
  value: string,
  { maxAgeSeconds: maxAge, sameSite }: CookieLife,
): string {
  // A proxy may send a loopback host, whatever host the browser called.
  const secure = services.auth.isBehindProxy || !isPlainLoopback(c.req.url);
  const attributes = { path: "/", httpOnly: true, sameSite, secure, maxAge } as const;
  return serialize(secure ? secureName : loopback, value, attributes);
}

/** Returns whether a URL is plain HTTP to loopback; plain HTTP may also come from a TLS proxy. */
function isPlainLoopback(url: string): boolean {
  // The client can send anything as its host.
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" &&
    (hostname === "[::1]" || /^(?:.+\.)?localhost$|^127(?:\.\d{1,3}){3}$/.test(hostname));
}
