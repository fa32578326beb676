import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Order, UNPLACED } from "../../../src/domain/trading/order.ts";
import { isQueued, orderResults } from "../../../src/domain/trading/order_result.ts";
import { type MemberTrade, sidesOf } from "../../../src/domain/trading/trade_record.ts";
import { makerTradeOf, takerTradeOf } from "../../../src/domain/trading/trade_record.ts";
import { DomainVenue } from "../../support/domain_venue.ts";
import { Prng } from "../../support/prng.ts";
import {
  randomCommand,
  STREAM_FUNDS,
  STREAM_MEMBERS,
  streamVenue,
} from "../../support/random_command.ts";
import { runRandomCommand } from "../../support/run_random_command.ts";
import type { RecordedEvent } from "../../support/test_sink.ts";

const COMMANDS = 4_000;
/** An entry ends after one event in so many. */
const EVENTS_PER_ENTRY = 25;

/** Returns an order without its places, in the state that is shown. */
function shown(order: Order): Order {
  return {
    ...order,
    ...UNPLACED,
    priority: 0,
    state: isQueued(order) ? "pending" : order.state,
  };
}

function tradesIn(events: readonly RecordedEvent[], id: number): MemberTrade[] {
  return events.flatMap(({ event, at }) => {
    if (event.kind !== "trade") return [];
    const sides = [...sidesOf(makerTradeOf(event, at)), takerTradeOf(event, at)];
    return sides.filter(({ orderId }) => orderId === id).slice(0, 1);
  });
}

function acceptedIn(events: readonly RecordedEvent[]): number[] {
  return events.flatMap(({ event }) => event.kind === "order_accepted" ? [event.id] : []);
}

/** Compares what the last events tell of the orders that they accept with the venue's state. */
function compare({ sink, venue, order }: DomainVenue, start: number): number {
  const recorded = sink.events.slice(start);
  const ids = acceptedIn(recorded);
  const events = recorded.map(({ event }) => event);
  const first = venue.sequence - events.length + 1;
  const results = orderResults({ events, first, at: sink.at }, new Set(ids), venue);
  assertEquals([...results.keys()], ids);
  for (const [id, result] of results) {
    const actual = venue.orders.get(id) ?? venue.endedOrders.find((one) => one.id === id);
    assertEquals({ ...result.order, priority: 0 }, shown(actual ?? order(id)));
    assertEquals(result.trades, tradesIn(recorded, id));
  }
  return ids.length;
}

describe("what becomes of orders in their entry", () => {
  it("is the venue's state at its end, wherever the entry ends", () => {
    const test = streamVenue();
    const random = new Prng(1);
    const draw = (below: number) => random.below(below);
    for (const member of STREAM_MEMBERS) {
      for (const [currency, amount] of Object.entries(STREAM_FUNDS)) {
        test.must({ kind: "adjust_balance", uid: member, currency, amount });
      }
    }
    let start = test.sink.events.length;
    let compared = 0;
    test.sink.onEvent = () => {
      if (draw(EVENTS_PER_ENTRY) > 0) return;
      // A refused bulk takes its events back.
      compared += compare(test, Math.min(start, test.sink.events.length - 1));
      start = test.sink.events.length;
    };
    for (let i = 0; i < COMMANDS; i++) runRandomCommand(test, randomCommand(draw, test.venue));
    assertEquals(compared > COMMANDS / 8, true, String(compared));
  });

  it("leaves out orders that nobody asks for, or that the entry does not accept", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("alice", { usdt: "100" });
    const { id } = test.buy("alice", "1", "10");
    const other = test.buy("alice", "1", "10");
    test.cancel("alice", id);
    const resultsOf = (count: number) => {
      const events = test.sink.events.slice(-count).map(({ event }) => event);
      const entry = { events, first: test.venue.sequence - count + 1, at: test.sink.at };
      return [...orderResults(entry, new Set([id]), test.venue).keys()];
    };
    assertEquals(other.id, id + 1);
    assertEquals([resultsOf(1), resultsOf(3)], [[], [id]]);
  });

  it("is pending while matching goes on", () => {
    const test = new DomainVenue().withMarket("btc", "usdt").withMember("alice", { usdt: "100" })
      .withMember("bob", { btc: "10" });
    for (let i = 0; i < 3; i++) test.sell("bob", "1", "10");
    const start = test.sink.events.length;
    const { id } = test.buy("alice", "3", "10");
    const states = [1, 2, 3, 4].map((count) => {
      const events = test.sink.events.slice(start, start + count).map(({ event }) => event);
      const entry = { events, first: test.venue.sequence - 3, at: test.sink.at };
      const { order, trades } = orderResults(entry, new Set([id]), test.venue).get(id) ?? {};
      return [order?.state, trades?.length];
    });
    assertEquals(states, [["pending", 0], ["pending", 1], ["pending", 2], ["done", 3]]);
  });
});
