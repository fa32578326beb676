/**
 * Kills a venue during deposits and withdrawals. `KILL_ROUNDS=100` runs longer; each round kills
 * the process at a different stage of its deposits, claims and payouts.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { diagnostic } from "../support/diagnostic.ts";
import { runAudit } from "../../src/engine/start/audit.ts";
import { VenueFile } from "../support/engine_venue.ts";
import { units } from "../support/domain_venue.ts";
import {
  addPeople,
  type MoneyParts,
  openMoney,
  PAYEE_PREFIX,
  PEOPLE,
  STARTING_COINS,
} from "./killed_money.ts";

const ROUNDS = Number(Deno.env.get("KILL_ROUNDS") ?? 4);
const KILL_MS_MAX = 600;
const SETTLE_TICKS_MAX = 3000;
const SETTLE_PAUSE_MS = 10;
const PROGRAM = new URL("./killed_money_process.ts", import.meta.url).href;

/** The answers that the processes printed before they were killed. */
interface Answers {
  readonly withdrawn: number[];
  readonly paid: string[];
}

/**
 * Runs the process and kills it a random time after it is ready, or after its first withdrawal and
 * payment are answered.
 */
async function runUntilKilled(path: string, answers: Answers, isAnswered: boolean): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-read", "--allow-write", PROGRAM, path],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    // An incomplete line does not count.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) note(line, answers);
    const { withdrawn, paid } = answers;
    if (isAnswered && (withdrawn.length === 0 || paid.length === 0)) continue;
    timer ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * KILL_MS_MAX);
  }
  clearTimeout(timer);
  const { signal } = await child.status;
  assertEquals(signal, "SIGKILL", "The process ended by itself");
}

function note(line: string, answers: Answers): void {
  const [what, name = ""] = line.split(" ");
  if (what === "withdrawn") answers.withdrawn.push(Number(name));
  if (what === "paid") answers.paid.push(name);
}

async function assertAuditIsClean(path: string, moment: string): Promise<void> {
  assertEquals((await runAudit(path)).differences, [], `The audit ${moment}`);
}

/** Ticks the wallet until no deposit or withdrawal is in progress, and none is to come. */
async function settle(parts: MoneyParts): Promise<void> {
  const { test: { venue }, wallet } = parts;
  for (let ticks = 0; ticks < SETTLE_TICKS_MAX; ticks++) {
    await wallet.tick();
    const isDone = venue.withdraws.size === 0 && venue.deposits.size === 0;
    // A tick takes only some of many outputs.
    const isAll = (await paidToMembers(parts)).size <= venue.counters.deposits;
    if (isDone && isAll && ticks > 1) return;
    await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS));
  }
  throw new Error(`${venue.withdraws.size} withdrawals and ${venue.deposits.size} deposits hang`);
}

/** Asserts that every answered withdrawal exists, and every existing one was paid out once. */
async function checkWithdraws({ test, rail }: MoneyParts, withdrawn: number[]): Promise<bigint> {
  const { counters } = test.venue;
  assertEquals(new Set(withdrawn).size, withdrawn.length, "One id was the answer to two requests");
  assert(
    withdrawn.every((id) => id <= counters.withdraws),
    "A withdrawal that was answered is lost",
  );
  let gone = 0n;
  const txids: string[] = [];
  for (let id = 1; id <= counters.withdraws; id++) {
    const withdraw = await test.engine.withdraw(id);
    assertEquals(withdraw?.state, "succeed", `Withdrawal ${id}`);
    gone += withdraw?.amount ?? 0n;
    txids.push(withdraw?.txid ?? "");
  }
  const { outputs } = await rail.watch({ currency: "btc" }, null);
  const payouts = outputs.filter(({ address }) => address.startsWith(PAYEE_PREFIX));
  assertEquals(payouts.map(({ txid }) => txid).sort(), txids.sort(), "Payouts");
  return gone;
}

/** Returns the transactions that have paid to members. */
async function paidToMembers({ rail }: Pick<MoneyParts, "rail">): Promise<ReadonlySet<string>> {
  const { outputs } = await rail.watch({ currency: "btc" }, null);
  const payments = outputs.filter(({ address }) => !address.startsWith(PAYEE_PREFIX));
  return new Set(payments.map(({ txid }) => txid));
}

/** Asserts that every payment to a member, answered or not, is one deposit. */
async function checkDeposits(parts: MoneyParts, paid: string[]): Promise<bigint> {
  const { test } = parts;
  const onChain = await paidToMembers(parts);
  assert(paid.every((txid) => onChain.has(txid)), "A payment that was answered is lost");
  let come = 0n;
  const txids: string[] = [];
  for (let id = 1; id <= test.venue.counters.deposits; id++) {
    const deposit = await test.engine.deposit(id);
    assertEquals(deposit?.state, "collected", `Deposit ${id}`);
    come += deposit?.amount ?? 0n;
    txids.push(deposit?.txid ?? "");
  }
  assertEquals(txids.sort(), [...onChain].sort(), "Deposits");
  return come;
}

async function countTakenOver({ test }: MoneyParts): Promise<number> {
  let count = 0;
  for (let id = 1; id <= test.venue.counters.withdraws; id++) {
    if ((await test.engine.withdraw(id))?.claims !== 1) count += 1;
  }
  return count;
}

describe("a venue killed amid deposits and withdrawals", () => {
  it(`credits and pays out everything once, in ${ROUNDS} rounds`, async () => {
    await using file = await VenueFile.create();
    const first = await openMoney(file.path);
    await addPeople(first);
    await first.test.close();
    const answers: Answers = { withdrawn: [], paid: [] };
    for (let round = 1; round <= ROUNDS; round++) {
      // However slow the machine, there is something to lose or to double.
      await runUntilKilled(file.path, answers, round === 1);
      await assertAuditIsClean(file.path, `after kill ${round}`);
    }
    const last = await openMoney(file.path);
    await settle(last);
    const gone = await checkWithdraws(last, answers.withdrawn);
    const come = await checkDeposits(last, answers.paid);
    assert(gone > 0n && come > 0n);
    const { counters } = last.test.venue;
    diagnostic(`${counters.withdraws} withdrawals and ${counters.deposits} deposits, of`);
    diagnostic(
      `which ${answers.withdrawn.length} and ${answers.paid.length} were answered`,
    );
    diagnostic(`${await countTakenOver(last)} claims were taken over`);
    const accounts = PEOPLE.map((uid) => last.test.venue.holder(last.test.member(uid)).accounts[0]);
    const locked = accounts.map((account) => account?.locked);
    assertEquals(locked, accounts.map(() => 0n));
    const held = accounts.reduce((sum, account) => sum + (account?.available ?? 0n), 0n);
    assertEquals(held, units(STARTING_COINS) * BigInt(PEOPLE.length) + come - gone);
    await last.test.close();
    await assertAuditIsClean(file.path, "at the end");
  });
});
