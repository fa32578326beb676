/** The cookie that a session lives in. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Env } from "./env.ts";

/** Name of the cookie: no browser lets another host of the site set one whose name begins so. */
export const SESSION_COOKIE = "__Host-_kvenue_session";
/** Its name where it goes over plain http of this machine: it can't begin so there. */
const LOOPBACK_COOKIE = "_kvenue_session";

/**
 * The token of the call's cookie; undefined where it has none. Behind proxies the name of plain http
 * is never the venue's, whatever host they name: another host of the site may have set it.
 */
export function readSessionCookie(c: Context<Env>, isBehindProxy: boolean): string | undefined {
  const own = getCookie(c, SESSION_COOKIE);
  const isPlain = own === undefined && !isBehindProxy && isPlainLoopback(c.req.url);
  return isPlain ? getCookie(c, LOOPBACK_COOKIE) : own;
}

/** Whether a call carries a cookie by any name that a session's has: what it opens is another matter. */
export function hasSessionCookie(c: Context<Env>): boolean {
  return readSessionCookie(c, false) !== undefined;
}

/** A call, and whether it has come through proxies of one's own. */
interface CookieCall {
  readonly c: Context<Env>;
  readonly services: { readonly isBehindProxy: boolean };
}

/** Hands the token to the browser, out of reach of its scripts. */
export function setSessionCookie(call: CookieCall, token: string, maxAgeSeconds: number): void {
  const attributes = attributesOf(call);
  setCookie(call.c, nameOf(attributes), token, { ...attributes, maxAge: maxAgeSeconds });
}

/** Takes the cookie away. */
export function clearSessionCookie(call: CookieCall): void {
  const attributes = attributesOf(call);
  deleteCookie(call.c, nameOf(attributes), attributes);
}

function nameOf({ secure }: { readonly secure: boolean }): string {
  return secure ? SESSION_COOKIE : LOOPBACK_COOKIE;
}

/** Lax, not Strict: who follows a link from a message arrives signed in. */
function attributesOf({ c, services }: CookieCall) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    // A proxy may name this machine as the host, whatever the browser has called.
    secure: services.isBehindProxy || !isPlainLoopback(c.req.url),
  } as const;
}

/** A proxy may have taken TLS off, so that plain http alone does not tell. */
function isPlainLoopback(url: string): boolean {
  // The host is what the client has sent: anything at all.
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" &&
    (hostname === "[::1]" || /^(?:.+\.)?localhost$|^127(?:\.\d{1,3}){3}$/.test(hostname));
}
