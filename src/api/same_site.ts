/** Calls without a token that browsers must not make for other sites: sign-in, sign-up, codes. */
import type { Context } from "hono";
import type { Env } from "./env.ts";
import { ApiError } from "./errors.ts";

/** The venue's own page, and a person without a page. */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);

/**
 * Refuses what a browser sends from another site's page, or from another host's of the same site:
 * that may be somebody else's. Programs send neither header, and pass.
 *
 * @throws {ApiError} 403
 */
export function refuseCrossSite(c: Context<Env>): void {
  const site = c.req.header("sec-fetch-site");
  if (site === undefined ? isForeignOrigin(c) : !OWN_SITES.has(site)) {
    throw new ApiError(403, "authz.cross_site_request");
  }
}

/** Whether a browser tells another site's page; older ones tell nothing but this origin. */
export function isForeignOrigin(c: Context<Env>): boolean {
  const origin = c.req.header("origin");
  if (origin === undefined) return false;
  const host = c.req.header("host") ?? new URL(c.req.url).host;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
