/** History at every stage of the fold, against a replay of the log. `MOMENT_ROUNDS=60` is long. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Order } from "../../../src/domain/trading/order.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { plainOrder, PlainRecord } from "../../support/plain_record.ts";
import { Prng } from "../../support/prng.ts";
import { STREAM_MEMBERS } from "../../support/random_command.ts";

const ROUNDS = Number(Deno.env.get("MOMENT_ROUNDS") ?? 7);
const COMMANDS = 250;
/** Maximum number of steps of a window before the held one. */
const HELD_STEPS_MAX = 3;
const FUNDS = 1000n;
const ALL = { offset: 0, limit: 100_000 } as const;
const DIRECTIONS = ["asc", "desc"] as const;
const MOMENTS = [
  "unfolded",
  "amid a fold",
  "amid a fold, with more behind it",
  "while it is folded",
  "folded",
  "restarted",
  "restarted amid a fold",
] as const;
type Moment = typeof MOMENTS[number];

/** A venue on a file, and how often a fold was caught within a window. */
class Moments {
  caught = 0;

  constructor(readonly path: string, readonly prng: Prng, public test: EngineVenue) {}

  /** Runs commands until a moment is reached. */
  async reach(moment: Moment): Promise<void> {
    const { store } = this.test;
    switch (moment) {
      case "unfolded":
        store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
        return await this.#run();
      case "amid a fold":
        return await this.#holdFold();
      case "amid a fold, with more behind it":
        await this.#holdFold();
        return await this.#run();
      case "while it is folded":
        store.plan = (purpose) => purpose === "fold" ? "slow" : "none";
        await this.#run();
        return await this.test.foldedSteps(1);
      case "folded":
        await this.#run();
        return await this.test.folded();
      case "restarted":
        await this.#run();
        return await this.#restart();
      case "restarted amid a fold":
        await this.#holdFold();
        // The held step is written, the later ones are not.
        store.release();
        store.crash();
        return await this.#restart();
    }
  }

  async #run(): Promise<void> {
    await runStream(this.test, this.prng, COMMANDS);
  }

  /** Holds one of the first steps of the next window. */
  async #holdFold(): Promise<void> {
    const { engine, store } = this.test;
    const held = store.commits.fold + this.prng.between(1, HELD_STEPS_MAX);
    store.plan = (purpose, count) => purpose === "fold" && count === held ? "hold" : "none";
    await this.#run();
    const isHeldOrOver = () => store.held > 0 || engine.metrics().unfolded_events === 0;
    await eventually("a fold that is held, or at its end", isHeldOrOver);
    this.caught += store.held;
  }

  async #restart(): Promise<void> {
    await this.test.close();
    this.test = await EngineVenue.open({ path: this.path });
  }
}

/** Serializes a value; the order of its fields must be the same wherever it is read from. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, one) => typeof one === "bigint" ? `${one}n` : one);
}

/** Compares every order with its trades, and all lists, complete and filtered. */
async function assertAsReplayed(test: EngineVenue, record: PlainRecord, what: string) {
  const { engine } = test;
  for (const uid of STREAM_MEMBERS) {
    const member = test.member(uid);
    const orders = record.orders.filter((order) => order.member === member);
    const trades = record.tradesOf(member);
    for (const order of orders) await assertOrder(test, order, record, `${what}, ${uid}`);
    for (const direction of DIRECTIONS) {
      const inOrder = <T>(items: readonly T[]) =>
        text(direction === "asc" ? items : items.toReversed());
      const all = await engine.orders(member, {}, { ...ALL, direction });
      assertEquals(text(all.items.map(plainOrder)), inOrder(orders.map(plainOrder)), what);
      assertEquals(all.total, orders.length, what);
      const states = new Set(["cancel"] as const);
      const some = await engine.orders(member, { states }, { offset: 0, limit: 50, direction });
      const cancelled = orders.filter(({ state }) => state === "cancel");
      const page = direction === "asc" ? cancelled.slice(0, 50) : cancelled.slice(-50);
      assertEquals(text(some.items.map(plainOrder)), inOrder(page.map(plainOrder)), what);
      const own = await engine.trades(member, {}, { ...ALL, direction });
      assertEquals(text(own.items), inOrder(trades), what);
      assertEquals(own.total, trades.length, what);
    }
  }
}

async function assertOrder(
  test: EngineVenue,
  order: Order,
  record: PlainRecord,
  what: string,
): Promise<void> {
  const { id, member } = order;
  const found = await test.engine.order(member, id);
  if (found === null) throw new Error(`${what}: no order ${id}`);
  assertEquals(text(plainOrder(found)), text(plainOrder(order)), what);
  const trades = record.tradesOfOrder(id);
  assertEquals(
    text(await test.engine.orderTrades(member, found, (one) => one)),
    text(trades),
    `${what}, ${id}`,
  );
}

describe("the past of a venue", () => {
  it("is what a replay of its log gives, at any moment of the fold", async () => {
    const seed = Date.now();
    await using file = await VenueFile.create();
    const { path } = file;
    const moments = new Moments(path, new Prng(seed), await EngineVenue.open({ path }));
    try {
      await addStream(moments.test, FUNDS);
      const record = new PlainRecord();
      const isSpread = ({ tradesCount, firstTrade, lastTrade }: Order) =>
        tradesCount > 1 && lastTrade - firstTrade > COMMANDS / 4;
      const isDone = () => moments.caught > 0 && record.orders.some(isSpread);
      // The stream may need some more rounds to contain what is looked for.
      for (let round = 0; round < ROUNDS || (round < 4 * ROUNDS && !isDone()); round++) {
        const moment = MOMENTS[round % MOMENTS.length] as Moment;
        await moments.reach(moment);
        const { test } = moments;
        await record.follow(test.store);
        await assertAsReplayed(test, record, `seed ${seed}, round ${round}, ${moment}`);
        test.store.release();
      }
      assert(moments.caught > 0, "No fold was caught amid its window");
      assert(record.orders.some(isSpread), "No order traded in several windows");
      const hasOwn = record.orders.some(({ member }) => {
        const trades = record.tradesOf(member);
        return new Set(trades.map(({ id }) => id)).size < trades.length;
      });
      assert(hasOwn, "Nobody traded with itself");
    } finally {
      moments.test.store.release();
      await moments.test.close();
    }
  });
});
