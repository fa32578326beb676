import { assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { apply } from "../../src/domain/apply.ts";
import { InvariantError } from "../../src/domain/assert.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import { Venue } from "../../src/domain/venue.ts";
import { moneyVenue } from "../support/money_venue.ts";
import { Prng } from "../support/prng.ts";
import { randomCommand, STREAM_MEMBERS, streamVenue } from "../support/random_command.ts";
import { runRandomCommand } from "../support/run_random_command.ts";
import { assertEachCounted, assertEachUndone } from "../support/stepped_events.ts";
import type { RecordedEvent } from "../support/test_sink.ts";
import { DomainVenue } from "../support/domain_venue.ts";

const COMMANDS = 600;

/** Returns events of members who trade, also with themselves. */
function tradingEvents(): readonly RecordedEvent[] {
  const test = streamVenue();
  const prng = new Prng(7);
  for (const uid of STREAM_MEMBERS) {
    for (const currency of ["aaa", "bbb", "ccc"]) test.fund(uid, currency, "500");
  }
  for (let count = 0; count < COMMANDS; count++) {
    test.sink.at += prng.below(1000);
    runRandomCommand(test, randomCommand((below) => prng.below(below), test.venue));
  }
  return test.sink.events;
}

/** Returns events of orders that rest after others of their bulk; their member is told of some. */
function restingEvents(): readonly RecordedEvent[] {
  const test = new DomainVenue().withMarket("btc", "usdt")
    .withMember("ann", { btc: "5" }).withMember("ben", { usdt: "1000" });
  test.sell("ann", "1", "100");
  test.place(
    "ben",
    { amount: "1", price: "100" },
    { type: "post_only", amount: "1", price: "99" },
    { amount: "1", price: "98" },
  );
  return test.sink.events;
}

/** Returns events of an operator's changes, of a signing key, and of timers. */
function operatingEvents(): readonly RecordedEvent[] {
  const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "100" });
  const key = test.addKey("ann", "key-1");
  const signed = { key, nonce: test.sink.at, digest: 0 };
  test.do({ kind: "set_cancel_timer", key, timer: 0, timeoutMs: 5000 }, signed);
  test.do({ kind: "spend_nonce", member: test.member("ann") }, { ...signed, digest: 5 });
  test.must({ kind: "set_cancel_timer", key, timer: 3, timeoutMs: 2000 });
  test.must({ kind: "set_cancel_timer", key, timer: 3, timeoutMs: 0 });
  test.must({ kind: "change_key", uid: "ann", kid: "key-1", state: "disabled" });
  test.withFee("any", "any", 1000, 2000).withFee("any", "any", 5, 6).withFee("btcusdt", "v", 1, 2);
  test.must({ kind: "change_currency", id: "btc", changes: { name: "Bitcoin" } });
  test.must({ kind: "change_market", id: "btcusdt", changes: { pricePrecision: 4 } });
  test.must({ kind: "change_market", id: "btcusdt", changes: { state: "halted" } });
  test.must({ kind: "set_levels", levels: { deposit: 1, withdraw: 3, trading: 2 } });
  test.must({ kind: "set_switches", switches: { trading: false } });
  test.must({ kind: "set_settings", changes: { pnlCurrencies: ["usdt"] } });
  for (const limit24h of [1n, 2n]) {
    const row = { level: 1, group: "any", limit24h, limit1m: 5n };
    test.must({ kind: "set_withdraw_limit", row });
  }
  test.must({ kind: "delete_withdraw_limit", row: { level: 1, group: "any" } });
  test.must({ kind: "delete_fee", market: "btcusdt", group: "v" });
  test.change("ann", { group: "vip" });
  return test.sink.events;
}

/** Returns events of deposits and withdrawals with every end. */
function moneyEvents(): readonly RecordedEvent[] {
  const test = moneyVenue();
  for (const end of ["collect", "drop", "cancel", "reject"] as const) {
    const { id } = test.deposit("ben", "btc", "3");
    if (end === "collect" || end === "drop") test.moveDeposit(id, "accept");
    if (end === "collect") test.moveDeposit(id, "process");
    test.moveDeposit(id, "confirm", 2);
    test.moveDeposit(id, end);
  }
  test.must({ kind: "note_deposit_address", uid: "ben", currency: "btc" });
  const beneficiary = test.activeBeneficiary("ben", "btc");
  for (const end of ["succeed", "fail", "reject", "cancel"] as const) {
    const { id } = test.withdraw("ben", "btc", "0.1", beneficiary);
    if (end === "succeed" || end === "fail") test.moveWithdraw(id, "claim");
    if (end === "succeed") test.moveWithdraw(id, "send", { txid: `sent ${id}` });
    test.moveWithdraw(id, end);
  }
  test.must({ kind: "archive_beneficiary", member: test.member("ben"), id: beneficiary });
  return test.sink.events;
}

describe("every event", () => {
  const streams = { tradingEvents, restingEvents, operatingEvents, moneyEvents };
  for (const [name, events] of Object.entries(streams)) {
    it(`is undone without a trace: ${name}`, () => assertEachUndone(events()));
    it(`makes as many messages as it claims: ${name}`, () => assertEachCounted(events()));
  }

  it("is refused if its number leaves a gap or repeats", () => {
    for (const events of [tradingEvents(), operatingEvents(), moneyEvents()]) {
      const kinds = new Set<string>();
      events.forEach(({ event, at }, place) => {
        if (kinds.has(event.kind)) return;
        kinds.add(event.kind);
        for (const step of [1, -1]) {
          const other = renumbered(event, step);
          if (other === null) continue;
          const venue = new Venue({ nonceWindowMs: 5000, undo: null });
          for (const earlier of events.slice(0, place)) apply(venue, earlier.event, earlier.at);
          assertThrows(() => apply(venue, other, at), InvariantError, "no gap", event.kind);
        }
      });
    }
  });
});

/** Returns an event with its number raised by `step`; null if it has none. */
function renumbered(event: VenueEvent, step: number): VenueEvent | null {
  switch (event.kind) {
    case "order_accepted":
    case "balance_adjusted":
    case "act_noted":
    case "trade":
      return { ...event, id: event.id + step };
    case "deposit_set":
      return { ...event, deposit: { ...event.deposit, id: event.deposit.id + step } };
    case "withdraw_set":
      return { ...event, withdraw: { ...event.withdraw, id: event.withdraw.id + step } };
    case "beneficiary_set": {
      const { beneficiary } = event;
      return { ...event, beneficiary: { ...beneficiary, id: beneficiary.id + step } };
    }
    default:
      return null;
  }
}
