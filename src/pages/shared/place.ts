/** Where on a page one is, as its address says: tabs, and what they are about. */
import { Shown } from "./shown.ts";

/** The fields of the page's query. */
export const place: Shown<URLSearchParams> = new Shown(new URLSearchParams(location.search));

/** Goes to another place of the page, to which the browser can come back. */
export function goTo(fields: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(fields);
  if (String(query) === String(place.value)) return;
  history.pushState(null, "", `${location.pathname}?${query}`);
  place.set(query);
}

/** Follows the browser's own ways back and forth. */
export function followPlace(): void {
  addEventListener("popstate", () => place.set(new URLSearchParams(location.search)));
}
