import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Engine, UnavailableError } from "../../src/engine/engine.ts";
import type { Payout, SendOutcome } from "../../src/wallet/rails/rail.ts";
import { changedEngine } from "../support/changed_engine.ts";
import { eventually } from "../support/eventually.ts";
import { BLOCK_MS, WalletVenue, WatchedRail } from "../support/wallet_venue.ts";

/** Longer than a process sends on one claim. */
const CLAIM_SPENT_MS = 2_000;

/** A rail whose sending the test releases, or replaces with an answer. */
class LateRail extends WatchedRail {
  readonly release = Promise.withResolvers<SendOutcome | void>();

  constructor(readonly venue: WalletVenue) {
    super(venue.engine, BLOCK_MS);
  }

  override async send(payout: Payout): Promise<SendOutcome> {
    this.venue.clock.now += CLAIM_SPENT_MS;
    return await this.release.promise ?? await super.send(payout);
  }
}

/** Returns a withdrawal whose process has stopped waiting for the rail. */
async function parked(venue: WalletVenue, engine: Engine = venue.engine) {
  await venue.withdraw("10");
  const rail = new LateRail(venue);
  const wallet = venue.wallet(engine, rail);
  await wallet.tick();
  assertEquals((await venue.sent()).state, "errored");
  return { rail, wallet };
}

describe("a payout sent after its process has given up", () => {
  it("still succeeds", async () => {
    await using venue = await WalletVenue.open();
    const { rail, wallet } = await parked(venue);
    rail.release.resolve();
    await eventually("what came of it", async () => (await venue.sent()).state !== "errored");
    assertEquals((await venue.sent()).state, "confirming");
    await venue.mine(wallet, 3);
    assertEquals((await venue.sent()).state, "succeed");
    assertEquals(venue.logged, ["payout_parked"]);
  });

  it("is booked once", async () => {
    await using venue = await WalletVenue.open();
    const actions: string[] = [];
    const submit: Engine["submit"] = (command, ...more) => {
      if (command.kind === "change_withdraw") actions.push(command.action);
      return venue.engine.submit(command, ...more);
    };
    const { rail, wallet } = await parked(venue, changedEngine(venue.engine, { submit }));
    rail.release.resolve();
    await eventually("the payout in the log", () => actions.includes("send"));
    // This round may still find the late answer being booked, the next one may not.
    await wallet.tick();
    actions.length = 0;
    await wallet.tick();
    assertEquals(actions.filter((action) => action === "send"), []);
    assertEquals((await venue.sent()).state, "confirming");
  });

  it("calls the operator if the withdrawal has failed meanwhile", async () => {
    await using venue = await WalletVenue.open();
    const { rail, wallet } = await parked(venue);
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "fail" });
    rail.release.resolve();
    await eventually("the call", () => venue.logged.length > 1);
    const [payment] = await venue.payments();
    const notices = await wallet.notices.list();
    const unbooked = notices.find(({ kind }) => kind === "payout_unbooked");
    assertEquals(unbooked?.txid, payment?.txid);
    assertEquals([unbooked?.id, unbooked?.reason], [1, "failed"]);
  });

  it("calls the operator even if the store is away when the rail answers", async () => {
    await using venue = await WalletVenue.open();
    const changes: Partial<Engine> = {};
    const { rail, wallet } = await parked(venue, changedEngine(venue.engine, changes));
    await venue.test.must({ kind: "change_withdraw", id: 1, action: "fail" });
    const before = venue.faults.length;
    changes.submit = () => Promise.reject(new UnavailableError("store_failing"));
    rail.release.resolve();
    await eventually("the fault", () => venue.faults.length > before);
    await wallet.tick();
    assertEquals(venue.logged, ["payout_parked"]);
    delete changes.submit;
    for (let ticks = 0; ticks < 2; ticks++) await wallet.tick();
    assertEquals(venue.logged, ["payout_parked", "payout_unbooked"]);
  });

  it("is left to the operator if the rail fails", async () => {
    await using venue = await WalletVenue.open();
    const { rail } = await parked(venue);
    const before = venue.faults.length;
    rail.release.reject(new Error("The rail is down"));
    await eventually("the fault", () => venue.faults.length > before);
    assertEquals(String(venue.faults.at(-1)), "Error: The rail is down");
    assertEquals((await venue.sent()).state, "errored");
  });

  it("is only a fault once the process's store is closed", async () => {
    const venue = await WalletVenue.open();
    const { rail, wallet } = await parked(venue);
    await wallet.stop();
    await venue[Symbol.asyncDispose]();
    const before = venue.faults.length;
    rail.release.resolve({ kind: "sent", txid: "tx" });
    await eventually("the fault", () => venue.faults.length > before);
    assertEquals(venue.faults.length, before + 1);
  });
});
