/** The parts of the bots, at a venue that does not always let them. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { unitsOf, type Venue, VenueError } from "../../../../src/client/client.ts";
import { FlowTaker } from "../../../../src/client/examples/bots/flow_taker.ts";
import { RUNGS } from "../../../../src/client/examples/bots/ladder.ts";
import { LadderMaker } from "../../../../src/client/examples/bots/ladder_maker.ts";
import { Purse } from "../../../../src/client/examples/bots/purse.ts";
import { WalkedPrices } from "../../../../src/client/examples/bots/walked_prices.ts";
import { SharedClientVenue } from "../../../support/client_venue.ts";
import { eventually } from "../../../support/eventually.ts";
import { Prng } from "../../../support/prng.ts";

const VALUES = { btc: "20000", eth: "1000", bch: "400", usdt: "1" };
const { signal } = new AbortController();

/** Returns numbers from 0 up to 1 that are the same each time. */
function randomOf(seed: number): () => number {
  const prng = new Prng(seed);
  return () => prng.uint32() / 2 ** 32;
}

function makerOf(venue: Venue, market: string): LadderMaker {
  const random = randomOf(1);
  return new LadderMaker(venue, market, new WalkedPrices(VALUES, random, () => 0), random);
}

async function quotesOf(venue: Venue, market: string): Promise<{ buy: number; sell: number }> {
  const orders = await venue.openOrders(market);
  const count = (side: string) => orders.filter((order) => order.side === side).length;
  return { buy: count("buy"), sell: count("sell") };
}

async function setState(operator: Venue, id: string, state: "halted" | "enabled"): Promise<void> {
  const body = { state, reason: "a test" };
  await operator.patch("/api/v2/admin/markets/{id}", { path: { id }, body });
}

describe("the bots' parts", () => {
  const shared = new SharedClientVenue({ RATE_LIMIT: "off" });

  shared.it("quote with the currency that they have", async ({ as }) => {
    const [alice, operator] = [as("alice"), as("operator")];
    const adjust = (amount: string) =>
      operator.post("/api/v2/admin/adjustments", {
        body: { uid: "IDA11CE00001", currency: "bch", amount, reason: "a test" },
      });
    await adjust("-1000");
    const maker = makerOf(alice, "bchusdt");
    for (let step = 0; step < 2; step++) {
      await maker.step(signal);
      assertEquals(await quotesOf(alice, "bchusdt"), { buy: RUNGS, sell: 0 });
    }
    await adjust("1000");
    await maker.step(signal);
    assertEquals(await quotesOf(alice, "bchusdt"), { buy: RUNGS, sell: RUNGS });
    // The same where few orders are missing.
    for (const side of ["buy", "sell"]) {
      const order = (await alice.openOrders("bchusdt")).find((one) => one.side === side);
      await alice.cancelOrder(order?.id ?? 0);
    }
    const left = (await alice.balances()).find(({ currency }) => currency === "bch")?.balance;
    await adjust(`-${left}`);
    await maker.step(signal);
    assertEquals(await quotesOf(alice, "bchusdt"), { buy: RUNGS, sell: RUNGS - 1 });
    await alice.cancelOrders();
  });

  shared.it("take at the word who bids too much", async ({ as }) => {
    const [alice, bob] = [as("alice"), as("bob")];
    const order = { market: "ethbtc", side: "buy", type: "limit", amount: "0.5" } as const;
    await bob.placeOrder({ ...order, price: "0.1" });
    await makerOf(alice, "ethbtc").step(signal);
    const [trade] = await bob.get("/api/v2/backend/market/trades", { query: { limit: 1 } });
    assertEquals([trade?.market, trade?.price], ["ethbtc", "0.1"]);
    await alice.cancelOrders();
    await bob.cancelOrders();
  });

  shared.it("wait where a market is halted, and read its terms again", async ({ as }) => {
    const [alice, operator] = [as("alice"), as("operator")];
    const maker = makerOf(alice, "ethusdt");
    await setState(operator, "ethusdt", "halted");
    const { status } = await assertRejects(() => maker.step(signal), VenueError);
    assertEquals(status, 422);
    await setState(operator, "ethusdt", "enabled");
    await maker.step(signal);
    assertEquals(await quotesOf(alice, "ethusdt"), { buy: RUNGS, sell: RUNGS });
    await assertRejects(() => makerOf(alice, "dogeusdt").step(signal), Error, "dogeusdt");
    await alice.cancelOrders();
  });

  shared.it("take small amounts, on the side that their purse lacks", async ({ as }) => {
    const [alice, bob] = [as("alice"), as("bob")];
    await makerOf(alice, "btcusdt").step(signal);
    const purse = new Purse(bob, { btc: "1000", usdt: "10000000" });
    assertEquals(purse.excessOf("btc"), 0);
    const random = randomOf(5);
    const prices = new WalkedPrices(VALUES, random, () => 0);
    const taker = new FlowTaker([{ venue: bob, purse }], "btcusdt", prices, random);
    await purse.look(signal);
    assert(purse.excessOf("btc") < -0.85, `${purse.excessOf("btc")}`);
    for (let trade = 0; trade < 10; trade++) await taker.step(signal);
    // Nothing of what was not taken at once is left.
    assertEquals(await bob.openOrders(), []);
    const trades = await bob.get("/api/v2/backend/market/trades", {
      query: { market: "btcusdt", limit: 100 },
    });
    assert(trades.length >= 10);
    for (const { price, total } of trades) {
      const away = unitsOf(price, 2) - 2_000_000n;
      assert(away * away <= 2_001n ** 2n, price);
      assert(unitsOf(total, 16) < 8_100n * 10n ** 16n, total);
    }
    const side = (one: string) => trades.filter((trade) => trade.side === one).length;
    assert(side("buy") > side("sell"), `${side("buy")} buys, ${side("sell")} sells`);
    // Nine tenths were missing: the faucet has given them.
    await eventually("coins of the faucet", async () => {
      await purse.look(signal);
      return purse.excessOf("btc") > -0.01;
    });
    await alice.cancelOrders();
  });
});
