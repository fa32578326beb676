/** The `search` parameters of lists: literal parts of words, in any case, joined by OR. */

/** Searches of a query, by name. */
export interface SearchQuery {
  readonly search?: Readonly<Record<string, string>> | undefined;
}

/**
 * Whether a record fits the searches of a query; it does where there are none.
 *
 * @param words the record's words by the names of the searches
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
