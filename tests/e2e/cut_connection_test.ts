/** A venue process whose connection to the KV server fails under load; needs `denokv`. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { diagnostic } from "../support/diagnostic.ts";
import { describeUnless } from "../support/unless.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { ServerProcess } from "../bench/load/server_process.ts";
import type { VenueMember } from "../bench/load/venue_setup.ts";
import { limitOrder, RandomStream, restingOrder } from "../bench/load/workloads.ts";
import { balanceTotals } from "./balance_totals.ts";
import { FaultProxy, type ProxyMode } from "./fault_proxy.ts";
import { hasKvServer } from "./kv_server.ts";
import { SharedVenue, until } from "./shared_venue.ts";

const isSkipped = !hasKvServer();
const WHY = isSkipped ? " (skipped: `denokv` is not on the PATH)" : "";

const MARKET = "btcusdt";
const MEMBERS = 4;
const WORKERS = 4;
const PAUSE_MS = 20;
const FAULT_MS = 3000;
const ORDERS_BEFORE = 60;
const ORDERS_AFTER = 60;
const TRADING_SHARE = 0.2;
const MIDDLE_TICKS = 30_000;
const LOTS = 10_000;
const PAGE_ORDERS = 1000;
/** Fewer bytes than any order's commit sends to the KV server or gets back. */
const ORDER_BYTES_MIN = 10;
const SCALE = 16;

const FAULTS = [
  ["cut", "is cut, and new connections too"],
  ["black hole", "swallows all bytes for a while"],
  ["lost answers", "brings requests there, and no answers back"],
  ["slow", "is slow"],
] as const;

interface ListedOrder {
  readonly uuid: string;
  readonly client_order_id: string;
  readonly side: string;
  readonly state: string;
  readonly price: string;
  readonly remaining_volume: string;
}

describeUnless(isSkipped)(`a process on a failing connection to the KV server${WHY}`, () => {
  for (const [mode, name] of FAULTS) {
    it(`loses and doubles nothing when it ${name}`, async () => {
      await using venue = await SharedVenue.start();
      await using proxy = new FaultProxy(Number(new URL(venue.kv.url).port));
      await venue.b.kill();
      venue.b = await ServerProcess.start({ ...venue.settings, kvPath: proxy.url });
      const load = new NamedOrders(venue, await venue.createMembers(MEMBERS));
      const total = await load.totals(venue.a);
      await load.during(() => suffer(venue, proxy, load, mode));
      diagnostic(load.summary());
      await verify(venue, load);
      assertEquals(await load.totals(venue.b), total, "Funds came or went");
      await venue.assertAuditIsClean();
    });
  }

  it("reconnects when all its connections silently die for good", async () => {
    await using venue = await SharedVenue.start();
    await using proxy = new FaultProxy(Number(new URL(venue.kv.url).port));
    await venue.b.kill();
    venue.b = await ServerProcess.start({ ...venue.settings, kvPath: proxy.url });
    const load = new NamedOrders(venue, await venue.createMembers(MEMBERS));
    const taken = (count: number) =>
      until(() => Promise.resolve(load.taken(venue.b)), (orders) => orders >= count);
    await load.during(async () => {
      await taken(ORDERS_BEFORE);
      proxy.deaden();
      const back = await taken(load.taken(venue.b) + ORDERS_AFTER);
      diagnostic(
        `${ORDERS_AFTER} orders were taken in the ${Math.round(back)} ms after it`,
      );
    });
    await verify(venue, load);
    await venue.assertAuditIsClean();
  });
});

/** Sends orders to both processes before, during and after a fault. */
async function suffer(
  venue: SharedVenue,
  proxy: FaultProxy,
  load: NamedOrders,
  mode: ProxyMode,
): Promise<void> {
  const taken = (server: ServerProcess, count: number) =>
    until(() => Promise.resolve(load.taken(server)), (orders) => orders >= count);
  await taken(venue.b, ORDERS_BEFORE);
  await taken(venue.a, ORDERS_BEFORE);
  const { requestBytes, answerBytes } = proxy;
  const bytesMin = load.taken(venue.b) * ORDER_BYTES_MIN;
  assert(Math.min(requestBytes, answerBytes) > bytesMin, "Data go another way");
  const before = load.taken(venue.a);
  proxy.switchTo(mode);
  await sleep(FAULT_MS);
  const lost = () => Promise.resolve(proxy.swallowedBytes + proxy.cutConnections);
  if (mode !== "slow") await until(lost, (count) => count > 0);
  proxy.switchTo("open");
  const { swallowedBytes, cutConnections } = proxy;
  const back = await taken(venue.b, load.taken(venue.b) + ORDERS_AFTER);
  await taken(venue.a, before + ORDERS_AFTER);
  diagnostic(
    `${mode}: ${swallowedBytes} bytes swallowed, ${cutConnections} connections cut; ` +
      `${ORDERS_AFTER} orders were taken in the ${Math.round(back)} ms after it`,
  );
}

/** Asserts that both processes know exactly the answered orders, and lock what open orders need. */
async function verify(venue: SharedVenue, load: NamedOrders): Promise<void> {
  assertEquals(load.unexpected, []);
  for (const server of [venue.a, venue.b]) {
    const listed: ListedOrder[] = [];
    for (const member of load.members) {
      const orders = await listOrders(venue, server, member);
      assertEquals(await lockedFunds(venue, server, member), lockedBy(orders));
      listed.push(...orders);
    }
    load.compare(listed);
    const { orders } = await venue.operator(server).metrics();
    assertEquals(orders, listed.length);
  }
}

/** Orders with client order ids, sent to both processes concurrently, and their answers. */
class NamedOrders {
  /** Answers other than 201, 503 and 504. */
  readonly unexpected: string[] = [];
  readonly #accepted = new Map<string, string>();
  readonly #refused = new Set<string>();
  readonly #unknown = new Set<string>();
  readonly #taken = new Map<ServerProcess, number>();
  readonly #random = new RandomStream(1);
  #count = 0;
  #isOver = false;

  constructor(readonly venue: SharedVenue, readonly members: readonly VenueMember[]) {}

  /** Returns how many orders a process answered with 201. */
  taken(server: ServerProcess): number {
    return this.#taken.get(server) ?? 0;
  }

  /** Sends orders to both processes while `work` runs. */
  async during(work: () => Promise<void>): Promise<void> {
    const servers = [this.venue.a, this.venue.b];
    const workers = servers.flatMap((server) =>
      Array.from({ length: WORKERS }, () => this.#send(server))
    );
    try {
      await work();
    } finally {
      this.#isOver = true;
      await Promise.all(workers);
    }
  }

  /** Asserts that each 201 exists once, each 503 never, each 504 at most once, nothing else. */
  compare(listed: readonly ListedOrder[]): void {
    const found = new Map(listed.map((order) => [order.client_order_id, order.uuid]));
    assertEquals(found.size, listed.length, "An order is there twice");
    const lost = [...this.#accepted].filter(([name, uuid]) => found.get(name) !== uuid);
    assertEquals(lost, [], "Orders that were answered are lost");
    const landed = [...this.#refused].filter((name) => found.has(name));
    assertEquals(landed, [], "Orders that were refused are there");
    const strange = [...found.keys()].filter((name) =>
      !this.#accepted.has(name) && !this.#unknown.has(name)
    );
    assertEquals(strange, [], "Orders are there that nobody was told of");
  }

  summary(): string {
    return `${this.#accepted.size} times 201, ${this.#refused.size} times 503, ` +
      `${this.#unknown.size} times 504`;
  }

  totals(server: ServerProcess): Promise<Record<string, bigint>> {
    const { nonces } = this.venue;
    return balanceTotals(server, this.members.map(({ signer }) => ({ signer, nonces })));
  }

  async #send(server: ServerProcess): Promise<void> {
    while (!this.#isOver) {
      const name = `order-${this.#count++}`;
      const member = this.members[this.#count % this.members.length] as VenueMember;
      const order = { ...this.#order(), client_order_id: name };
      const path = "/trading/market/orders";
      const { status, body } = await this.venue.call(server, member.signer, "POST", path, order);
      const [error] = body.errors ?? [];
      if (status === 201) {
        this.#accepted.set(name, body.uuid);
        this.#taken.set(server, this.taken(server) + 1);
      } else if (status === 503) this.#refused.add(name);
      else if (status === 504 && error === "server.outcome_unknown") this.#unknown.add(name);
      else this.unexpected.push(`${status} ${JSON.stringify(body)}`);
      await sleep(PAUSE_MS);
    }
  }

  #order(): Record<string, unknown> {
    const side = this.#random.next() < 0.5 ? "buy" : "sell";
    const isResting = this.#random.next() >= TRADING_SHARE;
    if (isResting) return JSON.parse(restingOrder(this.#random, MARKET, side));
    const ticks = side === "buy" ? 2 * MIDDLE_TICKS : MIDDLE_TICKS / 2;
    return JSON.parse(limitOrder(MARKET, side, ticks, LOTS));
  }
}

async function listOrders(
  venue: SharedVenue,
  server: ServerProcess,
  { signer }: VenueMember,
): Promise<ListedOrder[]> {
  const orders: ListedOrder[] = [];
  for (let page = 1;; page++) {
    const path = `/backend/market/orders?limit=${PAGE_ORDERS}&page=${page}`;
    const { status, body } = await venue.call(server, signer, "GET", path);
    assertEquals(status, 200, JSON.stringify(body));
    orders.push(...body);
    if (body.length < PAGE_ORDERS) return orders;
  }
}

async function lockedFunds(
  venue: SharedVenue,
  server: ServerProcess,
  { signer }: VenueMember,
): Promise<Record<string, bigint>> {
  const locked: Record<string, bigint> = {};
  for (const currency of ["btc", "usdt"]) {
    const path = `/backend/account/balances/${currency}`;
    const { status, body } = await venue.call(server, signer, "GET", path);
    assertEquals(status, 200, JSON.stringify(body));
    locked[currency] = units(String(body.locked));
  }
  return locked;
}

function lockedBy(orders: readonly ListedOrder[]): Record<string, bigint> {
  const locked = { btc: 0n, usdt: 0n };
  for (const { side, state, price, remaining_volume } of orders) {
    if (state !== "wait") continue;
    const volume = units(remaining_volume);
    if (side === "sell") locked.btc += volume;
    else locked.usdt += volume * units(price) / 10n ** BigInt(SCALE);
  }
  return locked;
}

/** Parses a decimal into units of 1e-16, independently of the venue's code. */
function units(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(SCALE, "0"));
}
