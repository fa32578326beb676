/** Addresses that pages may lead to or load from. */

/**
 * Matches the address of something on the web, or nothing. Anything else in its place, such as
 * `javascript:`, could run in the page of whoever follows it.
 */
export const WEB_URL = /^(https?:\/\/[^\s"<>\\]+)?$/;

/** Returns an address if it is one of the web; what was stored earlier may be any text. */
export function webUrl(text: string): string {
  return WEB_URL.test(text) ? text : "";
}
