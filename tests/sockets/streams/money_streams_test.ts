import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DepositAction } from "../../../src/domain/money/deposit.ts";
import { lastSequence } from "../../../src/sockets/streams/private_messages.ts";
import { REPLAYED_MESSAGES_MAX } from "../../../src/sockets/streams/replay.ts";
import { activeBeneficiary } from "../../support/beneficiaries.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { observeDeposit } from "../../support/observed_deposit.ts";
import { subscribed } from "../../support/private_client.ts";
import { streamsOf } from "../../support/private_streams.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import type { Frame, StreamClient } from "../../support/stream_client.ts";
import { move, operate, withdraw, WITHDRAWS } from "../../support/withdraws.ts";
import type { TestVenue } from "../../support/with_venue.ts";

const DEPOSITS = "/api/v2/backend/account/deposits";

/** Changes a deposit's state, as a rail or an operator does. */
async function advance(venue: TestVenue, id: number, ...actions: DepositAction[]): Promise<void> {
  for (const action of actions) {
    const outcome = await venue.engine.submit({ kind: "change_deposit", id, action }, null);
    assertEquals("kind" in outcome && outcome.kind, "deposit_set");
  }
}

/** Returns the next messages of a stream, up to one that tells of this state. */
async function until(client: StreamClient, stream: string, state: string): Promise<Frame[]> {
  const told: Frame[] = [];
  do told.push(await client.message(stream)); while (told.at(-1)[stream].state !== state);
  return told;
}

/** Asserts that messages are numbered upwards, and by the venue's events. */
function assertRising(told: readonly Frame[]): void {
  for (const [i, { sequence, event, snapshot }] of told.entries()) {
    assertEquals(snapshot, undefined);
    assert(i === 0 || (sequence > told[i - 1].sequence && event > told[i - 1].event));
  }
}

describe("the stream of deposits", () => {
  it("tells each state of a deposit as the list has it, and nothing of before", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      await observeDeposit(venue, { txid: "before" });
      const client = await subscribed(served, "alice", "?stream=deposit");
      const bob = await subscribed(served, "bob", "?stream=deposit,withdraw,balance");
      const id = await observeDeposit(venue, { txid: "tx-1", amount: "2" });
      await advance(venue, id, "accept", "process", "collect");
      const told = await until(client, "deposit", "collected");
      const states = ["submitted", "accepted", "processing", "collected"];
      assertEquals(told.map(({ deposit }) => deposit.state), states);
      assertRising(told);
      const { body } = await venue.get("alice", `${DEPOSITS}?fraction=1`);
      const listed = body.find((one: { id: number }) => one.id === id);
      assertEquals(told.at(-1).deposit, listed);
      await observeDeposit(venue, { uid: "IDB0B0000001", txid: "tx-2" });
      assertEquals((await bob.message("deposit")).deposit.txid, "tx-2");
    });
  });

  it("tells of a deposit before the balances that it changes", async () => {
    await withServedVenue(async (served) => {
      const client = await subscribed(served, "alice", "?stream=balance,balances,deposit");
      client.frames.length = 0;
      await observeDeposit(served.venue, { txid: "tx-1" });
      const told = [await client.next(), await client.next(), await client.next()];
      const names = told.map((frame) => Object.keys(frame)[0]);
      assertEquals(names, ["deposit", "balances", "balance"]);
      assertEquals(new Set(told.map(({ event }) => event)).size, 1);
    });
  });
});

describe("the stream of withdrawals", () => {
  it("tells each state of a withdrawal as the list has it, but nothing sealed", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const to = await activeBeneficiary(venue, "alice");
      const client = await subscribed(served, "alice", "?stream=withdraw");
      const { body: made } = await withdraw(venue, to, { note: "to the cold wallet" });
      await move(venue, made.id, "claim", { action: "send", txid: "tx-9" }, "succeed");
      const told = await until(client, "withdraw", "succeed");
      const states = ["prepared", "accepted", "processing", "confirming", "succeed"];
      assertEquals(told.map((one) => one.withdraw.state), states);
      assertRising(told);
      const { body: [listed] } = await venue.get("alice", `${WITHDRAWS}?limit=1`);
      const { rid, note, ...open } = listed;
      assertEquals([rid, note], ["sandbox-btc-1", "to the cold wallet"]);
      assertEquals(told.at(-1).withdraw, { ...open, beneficiary_id: to });
    });
  });

  it("tells that an operator has to approve, or has refused", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const to = await activeBeneficiary(venue, "alice");
      const limits = { withdraw_limit_24h: "0.5", withdraw_limit_72h: "0.5" };
      await operate(venue, "PATCH", "currencies/btc", limits);
      const client = await subscribed(served, "alice", "?stream=withdraw,balance");
      const { body: { id } } = await withdraw(venue, to);
      const { withdraw: waiting } = (await until(client, "withdraw", "accepted")).at(-1);
      assertEquals(waiting.waits_for, "approval");
      await operate(venue, "POST", `withdraws/${id}/reject`, {});
      assertEquals((await client.message("withdraw")).withdraw.state, "rejected");
      assertEquals(Object.keys(await client.next())[0], "balance");
    });
  });
});

describe("a client that comes back to its deposits and withdrawals", () => {
  it("is told each state that it missed, by their own numbers or that of the balances", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const first = await served.listenAs("alice", "?stream=deposit,withdraw,balances");
      const { success: { sequences } } = await first.message("success");
      assertEquals(sequences.deposit, sequences.balances);
      const id = await observeDeposit(venue, { txid: "tx-1" });
      const [seen] = await until(first, "deposit", "submitted");
      await first.close();
      await advance(venue, id, "accept", "process");
      await venue.order("alice", { price: "1" });
      const to = await activeBeneficiary(venue, "alice");
      await withdraw(venue, to);
      const since = `deposit:${seen.sequence},withdraw:${sequences.withdraw}`;
      const back = await served.listenAs("alice", `?stream=withdraw,deposit&since=${since}`);
      const missed: Frame[] = [];
      while (missed.length < 4) missed.push(await back.next((frame) => frame.event !== undefined));
      const told = missed.map((frame) => (frame.deposit ?? frame.withdraw).state);
      assertEquals(told, ["accepted", "processing", "prepared", "accepted"]);
      assertRising(missed);
      // What was told of the balances then covers all that was told of the others.
      const all = missed.at(-1).sequence;
      const again = await served.listenAs("alice", `?stream=deposit,withdraw&since=deposit:${all}`);
      const { success } = await again.message("success");
      assertEquals(success.sequences, { deposit: all, withdraw: all });
      assertEquals(again.frames, []);
      const future = `?stream=deposit&since=deposit:${all + 1}`;
      const { error } = await (await served.listenAs("alice", future)).message("error");
      assertEquals(error.message, `deposit: since ${all + 1} was never sent; read them over HTTP`);
    });
  });

  it("is sent to the lists after too many changes of balances", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const { hub } = streamsOf(test);
    const member = test.member("alice");
    test.venue.holder(member).messages.balances += REPLAYED_MESSAGES_MAX + 1;
    const reader = new FramesReader(member);
    await hub.subscribe(reader, ["deposit"], new Map([["deposit", 0]]));
    const text = "is more than 10000 changes of balances ago; read them over HTTP";
    assertEquals(reader.frames.map((frame) => JSON.parse(frame)), [
      { error: { message: `deposit: since 0 ${text}` } },
    ]);
    assert(lastSequence(test.venue, member, "withdraw") > REPLAYED_MESSAGES_MAX);
  });
});
