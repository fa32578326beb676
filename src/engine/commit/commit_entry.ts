/**
 * Makes an entry durable exactly once. A commit that throws, hangs or is refused is looked up in
 * the log by its batch id; only a head that has moved proves that it can no longer land.
 */
import { assert, InvariantError } from "../../domain/assert.ts";
import { type Store, type Versioned, WritingOverError } from "../../store/store.ts";
import type { Beside, CommitOutcome } from "../../store/kv/commit.ts";
import { appendCommit, barrierCommit, readEntryAt, readHead } from "../../store/log/venue_log.ts";
import type { Head } from "../../store/log/head_codec.ts";
import { sleep } from "../../store/kv/in_time.ts";
import { BATCH_ID_BYTES } from "../../store/log/entry_codec.ts";
import { isSameBytes } from "../../store/byte_strings.ts";

/** Sends before the entry counts as failed or, if its fate is unknown, the head is moved. */
const SENDS_MAX = 3;
/** Pause between two sends, in ms; it doubles up to the maximum. */
const PAUSE_MS = 20;
const PAUSE_MS_MAX = 500;

/** The fate of an entry. */
export type EntryOutcome =
  | { readonly kind: "committed"; readonly head: Versioned<Head> }
  /** Another commit came first. */
  | { readonly kind: "conflict" }
  /** It did not land and never will: a row that one of its commands holds has changed. */
  | { readonly kind: "row_changed" }
  /** It did not land and never will: the store fails. */
  | { readonly kind: "failed"; readonly error: Error };

/** The fate of an entry as the log shows it. */
export type EntryFate =
  /** It is in the log; `versionstamp` is its head's, or null if more entries follow. */
  | { readonly kind: "committed"; readonly versionstamp: string | null }
  /** Another entry is in its place. */
  | { readonly kind: "conflict" };

/**
 * Appends an entry after `current`. Resolves once its fate is known, however long that takes.
 *
 * @param fate resolves if the log shows the fate of the entry first: the answer to a commit may be
 *   held back for long
 * @param onUnknown called for each send whose fate is unknown
 */
export async function commitEntry(
  store: Store,
  current: Versioned<Head>,
  next: Head,
  entry: Uint8Array<ArrayBuffer>,
  beside: Beside,
  fate: Promise<EntryFate> | null = null,
  onUnknown: () => void = () => {},
): Promise<EntryOutcome> {
  const commit = appendCommit(current, next, entry, beside);
  let isUncertain = false;
  for (let sends = 1;; sends++) {
    const sent = store.commit(commit, "log");
    const outcome = await (fate === null ? sent : Promise.race([sent, fate]));
    if (outcome.kind === "conflict" || outcome.kind === "committed") {
      return outcomeOf(outcome, next);
    }
    // Not even whether an earlier send has happened is looked up: this process is broken.
    if (outcome.kind === "failed" && outcome.error instanceof WritingOverError) return outcome;
    if (outcome.kind === "unknown") {
      onUnknown();
      await leaveHandle(store);
    }
    // After a send of unknown fate, the failure of a later one proves nothing.
    isUncertain ||= outcome.kind !== "failed";
    if (isUncertain) {
      const lookingUp = lookUp(store, current, next);
      const found = await (fate === null ? lookingUp : Promise.race([lookingUp, fate]));
      if (found !== null && found !== UNMOVED) return outcomeOf(found, next);
      // Had the head come back, so would what was refused: no versionstamp is used twice.
      const isHeldBack = found === UNMOVED && outcome.kind === "refused" && beside.held.length > 0;
      if (isHeldBack) return { kind: "row_changed" };
      if (sends >= SENDS_MAX) await moveHead(store, current);
    } else if (outcome.kind === "failed" && sends >= SENDS_MAX) return outcome;
    await sleep(Math.min(PAUSE_MS * 2 ** sends, PAUSE_MS_MAX));
  }
}

function outcomeOf(fate: EntryFate, next: Head): EntryOutcome {
  if (fate.kind === "conflict") return fate;
  return { kind: "committed", head: { value: next, versionstamp: fate.versionstamp } };
}

/** The head has not moved, so the entry may still land. */
const UNMOVED = Symbol("unmoved");

/** Looks an entry up; null while the head can't be read. */
async function lookUp(
  store: Store,
  current: Versioned<Head>,
  next: Head,
): Promise<EntryFate | typeof UNMOVED | null> {
  try {
    const { value, versionstamp } = await readHead(store);
    assert(value.epoch === current.value.epoch, "the log is the one that was opened");
    if (versionstamp === current.versionstamp) return UNMOVED;
    if (isSameBytes(value.batchId, next.batchId)) return { kind: "committed", versionstamp };
    const entry = await readEntryAt(store, current.value.sequence + 1);
    if (entry === null || !isSameBytes(entry.batchId, next.batchId)) return { kind: "conflict" };
    // Others have appended after it: their head is read before the next commit.
    return { kind: "committed", versionstamp: null };
  } catch (error) {
    // A broken log stays broken, however often it is read.
    if (error instanceof InvariantError) throw error;
    return null;
  }
}

/** Abandons the connection and what is pending on it: it may be dead without notice. */
async function leaveHandle(store: Store): Promise<void> {
  try {
    await store.reopenWriter();
  } catch {
    // The store can't be reached at all, as the next send will show.
  }
}

/** Moves the head without an entry, so that no commit sent before can still land. */
export function moveHead(store: Store, current: Versioned<Head>): Promise<CommitOutcome> {
  const batchId = crypto.getRandomValues(new Uint8Array(BATCH_ID_BYTES));
  return store.commit(barrierCommit(current, batchId), "log");
}
