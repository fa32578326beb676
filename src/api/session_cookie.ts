/** The cookie that holds a session's token. */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { serialize } from "hono/utils/cookie";
import { addHeaders } from "./answer.ts";
import type { Env } from "./env.ts";

/** Name of the cookie; browsers let no other host of the site set a cookie with this prefix. */
export const SESSION_COOKIE = "__Host-_kvenue_session";
/** Its name over plain HTTP on a loopback address, where the prefix is not allowed. */
const LOOPBACK_COOKIE = "_kvenue_session";

/**
 * Returns the token of the call's cookie; undefined if it has none. Behind proxies the plain-HTTP
 * name is ignored whatever the host is, since another host of the site may have set it.
 */
export function readSessionCookie(c: Context<Env>, isBehindProxy: boolean): string | undefined {
  const own = getCookie(c, SESSION_COOKIE);
  const isPlain = own === undefined && !isBehindProxy && isPlainLoopback(c.req.url);
  return isPlain ? getCookie(c, LOOPBACK_COOKIE) : own;
}

/** Returns whether a call has a session cookie under either name, valid or not. */
export function hasSessionCookie(c: Context<Env>): boolean {
  return readSessionCookie(c, false) !== undefined;
}

/** A call, and whether it came through the venue's own proxies. */
interface CookieCall {
  readonly c: Context<Env>;
  readonly services: { readonly isBehindProxy: boolean };
}

/** Sets the cookie, which the page's scripts cannot read. */
export function setSessionCookie(call: CookieCall, token: string, maxAgeSeconds: number): void {
  const attributes = attributesOf(call);
  const cookie = serialize(nameOf(attributes), token, { ...attributes, maxAge: maxAgeSeconds });
  addHeaders(call.c, { "Set-Cookie": cookie });
}

/** Deletes the cookie. */
export function clearSessionCookie(call: CookieCall): void {
  setSessionCookie(call, "", 0);
}

function nameOf({ secure }: { readonly secure: boolean }): string {
  return secure ? SESSION_COOKIE : LOOPBACK_COOKIE;
}

/** Returns the attributes. Lax, not Strict: whoever follows a link from a message is signed in. */
function attributesOf({ c, services }: CookieCall) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    // A proxy may send a loopback host, whatever host the browser called.
    secure: services.isBehindProxy || !isPlainLoopback(c.req.url),
  } as const;
}

/** Returns whether a URL is plain HTTP to loopback; plain HTTP may also come from a TLS proxy. */
function isPlainLoopback(url: string): boolean {
  // The client can send anything as its host.
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" &&
    (hostname === "[::1]" || /^(?:.+\.)?localhost$|^127(?:\.\d{1,3}){3}$/.test(hostname));
}
