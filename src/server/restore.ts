/**
 * The restore: a step of its own after an older copy was put in the place of a store. It audits the
 * copy, and begins a new epoch with trading and withdrawals stopped, in one commit.
 */
import { bytesToHex } from "@noble/hashes/utils.js";
import { type CopyEnd, NO_KEY, type Switches, type VenueEvent } from "../domain/event.ts";
import { ByteWriter } from "../store/byte_writer.ts";
import type { Commit, Mutation } from "../store/kv/commit.ts";
import { BATCH_ID_BYTES, encodeEntry } from "../store/log/entry_codec.ts";
import { epochRow } from "../store/log/epoch.ts";
import { writeEvent } from "../store/log/event_codec.ts";
import type { Head } from "../store/log/head_codec.ts";
import { type HeadMark, readHeadMark, writeHeadMark } from "../store/file/head_mark.ts";
import { epochKey, sidecarKey } from "../store/keys.ts";
import { type OwnerLock, StoreInUseError, takeOwnerLock } from "../store/file/owner_lock.ts";
import { LOG_FORMAT } from "../store/stored_formats.ts";
import { openExistingStore, type Store, throwUnwritable, type Versioned } from "../store/store.ts";
import { isFilePath, realKvPath } from "../store/file/venue_file.ts";
import { appendCommit, lastEntryRows, readHead } from "../store/log/venue_log.ts";
import { type Act, actRows, RESTORE_ACT } from "../secrets/acts.ts";
import { type AuditReport, auditStore, type SealingCheck } from "../engine/start/audit.ts";
import { restoresRow } from "../engine/start/restores.ts";

/** How a venue begins its new epoch. */
const STOPPED: Switches = { trading: false, withdrawals: false };

/** The copy that a restore goes on from. */
export interface RestoredCopy {
  readonly audit: AuditReport;
  /** Where it ends. */
  readonly end: CopyEnd;
  /** Where the first of several restores has begun, between which nothing was paid; else `end`. */
  readonly first: CopyEnd;
  /** Whether the epoch has begun: not if the audit found a difference. */
  readonly isBegun: boolean;
}

/** What a restore notes of the copy. */
type Copy = Pick<AuditReport, "acts" | "switches"> & Pick<RestoredCopy, "first"> & {
  /** Name of the store that holds it. */
  readonly name: string;
  /** How many members it has, with the venue's own accounts. */
  readonly members: number;
};

/**
 * Audits the copy in a store and, if it is clean, begins a new epoch. No process may run on it;
 * those that still hold the old epoch write no more.
 *
 * @throws {StoreInUseError} if another process writes to the store
 * @throws {UnreadableError} if the store takes no writes: nothing has changed
 */
export async function runRestore(
  kvPath: string | undefined,
  now: () => number = Date.now,
  sealing: SealingCheck | null = null,
): Promise<RestoredCopy> {
  const path = await realKvPath(kvPath);
  const store = await openExistingStore(path);
  let lock: OwnerLock | null = null;
  try {
    if (isFilePath(path)) lock = await takeOwnerLock(path);
    const mark = isFilePath(path) ? await readHeadMark(path) : null;
    const head = await readHead(store);
    const audit = await auditStore(store, { isCopy: true, sealing });
    const end = endOfCopy(head.value, mark);
    const first = audit.switches.restored ?? end;
    const isBegun = audit.differences.length === 0;
    if (isBegun) {
      const members = audit.venue.holders.length;
      const copy = { ...audit, name: nameOf(path), first, members };
      const begun = await beginEpoch(store, head, now(), copy);
      if (isFilePath(path)) await writeHeadMark(path, markOf(begun, mark));
    }
    return { audit, end, first, isBegun };
  } finally {
    store.close();
    lock?.close();
  }
}

/** Returns where a copy ends; the mark beside it, which a KV server has not, may be further. */
function endOfCopy({ epoch, sequence, at }: Head, mark: HeadMark | null): CopyEnd {
  return { epoch, sequence, at, reached: mark?.epoch === epoch ? mark.sequence : 0 };
}

/**
 * Begins an epoch after a head, at a time (ms); returns the head that it begins with.
 *
 * @throws {StoreInUseError} if another process has moved the head
 * @throws {UnreadableError} if the store takes no writes: nothing has changed
 */
export async function beginEpoch(
  store: Store,
  current: Versioned<Head>,
  now: number,
  copy: Copy,
): Promise<Head> {
  const at = Math.max(now, current.value.at);
  const note = await restoresRow(store, { at, now, members: copy.members });
  const { commit, next } = epochCommit(current, at, copy, note);
  const outcome = await store.commit(commit, "log");
  if (outcome.kind === "committed") return next;
  if (outcome.kind === "failed") throwUnwritable(outcome.error);
  // The answer may have got lost.
  const { value: head } = await readHead(store);
  if (head.epoch === next.epoch) return next;
  throw new StoreInUseError(
    "Another process writes to the store: stop all of them, put the copy back, and restore it again",
  );
}

/** Returns the commit that ends an epoch and begins another, in which the venue stands still. */
function epochCommit(
  current: Versioned<Head>,
  at: number,
  copy: Copy,
  note: Mutation,
): { commit: Commit; next: Head } {
  const { epoch: old, hash: previousHash, sequence: before } = current.value;
  const act = copy.acts + 1;
  const events: readonly VenueEvent[] = [
    { kind: "switches_set", switches: { ...STOPPED, restored: copy.first } },
    { kind: "act_noted", id: act, key: NO_KEY },
  ];
  const writer = new ByteWriter();
  for (const event of events) writeEvent(writer, event, at);
  const batchId = crypto.getRandomValues(new Uint8Array(BATCH_ID_BYTES));
  const sequence = before + events.length;
  const header = { first: before + 1, at, batchId, count: events.length };
  const { bytes, hash } = encodeEntry(header, writer.take(), previousHash);
  const epoch = crypto.randomUUID();
  const next: Head = { format: LOG_FORMAT, epoch, sequence, at, hash, batchId };
  const acts = actRows(act, actOf(copy, current.value, epoch, at)).map(({ key, value }) => (
    { key: sidecarKey(key), value }
  ));
  const rows = [{ key: epochKey(old), value: null }, epochRow(epoch, before), note];
  const beside = { mutations: [...rows, ...acts, ...lastEntryRows(bytes)], held: [] };
  return { commit: appendCommit(current, next, bytes, beside), next };
}

/** Returns what the operators' list of acts says of a restore. */
function actOf({ name, switches }: Copy, head: Head, epoch: string, at: number): Act {
  const stopped = (["trading", "withdrawals"] as const).filter((name) => switches[name]);
  const values = (value: boolean) => Object.fromEntries(stopped.map((name) => [name, value]));
  return {
    uid: null,
    kid: null,
    action: RESTORE_ACT,
    target: { store: name },
    changes: {
      epoch: head.epoch,
      sequence: head.sequence,
      copied_at: new Date(head.at).toISOString(),
    },
    made: epoch,
    ...(stopped.length === 0 ? {} : { before: values(true), after: values(false) }),
    reason: "a copy was put back and restored by the command",
    at,
  };
}

/** Returns the name of a store, without the folders and the secrets that its path may have. */
function nameOf(path: string | undefined): string {
  if (path === undefined) return "the attached database";
  return isFilePath(path) ? path.split(/[\\/]/).at(-1) ?? path : new URL(path).host;
}

/** Returns the mark of the restored store: no nonce that reads have used may be used again. */
function markOf({ epoch, hash, sequence }: Head, mark: HeadMark | null): HeadMark {
  return { epoch, sequence, hash: bytesToHex(hash), nonce: mark?.nonce ?? 0 };
}
