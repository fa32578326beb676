/** The rebuild: makes the rows anew from the log. */
import { isRowKey, watermarkKey } from "../store/keys.ts";
import { takeOwnerLock } from "../store/owner_lock.ts";
import { openExistingStore } from "../store/store.ts";
import { readHead } from "../store/venue_log.ts";
import { readWatermark } from "../store/watermark.ts";
import { FoldWriter } from "./fold_writer.ts";

/**
 * Deletes all rows and folds the log from its first entry. The venue must not
 * run meanwhile; a rebuild that is cut short is started again.
 *
 * @returns the sequence that the rows are true at afterwards
 */
export async function runRebuild(kvPath: string | undefined): Promise<number> {
  const store = await openExistingStore({ path: kvPath });
  const isFile = !store.isRemote && kvPath !== undefined && kvPath !== ":memory:";
  const lock = isFile ? await takeOwnerLock(kvPath) : null;
  try {
    const { value: head } = await readHead(store);
    const watermarkName = watermarkKey().join("/");
    // The watermark goes first: rows without one are no rows, whatever is left of them.
    await store.deleteRows((key) => key.join("/") === watermarkName);
    await store.deleteRows(isRowKey);
    const writer = new FoldWriter(store, await readWatermark(store));
    await writer.finish(head.sequence);
    return writer.watermark.sequence;
  } finally {
    store.close();
    lock?.close();
  }
}
