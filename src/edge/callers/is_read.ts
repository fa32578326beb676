/** Tells reads from writes. */
import type { Context } from "hono";
import type { Env } from "../env.ts";

/** Returns whether a call only reads, according to its method. */
export function isRead(c: Context<Env>): boolean {
  return c.req.method === "GET" || c.req.method === "HEAD";
}
