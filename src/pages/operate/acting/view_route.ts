/** Views as the part of an address behind its #. */

/** A view, what it is of, and how its list is narrowed. */
export interface Route {
  /** Such as `["members", "ID0A1B2C3D4E", "orders"]`. */
  readonly parts: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Returns what an address's part behind the # means. */
export function routeOf(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?");
  return {
    parts: path.split("/").filter((part) => part !== "").map(decoded),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** Returns the link to a view; what is empty in its query is left out. */
export function linkTo(parts: readonly string[], query: Route["query"] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
  return `#${parts.map(encodeURIComponent).join("/")}${search}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
