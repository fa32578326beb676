import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Command, Outcome } from "../../../src/domain/command.ts";
import { isRejection } from "../../../src/domain/command.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import type { FaultyStore } from "../../support/faulty_store.ts";
import { units } from "../../support/domain_venue.ts";

const TRADING: Command = { kind: "set_switches", switches: { trading: false } };
const WITHDRAWALS: Command = { kind: "set_switches", switches: { withdrawals: false } };

/** Opens two engines on one file, with a market and two rich members. */
async function openTwo(path: string): Promise<[EngineVenue, EngineVenue]> {
  const one = await EngineVenue.open({ path, isShared: true });
  await one.addUsual();
  return [one, await EngineVenue.open({ path, isShared: true })];
}

function rejected(outcome: Outcome): string {
  return isRejection(outcome) ? outcome.rejected : "";
}

/** Waits until an engine without calls notices something. */
async function noticed(test: EngineVenue, isNoticed: () => boolean): Promise<void> {
  await eventually("what another has done", isNoticed);
  assertEquals(test.faults, []);
}

/** Gives alice an active beneficiary and a second factor. */
async function prepareWithdrawals(test: EngineVenue): Promise<Command> {
  const member = test.member("alice");
  const otp = { member, step: 1, generation: 0 };
  await test.must({ kind: "set_two_factor", ...otp, isOn: true });
  const made = await test.must({
    kind: "create_beneficiary",
    member,
    currency: "btc",
    addressDigest: "digest",
  });
  if (made.kind !== "beneficiary_set") throw new Error(made.kind);
  const { id } = made.beneficiary;
  await test.must({ kind: "try_pin", member, id, pin: 1, isRight: true });
  return {
    kind: "request_withdraw",
    member,
    otp: { member, step: 2, generation: 1 },
    beneficiary: id,
    currency: "btc",
    amount: units("1"),
  };
}

describe("a stop", () => {
  it("of trading holds on every engine at once, and each learns of it by itself", async () => {
    await using file = await VenueFile.create();
    const [one, two] = await openTwo(file.path);
    await using _one = one;
    await using _two = two;
    const order = { price: "100", amount: "1" };
    const id = await two.placed("alice", order);
    await one.must(TRADING);
    assertEquals(rejected(await two.place("alice", order)), "trading_stopped");
    assertEquals(rejected(await one.place("alice", order)), "trading_stopped");
    const cancel = await two.engine.submit({
      kind: "cancel_orders",
      member: two.member("alice"),
      names: [{ id }],
      strict: false,
      isKnown: false,
    }, null);
    assertEquals(isRejection(cancel), false);
    await one.must({ kind: "set_switches", switches: { trading: true } });
    await noticed(two, () => two.venue.switches.trading);
    await one.must(TRADING);
    await noticed(two, () => !two.venue.switches.trading);
    assertEquals(two.venue.switches, { trading: false, withdrawals: true });
  });

  it("that is over refuses nothing, even on an engine that has not heard of its end", async () => {
    await using file = await VenueFile.create();
    await using one = await EngineVenue.open({ path: file.path, isShared: true });
    await one.addUsual();
    const prepare = (store: FaultyStore) => store.isWatchDropped = true;
    await using two = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    for (let round = 0; round < 5; round++) {
      await one.must(TRADING);
      await two.engine.fresh();
      await one.must({ kind: "set_switches", switches: { trading: true } });
      await two.placed("alice", { price: "100", amount: "1" });
    }
  });

  it("of a currency's trading holds on every engine at once", async () => {
    await using file = await VenueFile.create();
    const [one, two] = await openTwo(file.path);
    await using _one = one;
    await using _two = two;
    await one.addMarket("eth", "usdt");
    const change = (tradingEnabled: boolean) =>
      one.must({ kind: "change_currency", id: "btc", changes: { tradingEnabled } });
    await change(false);
    const order = { price: "100", amount: "1" };
    assertEquals(rejected(await two.place("alice", order)), "market_not_enabled");
    await two.engine.fresh();
    await two.placed("alice", { ...order, market: "ethusdt" });
    await change(true);
    await two.placed("alice", order);
  });

  it("of withdrawals holds on every engine at once, for requests and for payouts", async () => {
    await using file = await VenueFile.create();
    const [one, two] = await openTwo(file.path);
    await using _one = one;
    await using _two = two;
    const request = await prepareWithdrawals(one);
    await two.engine.fresh();
    const made = await two.must(request);
    if (made.kind !== "withdraw_set") throw new Error(made.kind);
    await one.must(WITHDRAWALS);
    const again = {
      ...request,
      otp: { member: two.member("alice"), step: 3, generation: 1 },
    } as Command;
    assertEquals(rejected(await two.engine.submit(again, null)), "withdrawals_stopped");
    const claim: Command = {
      kind: "change_withdraw",
      id: made.withdraw.id,
      action: "claim",
      claims: 0,
    };
    assertEquals(rejected(await two.engine.submit(claim, null)), "withdrawals_stopped");
    await one.must({ kind: "set_switches", switches: { withdrawals: true } });
    await two.must(claim);
  });
});
