/** Decides whether a store may be opened: it holds a venue whole, or nothing at all. */
import { bytesToHex } from "@noble/hashes/utils.js";
import { InvariantError } from "../../domain/assert.ts";
import { type HeadMark, readHeadMark } from "../../store/file/head_mark.ts";
import { headKey, logPrefix } from "../../store/keys.ts";
import { NoStoreError, type Store } from "../../store/store.ts";
import {
  isBlank,
  isFilePath,
  throwOfOtherProgram,
  VenueFileError,
} from "../../store/file/venue_file.ts";
import { readHashAt, readHead, refuseFirstLayout } from "../../store/log/venue_log.ts";
import { isSameBytes } from "../../store/byte_strings.ts";
import type { Watermark } from "../../store/rows/watermark.ts";

/** What to do where the rows are not those of the log. */
const REBUILD =
  'Stop all processes, then run "deno task rebuild", which makes the rows again from ' +
  "the log";

/** The log in the store ends before a point that it once reached. */
export class LostTailError extends Error {
  override name = "LostTailError";
}

/**
 * The rows are not those of the log: a process that did not see that an older copy of the store was
 * put in place has written them.
 */
export class OtherRowsError extends InvariantError {
  override name = "OtherRowsError";
}

/**
 * Checks that the rows are of the log, and not ahead of it.
 *
 * @throws {OtherRowsError} if they are not
 */
export async function refuseOtherRows(
  store: Store,
  { hash, sequence, target }: Watermark,
): Promise<void> {
  const { value: head } = await readHead(store);
  if (target > head.sequence) {
    throw new OtherRowsError(
      `The rows in the store are at ${target}, ahead of its log, which ends at ${head.sequence}: ` +
        `an older copy was put in place under a running process. ${REBUILD}`,
    );
  }
  if (sequence === 0 || isSameBytes(await readHashAt(store, sequence), hash)) return;
  throw new OtherRowsError(
    `The rows in the store, at ${sequence}, are of another log than the one in it: an older copy ` +
      `was put in place under a running process, or one of them is damaged. ${REBUILD}`,
  );
}

/**
 * Refuses a missing or empty file that a venue was in: opening it would begin another one.
 *
 * @throws {LostTailError} if it is such a file
 */
export async function refuseLostFile(path: string): Promise<void> {
  if (await readHeadMark(path) !== null && await isBlank(path)) throwNoVenue(path);
}

/**
 * Refuses a missing or empty file, before anything is created in its place.
 *
 * @throws {NoStoreError} if it is one
 */
export async function refuseBlankFile(path: string): Promise<void> {
  if (await isBlank(path)) throwNoStore(path);
}

/** Throws that there is no venue where one is expected. */
export function throwNoStore(path: string | undefined): never {
  const place = path === undefined ? "the attached database" : `"${withoutUser(path)}"`;
  throw new NoStoreError(
    `There is no venue in ${place}: check KV_PATH, and that its disk is mounted. To begin a new ` +
      'venue there, start once with "deno task start --new", or with NEW_STORE=yes',
  );
}

/** Leaves out who signs in to a server. */
function withoutUser(path: string): string {
  return path.replace(/^(https?:\/\/)[^/]*@/, "$1");
}

/**
 * Whether a new venue is to begin in the store: it has no head yet. One whose start was interrupted
 * may have left its record and other rows of the sidecar.
 *
 * @throws {LostTailError} if the file was once a venue's
 * @throws {VenueFileError} if the store holds what is not a venue's
 */
export async function hasNoVenue(store: Store, path: string | null): Promise<boolean> {
  // Read before the head: no mark is older than the first head.
  const mark = path === null ? null : await readHeadMark(path);
  if ((await store.get(headKey())).value !== null) return false;
  await refuseFirstLayout(store);
  if (mark !== null) throwNoVenue(store.path);
  await refuseOtherKeys(store);
  return true;
}

/** Checks that all keys in the store are a venue's. */
async function refuseOtherKeys(store: Store): Promise<void> {
  const [prefix] = logPrefix();
  const around = [[[], [`${prefix}`]], [[`${prefix}\0`], [Infinity]]] as const;
  for (const [start, end] of around) {
    for await (const _ of store.list(start, end, { limit: 1 })) {
      if (isFilePath(store.path)) throwOfOtherProgram(store.path);
      const place = store.path === undefined ? "The attached database" : "The database in KV_PATH";
      throw new VenueFileError(
        `${place} holds keys of another program and no venue: use another database`,
      );
    }
  }
}

/**
 * Checks that the store has not lost what it held when its mark was last written.
 *
 * @throws {LostTailError} if it has, or is not the store of the mark
 */
export async function checkHeadMark(store: Store, mark: HeadMark | null): Promise<void> {
  if (mark === null) return;
  const { value: head } = await readHead(store);
  if (head.epoch !== mark.epoch) {
    throw new LostTailError(
      `The store is not the one that "${store.path}.head" belongs to${goingOn(store)}`,
    );
  }
  const isBehind = head.sequence < mark.sequence ||
    (head.sequence === mark.sequence && bytesToHex(head.hash) !== mark.hash);
  if (isBehind) {
    throw new LostTailError(
      `The store ends at ${head.sequence}, but was once at ${mark.sequence}: its tail is ` +
        `lost${goingOn(store)}`,
    );
  }
}

function throwNoVenue(path: string | undefined): never {
  throw new LostTailError(
    `"${path}" holds no venue, but "${path}.head" is the mark of one: its file was removed or ` +
      `replaced. Put it or a copy back; to begin a new venue, remove "${path}.head"`,
  );
}

function goingOn({ path }: Store): string {
  return `. To go on with "${path}" as it is, run "deno task restore", which says what is lost`;
}
