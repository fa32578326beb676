/** Walks a list upwards by id: each record once, whatever is added meanwhile. */
import type { Caller } from "../calls/caller.ts";
import type { AnswerOf, CallOf, CallOptions, PathOf } from "../contract_calls.ts";

type Query<P extends PathOf<"get">> = CallOf<"get", P> extends
  { readonly parameters: { readonly query?: infer Fields } } ? Fields : never;

/** The lists that are read by id. */
export type WalkedPath = {
  [P in PathOf<"get">]: Query<P> extends { readonly from_id?: unknown } ? P : never;
}[PathOf<"get">];

/** A record of a list. */
export type Walked<P extends WalkedPath> = AnswerOf<CallOf<"get", P>> extends
  readonly (infer Item)[] ? Item : never;

/** Where a walk begins, and what it leaves out. */
export interface WalkParts<P extends WalkedPath> extends CallOptions {
  /** Names in the path. */
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  /** Filters; `from_id` is where it begins, 1 by default, and `to_id` where it ends. */
  readonly query?: Omit<NonNullable<Query<P>>, "page" | "limit" | "order_by"> | undefined;
}

/** Records that are read at once: all lists allow as many. */
const READ_AT_ONCE = 100;
/** Header of an answer whose search stopped before its end: the last record that was looked at. */
const SCANNED = "X-Scanned-Id";

/** Yields a list's records from the oldest to the newest that there is when it is reached. */
export async function* walkList<P extends WalkedPath>(
  caller: Caller,
  path: P,
  { path: names, query, signal }: WalkParts<P> = {},
): AsyncGenerator<Walked<P>> {
  const filters = query as { readonly from_id?: number } | undefined;
  for (let from_id = filters?.from_id ?? 1;;) {
    const asked = { ...filters, from_id, order_by: "asc", limit: READ_AT_ONCE };
    const parts = { path: names, query: asked, signal };
    const { data, headers } = await caller.answer({ method: "get", path, parts });
    const items = data as readonly { readonly id: number }[];
    yield* items as unknown as Iterable<Awaited<Walked<P>>>;
    const scanned = headers.get(SCANNED);
    if (items.length < READ_AT_ONCE && scanned === null) return;
    from_id = Math.max(items.at(-1)?.id ?? 0, Number(scanned ?? 0)) + 1;
  }
}
