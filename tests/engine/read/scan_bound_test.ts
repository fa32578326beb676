import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Page } from "../../../src/engine/engine.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const SCAN_MAX = 10;
const ORDERS = 30;
const ASCENDING = { offset: 0, limit: 100, direction: "asc" } as const;
const DESCENDING = { ...ASCENDING, direction: "desc" } as const;

/** Creates alice's orders and trades; the first and every sixth are on the second market. */
async function openHistory(scanRecordsMax: number): Promise<EngineVenue> {
  const test = await EngineVenue.open({ scanRecordsMax });
  await test.addUsual();
  await test.addMarket("eth", "usdt");
  await test.must({ kind: "adjust_balance", uid: "bob", currency: "eth", amount: 10n ** 20n });
  for (let placed = 0; placed < ORDERS; placed++) {
    const market = placed % 6 === 0 ? "ethusdt" : "btcusdt";
    await test.placed("bob", { market, side: "sell", amount: "1", price: "10" });
    await test.placed("alice", { market, side: "buy", amount: "1", price: "10" });
    if (placed === ORDERS / 2) await test.folded();
  }
  return test;
}

function seen({ items, isScanLimited, total }: Page<{ readonly id: number }>) {
  return { count: items.length, isScanLimited, total };
}

describe("reading a long history", () => {
  it("stops at its bound, and says so", async () => {
    await using test = await openHistory(SCAN_MAX);
    const { engine } = test;
    const alice = test.member("alice");
    const rare = { markets: new Set([1]) };
    for (const read of ["orders", "trades"] as const) {
      const limited = (count: number) => ({ count, isScanLimited: true, total: null });
      assertEquals(seen(await engine[read](alice, rare, ASCENDING)), limited(2), read);
      assertEquals(seen(await engine[read](alice, rare, DESCENDING)), limited(1), read);
      // Records before the page are scanned as well.
      const later = { ...ASCENDING, offset: SCAN_MAX };
      const all = seen(await engine[read](alice, {}, later));
      assertEquals(all, { count: 0, isScanLimited: true, total: ORDERS }, read);
    }
  });

  it("does not say so if the page is full or the history ends", async () => {
    await using test = await openHistory(ORDERS + 1);
    const { engine } = test;
    const alice = test.member("alice");
    const rare = { markets: new Set([1]) };
    const whole = seen(await engine.trades(alice, rare, DESCENDING));
    assertEquals(whole, { count: ORDERS / 6, isScanLimited: false, total: null });
    await using narrow = await openHistory(SCAN_MAX);
    const page = { ...ASCENDING, limit: 2 };
    assertEquals(seen(await narrow.engine.orders(alice, rare, page)).isScanLimited, false);
    const first = seen(await narrow.engine.orders(alice, {}, { ...page, limit: SCAN_MAX }));
    assertEquals(first, { count: SCAN_MAX, isScanLimited: false, total: ORDERS });
  });
});
