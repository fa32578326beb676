import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../src/domain/command.ts";
import { reversalName } from "../../src/domain/money/decide_reversal.ts";
import { ANY_OUTPUT } from "../../src/domain/money/deposit.ts";
import type { Reverse } from "../../src/domain/money_command.ts";
import { runAudit } from "../../src/engine/start/audit.ts";
import { runRebuild } from "../../src/engine/start/rebuild.ts";
import { START, units } from "../support/domain_venue.ts";
import { EngineVenue, VenueFile } from "../support/engine_venue.ts";
import { everything } from "../support/everything.ts";

const CLOCK = { now: START };

/** Enters a deposit of one btc, as operators do; returns its id, or the one that has the name. */
async function enter(test: EngineVenue, uid: string, freedId = 0): Promise<number> {
  const lookup = await test.engine.findDeposit(0, "tx", ANY_OUTPUT);
  const receipt = await test.must({
    kind: "observe_deposit",
    uid,
    currency: "btc",
    amount: units("1"),
    txid: "tx",
    output: ANY_OUTPUT,
    confirmations: 0,
    ...lookup,
    freedId,
  });
  if (receipt.kind === "deposit_known") return receipt.id;
  if (receipt.kind !== "deposit_set") throw new Error(receipt.kind);
  return receipt.deposit.id;
}

async function credit(test: EngineVenue, id: number): Promise<void> {
  for (const action of ["accept", "process", "collect"] as const) {
    await test.must({ kind: "change_deposit", id, action });
  }
}

/** Reverses a deposit; returns the id of the reversal, or why there is none. */
async function reverse(test: EngineVenue, id: number): Promise<number | string> {
  const record = await test.engine.deposit(id);
  if (record === null) throw new Error(`There is no deposit ${id}`);
  const reversed: Reverse["reversed"] = { type: "deposit", record };
  const name = reversalName({ type: "deposit", id });
  const lookup = await test.engine.findDeposit(record.currency, name, ANY_OUTPUT);
  const outcome = await test.engine.submit({ kind: "reverse", reversed, ...lookup }, null);
  if (isRejection(outcome)) return outcome.rejected;
  if (outcome.kind !== "deposit_set") throw new Error(outcome.kind);
  return outcome.deposit.id;
}

/** Checks what one reversal and the new entry of its transaction have left behind. */
async function check(test: EngineVenue): Promise<void> {
  const { engine, venue } = test;
  const [ann, ben] = [test.member("ann"), test.member("ben")];
  const { items } = await engine.deposits(ann, {}, { offset: 0, limit: 9, direction: "asc" });
  assertEquals(items.map(({ amount, reverses }) => [amount, reverses]), [
    [units("1"), undefined],
    [-units("1"), { type: "deposit", id: 1 }],
  ]);
  assertEquals(venue.holder(ann).accounts[0]?.available ?? 0n, 0n);
  assertEquals(venue.holder(ben).accounts[0]?.available, units("1"));
  assertEquals(await reverse(test, 1), "reversal_made", "whatever is still remembered");
  assertEquals(await reverse(test, 2), "deposit_state_invalid");
  assertEquals(await enter(test, "ann", 1), 3, "the transaction is ben's now");
  venue.checkInvariants();
}

describe("a reversal", () => {
  it("survives folds, a restart and a rebuild, and the audit knows it", async () => {
    await using file = await VenueFile.create();
    const options = { path: file.path, clock: CLOCK };
    let seen: unknown;
    {
      await using test = await EngineVenue.open(options);
      await test.addMarket("btc", "usdt");
      for (const uid of ["ann", "ben"]) await test.addMember(uid);
      const first = await enter(test, "ann");
      await credit(test, first);
      assertEquals(await reverse(test, first), 2);
      const again = await enter(test, "ben", first);
      assertEquals(again, 3);
      await credit(test, again);
      await check(test);
      await test.folded();
      await check(test);
      seen = await everything(test.engine);
    }
    for (const isRebuilt of [false, true]) {
      if (isRebuilt) await runRebuild(file.path);
      assertEquals((await runAudit(file.path)).differences, []);
      await using test = await EngineVenue.open(options);
      assertEquals(await everything(test.engine), seen);
      await check(test);
    }
  });
});
