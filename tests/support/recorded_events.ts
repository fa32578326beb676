import { DomainVenue } from "./domain_venue.ts";
import { moneyVenue } from "./money_venue.ts";
import { Prng } from "./prng.ts";
import { randomCommand, STREAM_MEMBERS, streamVenue } from "./random_command.ts";
import { runRandomCommand } from "./run_random_command.ts";
import type { RecordedEvent } from "./test_sink.ts";

const COMMANDS = 600;

/** Returns events of members who trade, also with themselves. */
export function tradingEvents(): readonly RecordedEvent[] {
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
export function restingEvents(): readonly RecordedEvent[] {
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

/** Returns events of an operator's changes, of a signing key, of an act, and of timers. */
export function operatingEvents(): readonly RecordedEvent[] {
  const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann", { usdt: "100" });
  const key = test.addKey("ann", "key-1");
  const signed = { key, nonce: test.sink.at, digest: 0 };
  test.do({ kind: "set_cancel_timer", key, timer: 0, timeoutMs: 5000 }, signed);
  test.do({ kind: "spend_nonce", member: test.member("ann") }, { ...signed, digest: 5 });
  test.must({ kind: "set_cancel_timer", key, timer: 3, timeoutMs: 2000 });
  test.must({ kind: "set_cancel_timer", key, timer: 3, timeoutMs: 0 });
  test.must({ kind: "change_key", uid: "ann", kid: "key-1", state: "disabled" });
  // An operator's key is its own first act.
  test.must({
    kind: "create_key",
    uid: "ann",
    kid: "key-2",
    role: "operator",
    scopes: ["read", "trade"],
    nonceMode: "single",
    isAct: true,
  });
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
export function moneyEvents(): readonly RecordedEvent[] {
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

/** Streams of events by what they are about; all kinds are among them. */
export const RECORDED_STREAMS: Readonly<Record<string, () => readonly RecordedEvent[]>> = {
  tradingEvents,
  restingEvents,
  operatingEvents,
  moneyEvents,
};
