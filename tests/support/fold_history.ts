import { foldHistories, type History } from "../../src/engine/fold/history_fold.ts";
import type { RowChange, RowSource } from "../../src/engine/fold/row_source.ts";

/** Returns the blocks of one history that change when records are appended. */
export function foldHistory<T>(
  rows: RowSource,
  history: History<T> & { readonly place: readonly [owner: number] },
  records: readonly T[],
  sequence: number,
): Promise<RowChange[]> {
  const ofOwner = new Map([[history.place[0], records]]);
  return foldHistories(rows, history, ofOwner, sequence, () => Promise.resolve());
}
