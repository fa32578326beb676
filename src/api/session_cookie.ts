/** The cookie that a session lives in. */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Env } from "./env.ts";

/** Name of the cookie. */
export const SESSION_COOKIE = "_kvenue_session";

/** The token of the call's cookie; undefined where it has none. */
export function readSessionCookie(c: Context<Env>): string | undefined {
  return getCookie(c, SESSION_COOKIE);
}

/** Hands the token to the browser, out of reach of its scripts. */
export function setSessionCookie(c: Context<Env>, token: string, maxAgeSeconds: number): void {
  setCookie(c, SESSION_COOKIE, token, { ...attributesOf(c), maxAge: maxAgeSeconds });
}

/** Takes the cookie away. */
export function clearSessionCookie(c: Context<Env>): void {
  deleteCookie(c, SESSION_COOKIE, attributesOf(c));
}

/** Lax, not Strict: who follows a link from a message arrives signed in. */
function attributesOf(c: Context<Env>) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: !isPlainLoopback(new URL(c.req.url)),
  } as const;
}

/** A proxy may have taken TLS off, so that plain http alone does not tell. */
function isPlainLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" &&
    (hostname === "[::1]" || /^(?:.+\.)?localhost$|^127(?:\.\d{1,3}){3}$/.test(hostname));
}
