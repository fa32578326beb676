/** Protects calls without a CSRF token from other sites: sign-in, sign-up and codes. */
import type { Context } from "hono";
import type { Env } from "../env.ts";
import { ApiError } from "../errors.ts";

/** Answers what another site's page may not send: 403. */
export const CROSS_SITE = "authz.cross_site_request";

/** Sent from the venue's own page, or by a person without a page. */
const OWN_SITES: ReadonlySet<string> = new Set(["same-origin", "none"]);

/**
 * Refuses what a browser sends from a page of another site, or of another host of the same site,
 * which may belong to somebody else. Programs send neither header, and pass.
 *
 * @throws {ApiError} 403
 */
export function refuseCrossSite(c: Context<Env>): void {
  const site = c.req.header("sec-fetch-site");
  if (site === undefined ? isForeignOrigin(c) : !OWN_SITES.has(site)) {
    throw new ApiError(403, CROSS_SITE);
  }
}

/** Returns whether the origin is another host; older browsers send no other header than this. */
export function isForeignOrigin(c: Context<Env>): boolean {
  const origin = c.req.header("origin");
  if (origin === undefined) return false;
  const host = c.req.header("host") ?? new URL(c.req.url).host;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
