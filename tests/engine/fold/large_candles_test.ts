import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CANDLE_PERIODS } from "../../../src/domain/trading/candle.ts";
import { ORDER_LOTS_MAX } from "../../../src/domain/limits.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { everything } from "../../support/everything.ts";

const START = Date.UTC(2029, 11, 31);
const HOUR_MS = 60 * 60 * 1000;
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);
/** Number of trades of the largest volume per request, and of requests, each in its own hour. */
const TRADES = 320;
const ROUNDS = 3;
/** The largest volume, and the smallest with eight digits. */
const LARGEST = "100000";
const SMALLEST = "0.00000001";
/** Not representable as a double. */
const LOTS = BigInt(ORDER_LOTS_MAX) * BigInt(TRADES * ROUNDS) + 1n;

/** Opens a venue with a member that trades with itself, which is allowed without prevention. */
async function openLarge(path: string, clock: { now: number }): Promise<EngineVenue> {
  const test = await EngineVenue.open({ path, clock });
  await test.addMarket("btc", "usdt", { pricePrecision: 2, amountPrecision: 8 });
  await test.addMember("alice", { btc: "100000000", usdt: "100000000" });
  return test;
}

async function trade(test: EngineVenue, amount: string, times: number): Promise<void> {
  const order = { amount, price: "0.01", selfTrade: "none" } as const;
  const pairs = Array.from({ length: times }, () => [
    { ...order, side: "buy" } as const,
    { ...order, side: "sell" } as const,
  ]);
  await test.must(test.placing("alice", ...pairs.flat()));
}

async function tradeMuch(test: EngineVenue, clock: { now: number }): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    await trade(test, LARGEST, TRADES);
    clock.now += HOUR_MS;
  }
  await trade(test, SMALLEST, 1);
}

/** Returns the total volume of all candles of each period. */
async function volumes(engine: Engine): Promise<bigint[]> {
  return await Promise.all(CANDLE_PERIODS.map(async (period) => {
    const candles = await engine.candles(0, period, { limit: 100_000 });
    return candles.reduce((sum, { volume }) => sum + volume, 0n);
  }));
}

describe("candles of more lots than a safe integer holds", () => {
  it("are folded, and stay the same after a restart and a rebuild", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const test = await openLarge(file.path, clock);
    await tradeMuch(test, clock);
    const [week] = await test.engine.candles(0, 10080, { limit: 1 });
    assertEquals(week?.volume, LOTS);
    assert(LOTS > SAFE_MAX && Number.isSafeInteger(TRADES * ORDER_LOTS_MAX));
    assertEquals(await volumes(test.engine), CANDLE_PERIODS.map(() => LOTS));
    assertEquals(test.engine.ticker(0).volume, LOTS);
    await test.engine.folded();
    const seen = await everything(test.engine);
    assertEquals(test.faults, []);
    await test.close();

    const restarted = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await everything(restarted.engine), seen);
    await restarted.close();
    assertEquals((await runAudit(file.path)).differences, []);
    await runRebuild(file.path);
    assertEquals((await runAudit(file.path)).differences, []);
    await using rebuilt = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await everything(rebuilt.engine), seen);
    await trade(rebuilt, SMALLEST, 1);
    await rebuilt.engine.folded();
    assertEquals(await volumes(rebuilt.engine), CANDLE_PERIODS.map(() => LOTS + 1n));
    assertEquals(rebuilt.engine.ticker(0).volume, LOTS + 1n);
  });

  it("are made from the log while the rows are behind", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const test = await openLarge(file.path, clock);
    await trade(test, LARGEST, 1);
    await test.engine.folded();
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    clock.now += HOUR_MS;
    await tradeMuch(test, clock);
    assert(test.engine.metrics().unfolded_events > 0);
    const seen = await everything(test.engine);
    await test.close();

    await using healed = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await everything(healed.engine), seen);
    await healed.engine.folded();
    assertEquals(await everything(healed.engine), seen);
    const all = LOTS + BigInt(ORDER_LOTS_MAX);
    assertEquals(await volumes(healed.engine), CANDLE_PERIODS.map(() => all));
    assertEquals(healed.faults, []);
  });
});
