/** The `search` parameters of lists: patterns of LIKE, combined with OR. */
import { likePattern } from "../like_pattern.ts";

/** The searches of a query, by name. */
export interface SearchQuery {
  readonly search?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns a function that tells whether a record, given as its values by search name, matches one
 * of the searches of a query, or the query has none.
 */
export function createSearch<K extends string>(
  query: SearchQuery & { readonly [N in K as `search[${N}]`]?: string | undefined },
  names: readonly K[],
): (words: Readonly<Record<K, string>>) => boolean {
  const bracketed = query as Readonly<Record<string, unknown>>;
  const searches = names.flatMap((name) => {
    const term = bracketed[`search[${name}]`] ?? query.search?.[name];
    return typeof term === "string" && term !== "" ? [{ name, matches: likePattern(term) }] : [];
  });
  return (words) =>
    searches.length === 0 || searches.some(({ name, matches }) => matches(words[name]));
}
