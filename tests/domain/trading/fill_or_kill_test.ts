import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ORDER_LOTS_MAX } from "../../../src/domain/limits.ts";
import { formatInteger } from "../../../src/domain/money/money.ts";
import { MemberOrders } from "../../../src/domain/trading/open_orders.ts";
import type { Order } from "../../../src/domain/trading/order.ts";
import { DomainVenue, type OrderText } from "../../support/domain_venue.ts";

const FOK = { timeInForce: "fok" } as const;
const OTHER = { buy: "sell", sell: "buy" } as const;

/** @param capacity events of a batch */
function market(capacity = Infinity): DomainVenue {
  const funds = { btc: "1000", usdt: "1000000" };
  return new DomainVenue(capacity).withMarket("btc", "usdt")
    .withMember("ann", funds).withMember("ben", funds);
}

type Side = keyof typeof OTHER;

/** Returns a price that is `ticks` worse than the best one for a taker of this side. */
function worse(side: Side, ticks: number): string {
  return ((10_000 + (side === "buy" ? ticks : -ticks)) / 100).toFixed(2);
}

function place(test: DomainVenue, uid: string, order: OrderText): Order {
  return order.side === "sell"
    ? test.sell(uid, order.amount, order.price ?? "0", order)
    : test.buy(uid, order.amount, order.price ?? "0", order);
}

/** Returns the outcome of ben's fill-or-kill order, two ticks beyond the best price. */
function fate(
  test: DomainVenue,
  side: Side,
  amount: string,
  extra: Partial<OrderText> = {},
): string {
  const taker = place(test, "ben", { side, amount, price: worse(side, 2), ...FOK, ...extra });
  return taker.state === "cancel" ? taker.reason : taker.state;
}

for (const side of ["buy", "sell"] as const) {
  describe(`a fill-or-kill order to ${side}`, () => {
    /** Places a maker's order of one coin. */
    function rest(test: DomainVenue, uid: string, ticks: number): void {
      place(test, uid, { side: OTHER[side], amount: "1", price: worse(side, ticks) });
    }

    it("fills from exactly the levels within its price", () => {
      for (const [amount, expected] of [["3", "done"], ["3.000001", "not_fillable"]] as const) {
        const test = market();
        for (const ticks of [0, 1, 2, 3]) rest(test, "ann", ticks);
        assertEquals(fate(test, side, amount), expected, amount);
      }
    });

    it("fills only from orders before the first of its own member, even within a level", () => {
      for (const selfTrade of ["cancel_newest", "cancel_both"] as const) {
        for (const [amount, expected] of [["2", "done"], ["2.000001", "not_fillable"]] as const) {
          const test = market();
          for (const uid of ["ben", "ann"]) rest(test, uid, 2);
          rest(test, "ann", 0);
          for (const uid of ["ann", "ben", "ann", "ben"]) rest(test, uid, 1);
          assertEquals(fate(test, side, amount, { selfTrade }), expected, `${selfTrade} ${amount}`);
        }
      }
    });

    it("fills from all but its own member's orders if those are cancelled", () => {
      const selfTrade = "cancel_oldest";
      for (const [amount, expected] of [["2", "done"], ["2.000001", "not_fillable"]] as const) {
        const test = market();
        for (const uid of ["ben", "ann", "ben", "ann"]) rest(test, uid, 1);
        for (const uid of ["ann", "ben"]) rest(test, uid, 3);
        assertEquals(fate(test, side, amount, { selfTrade }), expected, amount);
      }
    });

    it("counts exactly even if the skipped orders exceed a safe integer of lots", () => {
      const lots = [...Array<number>(999).fill(ORDER_LOTS_MAX), ORDER_LOTS_MAX - 2];
      const amounts = lots.map((count) => formatInteger(count, 6));
      for (const [amount, expected] of [["1", "done"], ["2", "not_fillable"]] as const) {
        const test = market();
        test.fund("ben", "btc", "11000000000");
        test.fund("ben", "usdt", "1100000000000");
        place(test, "ann", { side: OTHER[side], amount: "0.000001", price: worse(side, 0) });
        for (const [i, own] of amounts.entries()) {
          place(test, "ben", {
            side: OTHER[side],
            amount: own,
            price: worse(side, i < 900 ? 1 : 2),
          });
        }
        assertEquals(
          fate(test, side, `0.00000${amount}`, { selfTrade: "cancel_oldest" }),
          expected,
          amount,
        );
      }
    });

    it("fills from its own member's orders if it may trade with them", () => {
      const test = market();
      for (const uid of ["ben", "ann"]) rest(test, uid, 1);
      assertEquals(fate(test, side, "2", { selfTrade: "none" }), "done");
    });

    it("ignores its member's stops, same-side orders and other markets", () => {
      for (const selfTrade of ["cancel_newest", "cancel_oldest"] as const) {
        const test = market().withMarket("eth", "usdt");
        test.fund("ben", "eth", "10");
        place(test, "ben", { side, amount: "1", price: worse(side, -5) });
        place(test, "ben", {
          market: "ethusdt",
          side: OTHER[side],
          amount: "1",
          price: worse(side, 1),
        });
        rest(test, "ann", 1);
        place(test, "ben", {
          side: OTHER[side],
          type: "stop_limit",
          amount: "1",
          price: worse(side, 1),
          trigger: worse(side, -900),
        });
        assertEquals(fate(test, side, "1", { selfTrade }), "done", selfTrade);
      }
    });

    it("cancels its member's orders without asking again after each whether it can fill", () => {
      const test = market();
      for (let i = 0; i < 50; i++) rest(test, "ben", 1);
      rest(test, "ann", 2);
      const { values } = MemberOrders.prototype;
      let walks = 0;
      MemberOrders.prototype.values = function () {
        walks += 1;
        return values.call(this);
      };
      try {
        assertEquals(fate(test, side, "1", { selfTrade: "cancel_oldest" }), "done");
        assertEquals(walks, 1);
      } finally {
        MemberOrders.prototype.values = values;
      }
      assertEquals(test.venue.orders.size, 0);
    });

    it("cancels no more of its member's orders at once than a batch takes", () => {
      const test = market(3);
      for (let i = 0; i < 8; i++) rest(test, "ben", 1);
      rest(test, "ann", 2);
      test.sink.nextBatch();
      let begun = test.sink.events.length;
      const { nextBatch } = test.sink;
      test.sink.nextBatch = function () {
        assert(this.events.length - begun <= 3, "a batch is not overfull");
        begun = this.events.length;
        nextBatch.call(this);
      };
      assertEquals(fate(test, side, "1", { selfTrade: "cancel_oldest" }), "done");
    });

    it("is refused without looking at individual orders", () => {
      const test = market();
      for (const uid of ["ann", "ann", "ann"]) rest(test, uid, 1);
      const level = test.book().oppositeOf(side).best();
      for (let one = level?.first ?? null; one !== null;) {
        const { next }: Order = one;
        const fail = () => {
          throw new Error("An order was looked at");
        };
        Object.defineProperty(one, "remaining", { get: fail });
        one = next;
      }
      assertEquals(fate(test, side, "3.000001"), "not_fillable");
    });
  });
}
