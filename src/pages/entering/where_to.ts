/** Where a visitor goes after signing in. */

/**
 * Returns the path that a query asks for, if it is one of the venue's own pages.
 *
 * @param search the query, such as `?to=%2Fwallet`
 * @param origin where the venue is
 */
export function whereTo(search: string, origin: string): string {
  const asked = new URLSearchParams(search).get("to") ?? "";
  if (!asked.startsWith("/") || !URL.canParse(asked, origin)) return "/wallet";
  const { origin: target, pathname, search: query } = new URL(asked, origin);
  if (target !== origin || /^\/(?:sign(?:in|up)|reset)\b/.test(pathname)) return "/wallet";
  // A path of two slashes would be another host.
  return pathname.startsWith("//") ? "/wallet" : pathname + query;
}
