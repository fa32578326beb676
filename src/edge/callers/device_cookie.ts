/** The cookie by which members recognise a device that they have signed in from. It opens nothing. */
import type { Context } from "hono";
import { DEVICE_MS } from "../../identity/known_devices.ts";
import { type CookieCall, cookieName, cookieText, cookieValues } from "./cookies.ts";
import type { Env } from "../env.ts";

const NAME = cookieName("_kvenue_device");
const LIFE = { maxAgeSeconds: DEVICE_MS / 1000, sameSite: "Strict" } as const;

/** Returns what the call's device holds; empty if that is nothing, or several things. */
export function readDeviceCookie(c: Context<Env>, isBehindProxy: boolean): string {
  const [value = "", ...others] = cookieValues(c, NAME, isBehindProxy);
  return others.length === 0 ? value : "";
}

/** Adds the cookie to an answer, which may set another. */
export function addDeviceCookie(call: CookieCall, held: string, answer: Response): void {
  answer.headers.append("Set-Cookie", cookieText(call, NAME, held, LIFE));
}
