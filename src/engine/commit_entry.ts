/**
 * Makes an entry durable exactly once. A commit that throws, hangs or is
 * refused is looked up in the log by its batch id; only a head that has moved
 * tells that it never will land.
 */
import { InvariantError } from "../domain/assert.ts";
import type { CommitOutcome, Mutation, Store, Versioned } from "../store/store.ts";
import {
  appendCommit,
  barrierCommit,
  type Head,
  readEntryAt,
  readHead,
} from "../store/venue_log.ts";
import { sleep } from "../store/in_time.ts";
import { BATCH_ID_BYTES, isSameBytes } from "../store/entry_codec.ts";

/** Sends before the store is said to fail, or the head is moved away from under a commit. */
const SENDS_MAX = 3;
/** Pause between two sends, in ms. */
const PAUSE_MS = 20;
const PAUSE_MS_MAX = 500;

/** What became of an entry. */
export type EntryOutcome =
  | { readonly kind: "committed"; readonly head: Versioned<Head> }
  /** Somebody else's commit came first. */
  | { readonly kind: "conflict" }
  /** It did not happen and never will; the store is in trouble. */
  | { readonly kind: "failed"; readonly error: Error };

/** What the log itself tells of an entry. */
export type EntryFate =
  /** It is there; the version is its head's, null where more is behind it. */
  | { readonly kind: "committed"; readonly versionstamp: string | null }
  /** Another's is where it would be. */
  | { readonly kind: "conflict" };

/**
 * Appends an entry behind `current`; answers when its fate is known, however long that takes.
 *
 * @param fate answers where the log tells otherwise what becomes of the entry: the answer to a
 *   commit may be held back for long
 * @param onUnknown told of each send of which nothing is known
 */
export async function commitEntry(
  store: Store,
  current: Versioned<Head>,
  next: Head,
  entry: Uint8Array<ArrayBuffer>,
  side: readonly Mutation[],
  fate: Promise<EntryFate> | null = null,
  onUnknown: () => void = () => {},
): Promise<EntryOutcome> {
  const commit = appendCommit(current, next, entry, side);
  let isUncertain = false;
  for (let sends = 1;; sends++) {
    const sent = store.commit(commit, "log");
    const outcome = await (fate === null ? sent : Promise.race([sent, fate]));
    if (outcome.kind === "conflict") return outcome;
    if (outcome.kind === "committed") {
      return { kind: "committed", head: { value: next, versionstamp: outcome.versionstamp } };
    }
    if (outcome.kind === "unknown") {
      onUnknown();
      await leaveHandle(store);
    }
    // After a send of which nothing is known, a later one's failure proves nothing.
    isUncertain ||= outcome.kind !== "failed";
    if (isUncertain) {
      const found = await lookUp(store, current, next);
      if (found !== null) return found;
      if (sends >= SENDS_MAX) await moveHead(store, current);
    } else if (outcome.kind === "failed" && sends >= SENDS_MAX) return outcome;
    await sleep(Math.min(PAUSE_MS * 2 ** sends, PAUSE_MS_MAX));
  }
}

/** Null as long as the head has not moved: the commit may still land. */
async function lookUp(
  store: Store,
  current: Versioned<Head>,
  next: Head,
): Promise<EntryOutcome | null> {
  try {
    const head = await readHead(store);
    if (head.versionstamp === current.versionstamp) return null;
    if (isSameBytes(head.value.batchId, next.batchId)) return { kind: "committed", head };
    const entry = await readEntryAt(store, current.value.sequence + 1);
    if (entry === null || !isSameBytes(entry.batchId, next.batchId)) return { kind: "conflict" };
    // Others have gone on behind it: their head is caught up with before the next commit.
    return { kind: "committed", head: { value: next, versionstamp: null } };
  } catch (error) {
    // However often it is read, a log that cannot be so tells nothing.
    if (error instanceof InvariantError) throw error;
    return null;
  }
}

/** What hangs on a handle is left behind with it: a connection may be dead without a word. */
async function leaveHandle(store: Store): Promise<void> {
  try {
    await store.reopenWriter();
  } catch {
    // The store cannot be reached at all: the next send tells.
  }
}

/** Moves the head and nothing else: no commit that was sent before can land any more. */
export function moveHead(store: Store, current: Versioned<Head>): Promise<CommitOutcome> {
  const batchId = crypto.getRandomValues(new Uint8Array(BATCH_ID_BYTES));
  return store.commit(barrierCommit(current, batchId), "log");
}
