/** The `search` parameters of lists: case-insensitive literal substrings, combined with OR. */

/** The searches of a query, by name. */
export interface SearchQuery {
  readonly search?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns whether a record matches the searches of a query, or the query has none.
 *
 * @param words the record's values by search name
 */
export function matchesSearch<K extends string>(
  query: SearchQuery & { readonly [N in K as `search[${N}]`]?: string | undefined },
  words: Readonly<Record<K, string>>,
): boolean {
  const bracketed = query as Readonly<Record<string, unknown>>;
  let isSearched = false;
  for (const [name, word] of Object.entries<string>(words)) {
    const term = bracketed[`search[${name}]`] ?? query.search?.[name];
    if (typeof term !== "string" || term === "") continue;
    if (word.toLowerCase().includes(term.toLowerCase())) return true;
    isSearched = true;
  }
  return !isSearched;
}
