/** Calls that change nothing. */
import type { Context } from "hono";
import type { Env } from "./env.ts";

/** Whether a call only reads, by its method. */
export function isRead(c: Context<Env>): boolean {
  return c.req.method === "GET" || c.req.method === "HEAD";
}
