/**
 * A client's book is the venue's whenever that is still, whatever happens to the book and to the
 * connection. `BOOK_COMMANDS=100000` does more, `KVENUE_TEST_SEED` draws others.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Book } from "../../../src/client/streams/book.ts";
import { Venue } from "../../../src/client/venue.ts";
import type { Command, OrderRequest } from "../../../src/domain/command.ts";
import type { Engine } from "../../../src/engine/engine.ts";
import { FaultProxy } from "../../e2e/fault_proxy.ts";
import { units } from "../../support/domain_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { Prng } from "../../support/prng.ts";
import { withServedVenue } from "../../support/served_venue.ts";

const COMMANDS = Number(Deno.env.get("BOOK_COMMANDS") ?? 5_000);
const SEED = Number(Deno.env.get("KVENUE_TEST_SEED") ?? Date.now() % 2 ** 31);
const CUTS = COMMANDS < 20_000 ? 5 : 20;
/** How often the venue stands still, so that the books can be compared. */
const STOPS = 2 * CUTS;
/** Commands under way at once. */
const AT_ONCE = 40;
const MARKET = "btcusdt";
const TRADERS = ["IDA11CE00001", "IDB0B0000001"];
/** Cents from the middle to the furthest price; more levels than the stream tells of. */
const SPREAD = 600;

describe(`a client's book, KVENUE_TEST_SEED=${SEED}`, () => {
  it("is the venue's whenever that is still, after any commands and cuts", async () => {
    await withServedVenue(async ({ venue, url, faults }) => {
      await using link = new FaultProxy(Number(new URL(url).port));
      const direct = new Venue(url);
      const reader = new Venue(link.url);
      const told = { down: 0, lost: 0, most: 0 };
      reader.listen(`${MARKET}.ob-levels`, { onMessage: () => {}, onDown: () => told.down += 1 });
      const book = reader.book(MARKET, {
        onChange: ({ asks, bids }) => told.most = Math.max(told.most, asks.length, bids.length),
        onLost: () => told.lost += 1,
      });
      await eventually("the empty book", () => book.isKnown);
      const trading = new RandomTrading(venue.engine, venue.clock, new Prng(SEED));
      for (let stop = 1; stop <= STOPS; stop++) {
        const isCut = stop % 2 === 0;
        await trading.run(COMMANDS / STOPS / 2);
        if (isCut) link.switchTo("cut");
        await trading.run(COMMANDS / STOPS / 2, () => link.switchTo("open"));
        await assertSame(book, direct);
      }
      assertEquals(told.down, CUTS, "as often as it was cut off");
      // A checksum that is not the book's, or a message that is missing, would have lost it, too.
      assertEquals(told.lost, CUTS, "only then is it not known");
      assert(COMMANDS < 20_000 || told.most === 300, `${told.most} levels`);
      assert(trading.trades > COMMANDS / 50, `${trading.trades} trades`);
      reader.close();
      assertEquals(faults, []);
    });
  });
});

/** Random orders and cancels of two members around a price that wanders. */
class RandomTrading {
  readonly #engine: Engine;
  readonly #clock: { now: number };
  readonly #prng: Prng;
  readonly #market: number;
  /** In cents. */
  #middle = 20_000_00;

  constructor(engine: Engine, clock: { now: number }, prng: Prng) {
    this.#engine = engine;
    this.#clock = clock;
    this.#prng = prng;
    this.#market = engine.venue.bookById.get(MARKET)?.market.index ?? -1;
  }

  get trades(): number {
    return this.#engine.venue.counters.trades;
  }

  /** Gives so many commands; calls back when half of them are done. */
  async run(count: number, onHalf: () => void = () => {}): Promise<void> {
    for (let done = 0; done < count; done += AT_ONCE) {
      const size = Math.min(AT_ONCE, count - done);
      const answers = Array.from({ length: size }, () => {
        this.#clock.now += 1;
        return this.#engine.submit(this.#command(), null);
      });
      await Promise.all(answers);
      // Whoever listens gets a turn.
      await new Promise((resolve) => setTimeout(resolve));
      if (done < count / 2 && done + AT_ONCE >= count / 2) onHalf();
    }
  }

  #command(): Command {
    const prng = this.#prng;
    this.#middle += prng.between(-8, 8);
    const uid = prng.pick(TRADERS);
    const holder = this.#engine.venue.holderByUid.get(uid);
    const member = holder?.member.index ?? -1;
    if (prng.chance(0.002)) {
      const side = prng.pick(["buy", "sell", null] as const);
      return { kind: "cancel_all_orders", member, market: this.#market, side };
    }
    const open = Array.from(holder?.openOrders.values() ?? [], ({ id }) => id);
    if (prng.chance(open.length / 2_500)) {
      const id = prng.pick(open);
      return { kind: "cancel_orders", member, names: [{ id }], strict: true, isKnown: false };
    }
    const count = prng.chance(0.1) ? prng.between(2, 8) : 1;
    return {
      kind: "place_orders",
      member,
      orders: Array.from({ length: count }, () => this.#order()),
    };
  }

  #order(): OrderRequest {
    const prng = this.#prng;
    const side = prng.pick(["buy", "sell"] as const);
    const isCrossing = prng.chance(0.1);
    const away = isCrossing ? -prng.below(60) : prng.below(SPREAD);
    const cents = this.#middle + (side === "buy" ? -away : away);
    const type = prng.pick(["limit", "limit", "limit", "post_only"] as const);
    const timeInForce = type === "limit" && prng.chance(0.05) ? "ioc" : "gtc";
    return {
      market: this.#market,
      side,
      type,
      timeInForce,
      selfTrade: prng.pick(["cancel_newest", "cancel_oldest", "cancel_both", "none"]),
      amount: BigInt(prng.between(1, isCrossing ? 400 : 40)) * units("0.0001"),
      price: BigInt(cents) * units("0.01"),
      triggerPrice: 0n,
      clientOrderId: "",
    };
  }
}

/** Waits until the book is what the venue answers, which is still. */
async function assertSame(book: Book, venue: Venue): Promise<void> {
  const path = { market: MARKET };
  const depth = await venue.get("/api/v2/backend/public/markets/{market}/depth", { path });
  const answered = JSON.stringify([depth.asks, depth.bids]);
  const isSame = () => JSON.stringify([[...book.asks].reverse(), book.bids]) === answered;
  await eventually("the book as the venue answers it", isSame);
}
