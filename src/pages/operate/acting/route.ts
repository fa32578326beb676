/** Which view the page shows: it stands behind the # of its address, so that it can be linked. */
import { Shown } from "../../shared/shown.ts";
import { linkTo, type Route, routeOf } from "./view_route.ts";

/** The view that is shown. */
export const route: Shown<Route> = new Shown<Route>({ parts: [], query: {} });

/** Follows the address; the link that skips to the page is no view. */
export function followRoute(): void {
  const read = () => {
    if (location.hash !== "#page") route.set(routeOf(location.hash));
  };
  const { searchParams } = new URL(location.href);
  const view = searchParams.get("view");
  if (location.hash === "" && view !== null) {
    history.replaceState(null, "", linkTo(view.split("/")));
  }
  addEventListener("hashchange", read);
  read();
}

/** Shows a view; as a new page of the browser's history unless it only narrows the list. */
export function go(parts: readonly string[], query: Route["query"] = {}): void {
  const link = linkTo(parts, query);
  if (parts.join("/") === route.value.parts.join("/")) {
    history.replaceState(null, "", link);
    route.set(routeOf(link));
  } else {
    location.hash = link;
  }
}
