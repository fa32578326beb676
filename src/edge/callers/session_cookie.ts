/** The cookie that holds a session's token. */
import type { Context } from "hono";
import { addHeaders } from "../answer.ts";
import { type CookieCall, cookieName, cookieText, cookieValues } from "./cookies.ts";
import type { Env } from "../env.ts";
import { ApiError } from "../errors.ts";

/** Answers a call with several session cookies. */
export const REPEATED_COOKIE = "authz.repeated_cookie";

const NAME = cookieName("_kvenue_session");
/** Name of the cookie, except over plain HTTP on a loopback address. */
export const SESSION_COOKIE = NAME.secure;

/**
 * Returns the token of the call's cookie; undefined if it has none.
 *
 * @throws {ApiError} 401 if it has several: one of them is not the venue's
 */
export function readSessionCookie(c: Context<Env>, isBehindProxy: boolean): string | undefined {
  const values = cookieValues(c, NAME, isBehindProxy);
  if (values.length > 1) throw new ApiError(401, REPEATED_COOKIE);
  return values[0];
}

/** Returns whether a call has a session cookie under either name, valid or not. */
export function hasSessionCookie(c: Context<Env>): boolean {
  return cookieValues(c, NAME, false).length > 0;
}

/**
 * Sets the cookie, which the page's scripts cannot read. Lax, not Strict: whoever follows a link
 * from a message is signed in.
 */
export function setSessionCookie(call: CookieCall, token: string, maxAgeSeconds: number): void {
  const text = cookieText(call, NAME, token, { maxAgeSeconds, sameSite: "Lax" });
  addHeaders(call.c, { "Set-Cookie": text });
}

/** Deletes the cookie. */
export function clearSessionCookie(call: CookieCall): void {
  setSessionCookie(call, "", 0);
}
