import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { WITHDRAW_SUMS_MS } from "../../../src/domain/limits.ts";
import { readEndedWithdraws } from "../../../src/engine/start/state_rows.ts";
import { appendToBlock } from "../../../src/store/rows/block_codec.ts";
import { rowKey } from "../../../src/store/keys.ts";
import { WITHDRAW_CODEC } from "../../../src/store/rows/money_codec.ts";
import { foldCommit, readWatermark, rowMutations } from "../../../src/store/rows/watermark.ts";
import { FaultyStore } from "../../support/faulty_store.ts";
import { withdrawOf } from "../../support/largest_records.ts";

const NOW = Date.UTC(2030, 0, 1);
const SINCE = NOW - WITHDRAW_SUMS_MS;

it("ended withdrawals are read as far back as they count, and no further", async () => {
  const store = await FaultyStore.open(":memory:");
  // The time of one withdrawal in each row: two of the same millisecond may be in two rows.
  const times = [SINCE - 2, SINCE - 1, SINCE, SINCE, NOW];
  const rows = times.flatMap((createdAt, i) => {
    const id = 1 + 16 * i;
    const withdraw = { ...withdrawOf(id), state: "succeed", createdAt } as const;
    const bytes = appendToBlock(null, 1, [withdraw], WITHDRAW_CODEC);
    return rowMutations({ key: rowKey("ended_withdraws", 16 * i), bytes });
  });
  const watermark = await readWatermark(store);
  await store.commit(foldCommit(watermark, watermark.value, rows), "fold");
  store.rowsRead = 0;
  const { counted, count, firstId } = await readEndedWithdraws(store, NOW);
  store.close();
  assertEquals(counted.map(({ counted: { id } }) => id), [65, 49, 33]);
  assertEquals({ count, firstId, rowsRead: store.rowsRead }, {
    count: 4,
    firstId: 17,
    rowsRead: 4,
  });
});
