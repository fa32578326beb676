import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError, present } from "../../src/domain/assert.ts";
import { type Order, UNPLACED } from "../../src/domain/trading/order.ts";
import type { Holder, KeyHolder, Venue } from "../../src/domain/venue.ts";
import type { Account } from "../../src/domain/money/account.ts";
import { type MoneyVenue, moneyVenue } from "../support/money_venue.ts";
import { marketDefinition } from "../support/domain_venue.ts";
import { fillOrder } from "../../src/domain/trading/order_changes.ts";

/** Returns a venue where an order, a deposit and a withdrawal lock ann's bitcoins. */
function holding(): MoneyVenue {
  const test = moneyVenue();
  test.must({ kind: "create_market", market: marketDefinition("btc", "usdt") });
  test.sell("ann", "1", "100");
  test.moveDeposit(test.deposit("ann", "btc", "1").id, "accept");
  test.withdraw("ann", "btc", "1", test.activeBeneficiary("ann", "btc"));
  return test;
}

describe("the state of a venue", () => {
  it("is refused if a balance, a lock or a sum is wrong", () => {
    const damages: [fact: string, damage: (own: Account, outside: Account) => void][] = [
      ["sums to zero", (own) => own.available += 1n],
      ["sums to zero", (own) => own.available -= 1n],
      ["is not negative", (own, outside) => {
        outside.available += own.available + 1n;
        own.available = -1n;
      }],
      ["orders, deposits and withdrawals hold", (own) => {
        own.locked -= 1n;
        own.available += 1n;
      }],
    ];
    for (const [fact, damage] of damages) {
      const { venue, member } = addressed(holding());
      venue.checkInvariants();
      damage(venue.account(member, 0), venue.account(1, 0));
      assertThrows(() => venue.checkInvariants(), InvariantError, fact);
    }
  });

  it("is refused if what holds a lock is missing", () => {
    const losses: ((venue: Venue) => void)[] = [
      (venue) => venue.orders.remove(venue.order(1)),
      (venue) => venue.deposits.clear(),
      (venue) => venue.withdraws.clear(),
    ];
    for (const lose of losses) {
      const { venue } = holding();
      lose(venue);
      assertThrows(() => venue.checkInvariants(), InvariantError, "withdrawals hold");
    }
  });

  it("is refused if an open order has ended, or a book is crossed", () => {
    const { venue } = holding();
    const order = venue.order(1);
    order.state = "done";
    assertThrows(() => venue.checkInvariants(), InvariantError, "is open");
    order.state = "wait";
    venue.book(0).bids.add({ ...order, id: 2, ...UNPLACED });
    assertThrows(() => venue.checkInvariants(), InvariantError, "is not crossed");
  });

  it("is refused if a member's open orders differ from the venue's", () => {
    const damages: [string, (venue: Venue, order: Order) => void][] = [
      ["every open order", (venue, order) => venue.holder(order.member).openOrders.remove(order)],
      ["among the venue's", (venue, order) => {
        venue.holder(order.member).openOrders.remove(order);
        venue.holder(order.member).openOrders.add({ ...order, ...UNPLACED });
      }],
    ];
    for (const [fact, damage] of damages) {
      const { venue } = holding();
      damage(venue, venue.order(1));
      assertThrows(() => venue.checkInvariants(), InvariantError, fact);
    }
  });

  it("is refused if a member's keys differ from the venue's", () => {
    const damages: [string, (ann: Holder, ben: Holder, key: KeyHolder) => void][] = [
      ["every key", (ann) => ann.lastKey = null],
      ["every key", (ann, _, key) => ann.lastKey = key.previous],
      ["among the venue's", (ann, _, key) => ann.lastKey = { ...key }],
      ["among the venue's", (ann, ben, key) => {
        ann.lastKey = null;
        ben.lastKey = key;
      }],
    ];
    for (const [fact, damage] of damages) {
      const test = holding();
      test.addKey("ann", "key-1");
      const index = test.addKey("ann", "key-2");
      const { venue } = test;
      venue.checkInvariants();
      damage(
        venue.holder(test.member("ann")),
        venue.holder(test.member("ben")),
        present(venue.keys[index], "the key exists"),
      );
      assertThrows(() => venue.checkInvariants(), InvariantError, fact);
    }
  });

  it("lists no account of the venue itself among its members", () => {
    const uids = holding().venue.members().map(({ member }) => member.uid);
    assertEquals(uids, ["ann", "ben"]);
  });

  it("refuses a fill that an order has no room for", () => {
    const { venue } = holding();
    const order = venue.order(1);
    const book = venue.book(0);
    for (const volume of [0, -1, order.remaining + 1]) {
      const trade = { id: 1, price: 1, volume, maker: 1, makerFee: 0, takerFee: 0 };
      const fill = () => fillOrder(book, order, trade, 0n, 0n, 0);
      assertThrows(fill, InvariantError, "remaining volume");
    }
  });
});

function addressed(test: MoneyVenue): { venue: MoneyVenue["venue"]; member: number } {
  return { venue: test.venue, member: test.member("ann") };
}
