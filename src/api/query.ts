/** The query of a call's address. */

/** Its pairs. The host is what the client has sent, so that an address need not be a whole URL. */
export function queryPairs(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}
