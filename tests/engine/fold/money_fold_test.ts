import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ANY_OUTPUT } from "../../../src/domain/money/deposit.ts";
import { isRejection } from "../../../src/domain/command.ts";
import { WITHDRAW_SUMS_MS } from "../../../src/domain/limits.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { runRebuild } from "../../../src/engine/start/rebuild.ts";
import { rowKey, type Table } from "../../../src/store/keys.ts";
import { assertCutAnywhere } from "../../support/cut_fold.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { everything } from "../../support/everything.ts";
import { addMoneyStream, runMoneyStream } from "../../support/money_stream.ts";
import { Prng } from "../../support/prng.ts";
import { START, units } from "../../support/domain_venue.ts";

const DAY_MS = 86_400_000;

describe("deposits and withdrawals", () => {
  it("are the same after a restart at any point", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const prng = new Prng(61);
    let test = await EngineVenue.open({ path: file.path, clock });
    await addMoneyStream(test);
    for (let round = 0; round < 8; round++) {
      await runMoneyStream(test, prng, prng.between(50, 300), clock);
      if (prng.chance(0.5)) {
        await test.engine.folded();
        await runMoneyStream(test, prng, prng.between(1, 30), clock);
      }
      const before = await everything(test.engine);
      await test.close();
      assertEquals(test.faults, []);
      test = await EngineVenue.open({ path: file.path, clock });
      assertEquals(await everything(test.engine), before, `round ${round}`);
      test.venue.checkInvariants();
    }
    const { counters } = test.venue;
    assert(counters.deposits > 50 && counters.withdraws > 50 && counters.beneficiaries > 20);
    await test.engine.folded();
    await test.close();
    const { differences, figures } = await runAudit(file.path);
    assertEquals(differences, []);
    assertEquals(figures.get("deposits"), String(counters.deposits));
    assertEquals(figures.get("withdrawals"), String(counters.withdraws));
    assertEquals(figures.get("open deposits"), String(test.venue.deposits.size));
    assertEquals(figures.get("open withdrawals"), String(test.venue.withdraws.size));
  });

  it("continue to be folded after a crash cut a fold short at any of its steps", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    await createHalfFolded(file, clock);
    await assertCutAnywhere(file, clock);
  });

  it("are found by the audit if a row was changed, and can be rebuilt", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const test = await EngineVenue.open({ path: file.path, clock });
    await addMoneyStream(test);
    await runMoneyStream(test, new Prng(63), 600, clock);
    await test.engine.folded();
    const before = await everything(test.engine);
    await test.close();

    const tables: Table[] = [
      "member_deposits",
      "member_withdraws",
      "ended_deposits",
      "ended_withdraws",
      "deposit_names",
      "beneficiaries",
      "withdraw_limits",
      "open_deposits",
      "open_withdraws",
    ];
    const kv = await Deno.openKv(file.path);
    for (const table of tables) {
      const rows = kv.list<Uint8Array>({ prefix: rowKey(table) as Deno.KvKey }, { limit: 1 });
      const { done, value: row } = await rows.next();
      if (done) throw new Error(`${table} has no row`);
      const bytes = row.value.slice();
      bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
      await kv.set(row.key, bytes);
    }
    kv.close();
    const { differences } = await runAudit(file.path);
    for (const table of tables) {
      assert(differences.some((text) => text.startsWith(`row ${table} `)), `${table} is missed`);
    }

    await runRebuild(file.path);
    assertEquals((await runAudit(file.path)).differences, []);
    const again = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await everything(again.engine), before);
    await again.close();
  });

  it("are known by output, folded or not, before and after a restart", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    let test = await EngineVenue.open({ path: file.path, clock });
    await addMoneyStream(test);
    const observe = async () => {
      const base = { kind: "observe_deposit", uid: "ann", currency: "btc" } as const;
      const lookup = await test.engine.findDeposit(0, "a/b", 7);
      const deposit = { amount: units("1"), txid: "a/b", output: 7, confirmations: 0 };
      return await test.must({ ...base, ...deposit, ...lookup });
    };
    test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
    assertEquals((await observe()).kind, "deposit_set");
    assertEquals(await observe(), { kind: "deposit_known", id: 1 });
    assertEquals((await test.engine.findDeposit(0, "a/b", 7)).knownId, 0);
    await test.close();

    test = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await observe(), { kind: "deposit_known", id: 1 });
    await test.engine.folded();
    const { checkedAt, knownId } = await test.engine.findDeposit(0, "a/b", 7);
    assertEquals([knownId, checkedAt], [1, test.venue.sequence]);
    assertEquals((await test.engine.findDeposit(0, "a/b", 6)).knownId, 0);
    assertEquals((await test.engine.findDeposit(1, "a/b", 7)).knownId, 0);
    assertEquals((await test.engine.findDeposit(0, "a/b", ANY_OUTPUT)).knownId, 1);
    for (const txid of ["a/", "a/c"]) {
      assertEquals((await test.engine.findDeposit(0, txid, ANY_OUTPUT)).knownId, 0, txid);
    }
    await test.close();

    test = await EngineVenue.open({ path: file.path, clock });
    assertEquals(await observe(), { kind: "deposit_known", id: 1 });
    const stale = { knownId: 0, checkedAt: test.venue.sequence - 1 };
    const outcome = await test.engine.submit({
      kind: "observe_deposit",
      uid: "ann",
      currency: "btc",
      amount: units("1"),
      txid: "a/b",
      output: 7,
      confirmations: 0,
      ...stale,
    }, null);
    assertEquals(isRejection(outcome) ? outcome.rejected : outcome.kind, "deposit_check_stale");
    await test.close();
  });

  it("are known by every output if noted by transaction, even after a restart", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    let test = await EngineVenue.open({ path: file.path, clock });
    await addMoneyStream(test);
    const observe = async (output: number) => {
      const base = { kind: "observe_deposit", uid: "ann", currency: "btc" } as const;
      const lookup = await test.engine.findDeposit(0, "tx", output);
      const deposit = { amount: units("1"), txid: "tx", output, confirmations: 0 };
      return await test.must({ ...base, ...deposit, ...lookup });
    };
    assertEquals((await observe(ANY_OUTPUT)).kind, "deposit_set");
    await test.engine.folded();
    await test.close();

    test = await EngineVenue.open({ path: file.path, clock });
    for (const output of [0, 5, ANY_OUTPUT]) {
      assertEquals(await observe(output), { kind: "deposit_known", id: 1 });
      assertEquals((await test.engine.findDeposit(0, "tx", output)).knownId, 1, `${output}`);
    }
    assertEquals((await test.engine.findDeposit(1, "tx", 0)).knownId, 0);
    await test.close();
  });

  it("count towards limits for a month, even after a restart", async () => {
    await using file = await VenueFile.create();
    const clock = { now: START };
    const test = await EngineVenue.open({ path: file.path, clock });
    await addMoneyStream(test);
    const member = test.member("ann");
    await test.must({ kind: "create_beneficiary", member, currency: "usdt", addressDigest: "x" });
    await test.must({ kind: "try_pin", member, id: 1, pin: 1, isRight: true });
    for (let day = 0; day < 80; day++) {
      await test.must({
        kind: "request_withdraw",
        member,
        otp: { member, step: 10 + day, generation: 1 },
        beneficiary: 1,
        currency: "usdt",
        amount: units("1"),
      });
      const id = test.venue.counters.withdraws;
      if (day % 3 === 0) await test.must({ kind: "change_withdraw", id, action: "cancel" });
      else if (day % 3 === 1) {
        await test.must({ kind: "change_withdraw", id, action: "claim", claims: 0 });
        await test.must({ kind: "change_withdraw", id, action: "send", txid: "t" });
        await test.must({ kind: "change_withdraw", id, action: "succeed", confirmations: 9 });
      }
      clock.now += DAY_MS;
    }
    const since = test.venue.time - WITHDRAW_SUMS_MS;
    const counted = ({ venue }: EngineVenue) =>
      [...venue.holder(member).countedWithdraws.values()]
        .filter(({ createdAt }) => createdAt >= since);
    const before = counted(test);
    assertEquals(before.length, 23);
    await test.engine.folded();
    await test.close();

    const again = await EngineVenue.open({ path: file.path, clock });
    assertEquals(counted(again), before);
    assertEquals(again.venue.holder(member).countedWithdraws.size, before.length);
    // Eighty withdrawals fill five rows, of which the oldest were not read.
    assertEquals(again.venue.withdraws.size, 26);
    await again.close();
  });
});

/** Creates a file of which only a part is folded. */
async function createHalfFolded(file: VenueFile, clock: { now: number }): Promise<void> {
  const test = await EngineVenue.open({ path: file.path, clock });
  await addMoneyStream(test);
  const prng = new Prng(62);
  await runMoneyStream(test, prng, 400, clock);
  await test.engine.folded();
  test.store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
  await runMoneyStream(test, prng, 1500, clock, 100_000);
  await test.close();
}
