/** Several processes on one KV server; needs `denokv` (`cargo install denokv --locked`). */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { diagnostic } from "../support/diagnostic.ts";
import { describeUnless } from "../support/unless.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { KeySigner } from "../bench/load/presigned.ts";
import { ServerProcess } from "../bench/load/server_process.ts";
import type { VenueMember } from "../bench/load/venue_setup.ts";
import { limitOrder } from "../bench/load/workloads.ts";
import { balanceTotals } from "./balance_totals.ts";
import { FaultProxy } from "./fault_proxy.ts";
import { hasKvServer } from "./kv_server.ts";
import { OrderRace } from "./order_race.ts";
import { SharedVenue, until } from "./shared_venue.ts";

const isSkipped = !hasKvServer();
const WHY = isSkipped ? " (skipped: `denokv` is not on the PATH)" : "";

const ORDERS = "/trading/market/orders";
const BALANCES = "/backend/account/balances";
const TICKS = 30_000;
const LOTS = 1_000_000;
const MEMBERS = 4;
const NONCE_RACES = 10;
const RACING_ORDERS = 1000;
/** Number of orders that a process takes when the other is dead. */
const ORDERS_ALONE = 100;
/** Minimum number of orders that one process answers, relative to the other's in the same time. */
const FAIR_SHARE = 0.1;
const STOPPED_MS = 6500;
const AWAY_MS = 10_000;
const SWEPT_MEMBERS = 10;
const ORDERS_PER_SWEPT_MEMBER = 1000;
const SWEPT_LOTS = 100;

describeUnless(isSkipped)(`two processes on one KV server${WHY}`, () => {
  it("know at once what the other made: members, keys, funds, markets", async () => {
    await using venue = await SharedVenue.start();
    const { a, b } = venue;
    const [onA, onB] = [venue.operator(a), venue.operator(b)];
    const { uid } = await onA.call("POST", "/members", { email: "m@example.com", level: 3 });
    const key = await onB.call("POST", `/members/${uid}/api_keys`, { reason: "a bot" });
    const signer = new KeySigner({ kid: String(key["kid"]), secret: String(key["secret"]) });
    const funds = { uid, currency: "usdt", amount: "1000", reason: "starting balance" };
    await onA.call("POST", "/adjustments", funds);
    for (const server of [b, a]) {
      const { status, body } = await venue.call(server, signer, "GET", `${BALANCES}/usdt`);
      assertEquals([status, Number(body.balance)], [200, 1000]);
    }
    await onB.call("POST", "/currencies", { id: "eur", name: "eur", type: "coin", precision: 8 });
    await onA.call("POST", "/markets", {
      base_unit: "eur",
      quote_unit: "usdt",
      price_precision: 2,
      amount_precision: 6,
      min_price: "0.01",
      max_price: "0",
      min_amount: "0.0001",
    });
    const order = JSON.parse(limitOrder("eurusdt", "buy", TICKS, LOTS));
    assertEquals((await venue.call(b, signer, "POST", ORDERS, order)).status, 201);
  });

  it("read each other's orders at once and publish them soon", async () => {
    await using venue = await SharedVenue.start();
    const { a, b } = venue;
    const [seller, buyer] = await venue.createMembers(2) as [VenueMember, VenueMember];

    const sold = await placeOrder(venue, a, seller, "sell");
    const { body: read } = await venue.call(
      b,
      seller.signer,
      "GET",
      `/backend/market/orders/${sold}`,
    );
    assertEquals([read.uuid, read.state], [sold, "wait"]);
    const { body: list } = await venue.call(b, seller.signer, "GET", "/backend/market/orders");
    assertEquals(list.map((order: { uuid: string }) => order.uuid), [sold]);
    const { body: balance } = await venue.call(b, seller.signer, "GET", `${BALANCES}/btc`);
    assertEquals(Number(balance.locked), 1);
    // Signed reads have updated the process; from here on it only learns from the watch.
    const bought = await placeOrder(venue, a, buyer, "buy");
    const seen = await whenPublished(venue, b, 1);
    const { body: done } = await venue.call(
      b,
      buyer.signer,
      "GET",
      `/backend/market/orders/${bought}`,
    );
    assertEquals([done.state, done.trades.length], ["done", 1]);
    const rested = await placeOrder(venue, b, buyer, "buy");
    const depth = await until(
      () => venue.market(a, "btcusdt/depth"),
      ({ body }) => body.bids.length === 1,
    );
    assertEquals(typeof rested, "string");
    diagnostic(`A trade on A was public on B after ${seen} ms`);
    diagnostic(`An order on B was in A's depth after ${Math.round(depth)} ms`);
  });

  it("accept a nonce once between them, for writes and reads", async () => {
    await using venue = await SharedVenue.start();
    const [member] = await venue.createMembers(1) as [VenueMember];
    const order = JSON.parse(limitOrder("btcusdt", "buy", TICKS, LOTS));
    const calls = [
      { method: "POST", path: ORDERS, body: order, accepted: 201 },
      { method: "GET", path: `${BALANCES}/btc`, body: undefined, accepted: 200 },
    ];
    for (let race = 0; race < NONCE_RACES; race++) {
      for (const { method, path, body, accepted } of calls) {
        const nonce = venue.nonces.take(1);
        const answers = await Promise.all(
          [venue.a, venue.b, venue.a, venue.b].map((server) =>
            venue.call(server, member.signer, method, path, body, nonce)
          ),
        );
        const refused = answers.filter(({ status }) => status !== accepted);
        assertEquals(
          refused.map((answer) => [answer.status, answer.body.errors]),
          Array(3).fill([401, ["authz.nonce_already_used"]]),
        );
      }
    }
    assertEquals((await venue.operator(venue.b).metrics()).orders, NONCE_RACES);
  });

  it("lose and double nothing while both take orders", async () => {
    await using venue = await SharedVenue.start();
    const race = new OrderRace(await venue.createMembers(MEMBERS), venue.nonces);
    const total = await totals(venue, venue.a, race);
    const start = performance.now();
    const runs = [venue.a, venue.b].map((server) => race.run(server, RACING_ORDERS));
    await Promise.race(runs);
    const late = race.answered - RACING_ORDERS;
    assert(late > FAIR_SHARE * RACING_ORDERS, `The other process has answered ${late} orders`);
    await Promise.all(runs);
    const seconds = (performance.now() - start) / 1000;
    diagnostic(`${Math.round(2 * RACING_ORDERS / seconds)} orders/s`);
    assertEquals([race.refusals, race.answered], [[], 2 * RACING_ORDERS]);
    for (const server of [venue.b, venue.a]) {
      assertEquals((await venue.operator(server).metrics()).orders, 2 * RACING_ORDERS);
      assertEquals(await totals(venue, server, race), total, "Funds came or went");
    }
    await race.verify(venue.b);
    await venue.assertAuditIsClean();
  });

  it("survive the kill of one, which finds everything on its return", async () => {
    await using venue = await SharedVenue.start();
    const race = new OrderRace(await venue.createMembers(MEMBERS), venue.nonces);
    const total = await totals(venue, venue.a, race);
    const runs = [venue.a, venue.b].map((server) => race.run(server, RACING_ORDERS));
    await until(() => Promise.resolve(race.answered), (answered) => answered >= RACING_ORDERS / 2);
    await venue.b.kill();
    await Promise.all(runs);
    const answeredBefore = race.answered;
    await race.run(venue.a, ORDERS_ALONE);
    assertEquals(race.answered, answeredBefore + ORDERS_ALONE, "The other process goes on");
    venue.b = await ServerProcess.start(venue.settings);
    assertEquals(race.refusals, []);
    await race.verify(venue.b);
    const { orders } = await venue.operator(venue.b).metrics();
    const isPossible = orders >= race.answered && orders <= race.answered + race.unanswered;
    assert(isPossible, `${orders} orders, but ${race.answered} answers`);
    assertEquals(await totals(venue, venue.b, race), total, "Funds came or went");
    await assertSameBooks(venue);
    await venue.assertAuditIsClean();
  });

  it("finish a sweep that a killed one began", async () => {
    const count = SWEPT_MEMBERS * ORDERS_PER_SWEPT_MEMBER;
    await using venue = await SharedVenue.start({
      ORDERS_PER_BULK_MAX: String(ORDERS_PER_SWEPT_MEMBER),
    });
    const members = await venue.createMembers(SWEPT_MEMBERS + 1);
    const [taker, ...makers] = members as [VenueMember, ...VenueMember[]];
    for (const maker of makers) await placeManySmall(venue, maker);
    await venue.a.kill();
    await using proxy = new FaultProxy(Number(new URL(venue.kv.url).port));
    venue.a = await ServerProcess.start({ ...venue.settings, kvPath: proxy.url });
    Deno.kill(venue.b.pid, "SIGSTOP");
    // The sweep takes seconds, and is under way when its order is answered, however late that is.
    proxy.switchTo("slow");
    const uuid = await placeOrder(venue, venue.a, taker, "buy", count * SWEPT_LOTS);
    await venue.a.kill();
    const unfinished = await venue.assertAuditIsClean();
    Deno.kill(venue.b.pid, "SIGCONT");
    const trades = Number(unfinished.get("trades"));
    diagnostic(`${trades} of ${count} trades were made before the kill`);
    assert(trades < count, "The sweep was cut short");
    const { body } = await venue.call(
      venue.b,
      taker.signer,
      "GET",
      `/backend/market/orders/${uuid}`,
    );
    assertEquals([body.state, body.trades_count, body.trades.length], ["done", count, count]);
    const finished = await venue.assertAuditIsClean();
    assertEquals([finished.get("trades"), finished.get("open orders")], [String(count), "0"]);
  });

  it("take back one that was frozen for seconds", async () => {
    await using venue = await SharedVenue.start();
    const race = new OrderRace(await venue.createMembers(MEMBERS), venue.nonces);
    const total = await totals(venue, venue.a, race);
    const runs = [venue.a, venue.b].map((server) => race.run(server, RACING_ORDERS));
    await until(() => Promise.resolve(race.answered), (answered) => answered >= RACING_ORDERS / 2);
    Deno.kill(venue.a.pid, "SIGSTOP");
    await sleep(STOPPED_MS);
    Deno.kill(venue.a.pid, "SIGCONT");
    await Promise.all(runs);
    assertEquals([race.refusals, race.answered], [[], 2 * RACING_ORDERS]);
    await race.verify(venue.a);
    assertEquals((await venue.operator(venue.a).metrics()).orders, 2 * RACING_ORDERS);
    assertEquals(await totals(venue, venue.a, race), total, "Funds came or went");
    await assertSameBooks(venue);
    await venue.assertAuditIsClean();
  });

  it("wait at the start for an absent KV server, and report the log's head", async () => {
    await using venue = await SharedVenue.start();
    const [member] = await venue.createMembers(1) as [VenueMember];
    const tells = (server: ServerProcess, event: string) =>
      until(() => Promise.resolve(server.output), (lines) => lines.includes(`"event":"${event}"`));
    await tells(venue.a, "head");
    await venue.b.kill();
    await venue.kv.kill();
    venue.b = ServerProcess.spawn(venue.settings);
    await tells(venue.b, "waiting_for_store");
    await venue.kv.restart();
    await venue.b.ready();
    const uuid = await placeOrder(venue, venue.b, member, "buy");
    assertEquals(typeof uuid, "string");
    await tells(venue.b, "head");
  });

  it("refuse while the KV server is down, and recover with it", async () => {
    await using venue = await SharedVenue.start();
    const { kv } = venue;
    await outlive(venue, () => kv.kill(), () => kv.restart());
  });

  it("recover too when it was frozen and then takes old requests", async () => {
    await using venue = await SharedVenue.start();
    const { kv } = venue;
    await outlive(venue, () => kv.freeze(), () => kv.thaw());
  });
});

/** Loses the KV server under load for a while; reports how soon orders are accepted again. */
async function outlive(
  venue: SharedVenue,
  lose: () => void | Promise<void>,
  regain: () => void | Promise<void>,
): Promise<void> {
  const race = new OrderRace(await venue.createMembers(MEMBERS), venue.nonces);
  const total = await totals(venue, venue.a, race);
  const runs = [venue.a, venue.b].map((server) => race.run(server, RACING_ORDERS));
  await until(() => Promise.resolve(race.answered), (answered) => answered >= RACING_ORDERS / 2);
  await lose();
  await sleep(AWAY_MS);
  const answeredBefore = race.answered;
  await regain();
  const all = Promise.all(runs);
  const isBack = until(
    () => Promise.resolve(race.answered),
    (answered) => answered > answeredBefore,
  );
  diagnostic(`Orders are taken again ${Math.round(await isBack)} ms after its return`);
  await all;
  await Promise.all([venue.a.ready(), venue.b.ready()]);
  const unknown = race.refusals.filter((refusal) => refusal.startsWith("504 "));
  const refused = race.refusals.filter((refusal) => refusal.startsWith("503 "));
  diagnostic(`${refused.length} times 503, ${unknown.length} times 504`);
  assertEquals(unknown.length + refused.length, race.refusals.length);
  const { orders } = await venue.operator(venue.b).metrics();
  const isPossible = orders >= race.answered && orders <= race.answered + unknown.length;
  assert(isPossible, `${orders} orders, but ${race.answered} answers`);
  await race.verify(venue.b);
  assertEquals(await totals(venue, venue.a, race), total, "Funds came or went");
  await assertSameBooks(venue);
  await venue.assertAuditIsClean();
}

/** Places an order at the middle price; returns its uuid. */
async function placeOrder(
  venue: SharedVenue,
  server: ServerProcess,
  { signer }: VenueMember,
  side: "buy" | "sell",
  lots: number = LOTS,
): Promise<string> {
  const order = JSON.parse(limitOrder("btcusdt", side, TICKS, lots));
  const { status, body } = await venue.call(server, signer, "POST", ORDERS, order);
  assertEquals([status, body.state], [201, "pending"]);
  return body.uuid;
}

async function placeManySmall(venue: SharedVenue, { signer }: VenueMember): Promise<void> {
  const order = JSON.parse(limitOrder("btcusdt", "sell", TICKS, SWEPT_LOTS));
  const orders = Array(ORDERS_PER_SWEPT_MEMBER).fill(order);
  const { status } = await venue.call(
    venue.a,
    signer,
    "POST",
    "/trading/market/bulk/orders",
    orders,
  );
  assertEquals(status, 201);
}

/** Waits until all public data include the trades; returns the elapsed ms of each by name. */
async function whenPublished(
  venue: SharedVenue,
  server: ServerProcess,
  trades: number,
): Promise<string> {
  const waits = {
    depth: [({ asks }: { asks: unknown[] }) => asks.length === 0, "btcusdt/depth"],
    trades: [(list: unknown[]) => list.length === trades, "btcusdt/trades"],
    ticker: [
      ({ ticker }: { ticker: { last: string } }) => Number(ticker.last) === TICKS / 100,
      "btcusdt/tickers",
    ],
    kLine: [(candles: unknown[]) => candles.length > 0, "btcusdt/k-line"],
  } as const;
  const times = await Promise.all(
    Object.entries(waits).map(async ([name, [isSeen, path]]) => {
      const ms = await until(
        () => venue.market(server, path),
        ({ body }) => isSeen(body),
      );
      return `${name} ${Math.round(ms)}`;
    }),
  );
  return times.join(", ");
}

function totals(
  { nonces }: SharedVenue,
  server: ServerProcess,
  { members }: OrderRace,
): Promise<Record<string, bigint>> {
  return balanceTotals(server, members.map(({ signer }) => ({ signer, nonces })));
}

/** Waits until both processes publish the same books. */
async function assertSameBooks(venue: SharedVenue): Promise<void> {
  for (const market of ["btcusdt", "ethusdt", "ethbtc"]) {
    const path = `${market}/order-book?asks_limit=1000&bids_limit=1000`;
    const books = () => Promise.all([venue.a, venue.b].map((one) => venue.market(one, path)));
    await until(books, ([a, b]) => JSON.stringify(a) === JSON.stringify(b));
  }
}
