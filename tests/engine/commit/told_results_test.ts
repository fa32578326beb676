import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection, type OrdersPlaced, type Outcome } from "../../../src/domain/command.ts";
import type { OrderResult } from "../../../src/domain/trading/order_result.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import type { OrderText } from "../../support/domain_venue.ts";

/** Sells that fill more than one entry. */
const SELLS = 5_000;
const SELLS_PER_BULK = 1_000;

async function openUsual(): Promise<EngineVenue> {
  const test = await EngineVenue.open({ settings: { openOrdersMax: SELLS } });
  await test.addUsual();
  return test;
}

/** Places orders and asks for their results. */
async function ask(test: EngineVenue, uid: string, ...orders: OrderText[]): Promise<OrdersPlaced> {
  const command = test.placing(uid, ...orders);
  if (command.kind !== "place_orders") throw new Error(command.kind);
  return placedOf(await test.engine.submit({ ...command, tellsResults: true }, null));
}

function placedOf(outcome: Outcome): OrdersPlaced {
  if (!isRejection(outcome) && outcome.kind === "orders_placed") return outcome;
  throw new Error(`Not placed: ${JSON.stringify(outcome)}`);
}

function told({ orders, results }: OrdersPlaced): (OrderResult | undefined)[] {
  return orders.map((one) => "accepted" in one ? results?.get(one.accepted.id) : undefined);
}

/** Returns state, remaining lots and number of trades. */
function summary(result: OrderResult | undefined): unknown[] {
  return [result?.order.state, result?.order.remaining, result?.trades.length];
}

const BUY = { amount: "1", price: "10" };
const SELL = { ...BUY, side: "sell" } as const;

describe("the results of orders", () => {
  it("are told to who asks, and to nobody else", async () => {
    await using test = await openUsual();
    await test.placed("bob", { ...SELL, amount: "0.5" });
    const [filled, rested] = told(await ask(test, "alice", BUY, { ...BUY, price: "9" }));
    assertEquals(summary(filled), ["wait", 500_000, 1]);
    assertEquals(summary(rested), ["wait", 1_000_000, 0]);
    assertEquals("results" in placedOf(await test.place("alice", BUY)), false);
  });

  it("include what later commands of the same entry did", async () => {
    await using test = await openUsual();
    test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const first = test.placed("bob", { ...BUY, price: "1" });
    await test.store.holding();
    const asking = ask(test, "alice", BUY);
    const selling = test.placed("bob", { ...SELL, amount: "0.25" });
    test.store.plan = () => "none";
    test.store.release();
    await Promise.all([first, selling]);
    const [result] = told(await asking);
    assertEquals(summary(result), ["wait", 750_000, 1]);
    assertEquals(result?.trades[0]?.liquidity, "maker");
  });

  it("do not include what later entries did, however late they are read", async () => {
    await using test = await openUsual();
    const receipt = await ask(test, "alice", BUY);
    await test.placed("bob", SELL);
    assertEquals(told(receipt).map(summary), [["wait", 1_000_000, 0]]);
  });

  it("are those of the entry that landed, if another process came first", async () => {
    await using file = await VenueFile.create();
    const options = { path: file.path, isShared: true };
    await using one = await EngineVenue.open(options);
    await one.addUsual();
    await using other = await EngineVenue.open(options);
    one.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const asking = ask(one, "alice", BUY);
    await one.store.holding();
    await other.placed("bob", { ...SELL, amount: "0.5" });
    one.store.plan = () => "none";
    one.store.release();
    assertEquals(told(await asking).map(summary), [["wait", 500_000, 1]]);
  });

  it("say that an order is pending whose matching goes on in the next entry", async () => {
    await using test = await openUsual();
    const bulk = Array.from({ length: SELLS_PER_BULK }, () => ({ ...SELL, amount: "0.000001" }));
    for (let i = 0; i < SELLS; i += SELLS_PER_BULK) placedOf(await test.place("bob", ...bulk));
    const [result] = told(await ask(test, "alice", { ...BUY, amount: "0.005" }));
    const { order, trades = [] } = result ?? {};
    assertEquals(order?.state, "pending");
    assertEquals(trades.length > 0 && trades.length < SELLS, true, String(trades.length));
    assertEquals(order?.remaining, SELLS - trades.length);
    assertEquals(order?.tradesCount, trades.length);
    await test.placed("alice", { ...BUY, price: "1" });
    const ended = await test.engine.order(test.member("alice"), order?.id ?? 0);
    assertEquals(ended?.state, "done");
  });

  it("are not told of repeats, which have no entry of their own", async () => {
    await using test = await openUsual();
    const named = { ...BUY, clientOrderId: "my-1" };
    assertEquals(told(await ask(test, "alice", named)).map(summary), [["wait", 1_000_000, 0]]);
    const again = await ask(test, "alice", named, BUY);
    assertEquals(again.orders.map((one) => "repeats" in one), [true, false]);
    assertEquals([...again.results?.keys() ?? []].length, 1);
  });
});
