import { openStore } from "../../src/store/store.ts";
import { foldCommit, readWatermark, type Watermark } from "../../src/store/rows/watermark.ts";

/** Changes a store's watermark directly in the file, even while another process has it open. */
export async function forgeWatermark(path: string, changes: Partial<Watermark>): Promise<void> {
  const store = await openStore(path);
  const current = await readWatermark(store);
  const { kind } = await store.commit(
    foldCommit(current, { ...current.value, ...changes }, []),
    "fold",
  );
  store.close();
  if (kind !== "committed") throw new Error(`The watermark is not forged: ${kind}`);
}
