/** The rebuild: makes all rows again from the log. */
import { assert } from "../../domain/assert.ts";
import { GENESIS_HASH } from "../../store/log/entry_codec.ts";
import { isSameBytes } from "../../store/byte_strings.ts";
import { rowKey, TABLES, watermarkKey } from "../../store/keys.ts";
import { type OwnerLock, takeOwnerLock } from "../../store/file/owner_lock.ts";
import { openExistingStore, type Store, UnreadableError } from "../../store/store.ts";
import { isFilePath, realKvPath } from "../../store/file/venue_file.ts";
import { readEntries, readHead } from "../../store/log/venue_log.ts";
import type { Head } from "../../store/log/head_codec.ts";
import { readWatermark } from "../../store/rows/watermark.ts";
import { FoldWriter } from "../fold/fold_writer.ts";

/** Rows are missing or only partly rebuilt, because the store takes no writes. */
export class RebuildCutShortError extends UnreadableError {
  override name = "RebuildCutShortError";
}

/**
 * Deletes all rows and folds the log from its first entry. The venue must not run meanwhile; a
 * rebuild that was cut short is started again.
 *
 * @throws {InvariantError} if the log is damaged: the rows are left as they are
 * @throws {RebuildCutShortError} if the store takes no writes, as on a full disk
 * @returns the sequence that the rows are true at afterwards
 */
export async function runRebuild(kvPath: string | undefined): Promise<number> {
  const path = await realKvPath(kvPath);
  const store = await openExistingStore(path);
  let lock: OwnerLock | null = null;
  try {
    if (isFilePath(path)) lock = await takeOwnerLock(path);
    const { value: head } = await readHead(store);
    await checkLog(store, head);
    return await makeRows(store, head).catch(throwCutShort);
  } finally {
    store.close();
    lock?.close();
  }
}

async function makeRows(store: Store, head: Head): Promise<number> {
  // The watermark goes first: without it, whatever is left of the rows does not count.
  await store.deleteAll(watermarkKey());
  for (const table of TABLES) await store.deleteAll(rowKey(table));
  const writer = new FoldWriter(store, await readWatermark(store));
  await writer.finish(head.sequence);
  return writer.watermark.sequence;
}

function throwCutShort(error: unknown): never {
  if (!(error instanceof UnreadableError)) throw error;
  throw new RebuildCutShortError("Not all rows were rebuilt", { cause: error.cause });
}

/** Throws if the log is damaged: the rows may be all that is left, and must not be deleted. */
async function checkLog(store: Store, head: Head): Promise<void> {
  let hash: Uint8Array = GENESIS_HASH;
  for await (const entry of readEntries(store, 0, head.sequence, hash)) hash = entry.hash;
  assert(isSameBytes(hash, head.hash), "the head's hash is that of the last entry");
}
