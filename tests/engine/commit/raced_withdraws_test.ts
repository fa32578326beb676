import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Command, isRejection, type Outcome } from "../../../src/domain/command.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { UnavailableError } from "../../../src/engine/engine.ts";
import { isLockedFault } from "../../../src/store/store.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { units } from "../../support/domain_venue.ts";

const WITHDRAWS = 1_000;
const REPLAYS = 100_000;
const FIRST_STEP = 1_000;
const PIN_TRIES = 5;
/** How often a command is submitted while the other engine holds the file. */
const SUBMITS_MAX = 20;

/** A signature whose nonce a command spends. */
interface Signature {
  readonly key: number;
  readonly nonce: number;
  readonly digest: number;
}

/** Opens a venue where alice has 100 btc, a second factor and an active beneficiary. */
async function openWithdrawer(path: string): Promise<EngineVenue> {
  const test = await EngineVenue.open({ path, isShared: true });
  await test.addMarket("btc", "usdt");
  const member = await test.addMember("alice", { btc: "100" });
  const otp = { member, step: FIRST_STEP - 1, generation: 0 };
  await test.must({ kind: "set_two_factor", ...otp, isOn: true });
  await test.must({ kind: "create_beneficiary", member, currency: "btc", addressDigest: "a" });
  await test.must({ kind: "try_pin", member, id: 1, pin: 1, isRight: true });
  return test;
}

/** Submits a command; repeats it while the other engine holds the file: it has had no effect. */
async function submitted(
  test: EngineVenue,
  command: Command,
  signature: Signature | null = null,
): Promise<Outcome> {
  for (let tries = 1;; tries++) {
    try {
      return await test.engine.submit(command, signature);
    } catch (error) {
      const isFailing = error instanceof UnavailableError && error.message === "store_failing";
      if (!isFailing || tries === SUBMITS_MAX) throw error;
    }
  }
}

function request(test: EngineVenue, amount: string, step: number): Promise<Outcome> {
  const member = test.member("alice");
  return submitted(test, {
    kind: "request_withdraw",
    member,
    otp: { member, step, generation: 1 },
    beneficiary: 1,
    currency: "btc",
    amount: units(amount),
  });
}

/** Counts the outcomes by name. */
function tally(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) {
    const name = isRejection(outcome) ? outcome.rejected : outcome.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function closeClean(path: string, ...all: EngineVenue[]): Promise<void> {
  for (const test of all) {
    test.venue.checkInvariants();
    assertEquals(test.faults.filter((fault) => !isLockedFault(fault)), []);
  }
  for (const test of all) await test.close();
  assertEquals((await runAudit(path)).differences, []);
}

describe("withdrawals raced on one balance by two engines", () => {
  it("lock each amount once, and never more than there is", async () => {
    await using file = await VenueFile.create();
    const one = await openWithdrawer(file.path);
    const two = await EngineVenue.open({ path: file.path, isShared: true });
    const both = [one, two];
    // Ten codes at a time, one each; a later code that arrives first voids earlier ones.
    const outcomes: Outcome[] = [];
    for (let i = 0; i < WITHDRAWS; i += 10) {
      outcomes.push(
        ...await Promise.all(
          Array.from(
            { length: 10 },
            (_, j) => request(both[j % 2] as EngineVenue, "0.3", FIRST_STEP + i + j),
          ),
        ),
      );
    }
    await one.engine.fresh();
    const counts = tally(outcomes);
    const locked = one.venue.holder(one.member("alice")).accounts[0];
    const accepted = counts["withdraw_set"] ?? 0;
    // The first of each ten to arrive is accepted, as long as there is enough.
    assert(accepted >= WITHDRAWS / 10, JSON.stringify(counts));
    assertEquals(locked, {
      available: units("100") - BigInt(accepted) * units("0.3"),
      locked: BigInt(accepted) * units("0.3"),
    });
    assertEquals(one.venue.withdraws.size, accepted);
    assertEquals(Object.values(counts).reduce((sum, count) => sum + count), WITHDRAWS);
    await closeClean(file.path, one, two);
  });

  it("accept a code once, whichever engine is asked and however often", async () => {
    await using file = await VenueFile.create();
    const one = await openWithdrawer(file.path);
    const two = await EngineVenue.open({ path: file.path, isShared: true });
    const outcomes = await Promise.all(
      Array.from({ length: WITHDRAWS }, (_, i) => request(i % 2 === 0 ? one : two, "0.001", 5000)),
    );
    assertEquals(tally(outcomes), { withdraw_set: 1, otp_invalid: WITHDRAWS - 1 });
    await closeClean(file.path, one, two);
  });
});

/** Submits something that was used before: a code, a pin or a nonce. */
function replay(test: EngineVenue, i: number): Promise<Outcome> {
  const member = test.member("alice");
  switch (i % 4) {
    case 0:
      return request(test, "0.001", FIRST_STEP);
    case 1:
      return submitted(test, {
        kind: "spend_otp",
        otp: { member, step: FIRST_STEP, generation: 1 },
      });
    case 2:
      return submitted(test, { kind: "try_pin", member, id: 1, pin: 1, isRight: true });
    default:
      return submitted(test, { kind: "spend_nonce", member }, usedSignature(test));
  }
}

function usedSignature(test: EngineVenue): Signature {
  const key = test.venue.keys[0]?.key;
  if (key === undefined) throw new Error("alice has no key");
  return { key: key.index, nonce: key.createdAt, digest: 0 };
}

async function replayAll(tests: readonly EngineVenue[], count: number): Promise<void> {
  const step = 500;
  const outcomes: Outcome[] = [];
  for (let i = 0; i < count; i += step) {
    outcomes.push(
      ...await Promise.all(
        Array.from(
          { length: step },
          (_, j) => replay(tests[j % tests.length] as EngineVenue, i + j),
        ),
      ),
    );
  }
  assertEquals(tally(outcomes), {
    otp_invalid: count / 2,
    beneficiary_not_pending: count / 4,
    nonce_already_used: count / 4,
  });
}

describe("used codes, pins and nonces", () => {
  it("are refused by either of two engines and after a restart", async () => {
    await using file = await VenueFile.create();
    const one = await openWithdrawer(file.path);
    await one.addKey("read");
    assertEquals(tally([await request(one, "0.001", FIRST_STEP)]), { withdraw_set: 1 });
    const spend = { kind: "spend_nonce", member: one.member("alice") } as const;
    assertEquals(tally([await one.engine.submit(spend, usedSignature(one))]), { nonce_spent: 1 });
    const two = await EngineVenue.open({ path: file.path, isShared: true });
    await replayAll([one, two], REPLAYS / 2);
    await one.close();
    const again = await EngineVenue.open({ path: file.path, isShared: true });
    await replayAll([again, two], REPLAYS / 2);
    assertEquals(again.venue.counters.withdraws, 1);
    await closeClean(file.path, two, again);
  });

  it("of a beneficiary with too many wrong pins are refused after a restart", async () => {
    await using file = await VenueFile.create();
    const one = await openWithdrawer(file.path);
    const member = one.member("alice");
    await one.must({ kind: "create_beneficiary", member, currency: "btc", addressDigest: "b" });
    const guess = { kind: "try_pin", member, id: 2, pin: 1 } as const;
    for (let i = 0; i < PIN_TRIES; i++) await one.must({ ...guess, isRight: false });
    await one.close();
    const again = await EngineVenue.open({ path: file.path, isShared: true });
    const outcome = await again.engine.submit({ ...guess, isRight: true }, null);
    assertEquals(tally([outcome]), { pin_invalid: 1 });
    await closeClean(file.path, again);
  });
});
