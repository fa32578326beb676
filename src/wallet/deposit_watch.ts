/**
 * Watches the chains for deposits. Any number of processes may watch at once: each submits what it
 * finds as a command, and the log decides which was first.
 */
import { present } from "../domain/assert.ts";
import { isRejection } from "../domain/command.ts";
import { type Currency, currencyOn, dustOf, type Way, waysOf } from "../domain/money/currency.ts";
import {
  ANY_OUTPUT,
  type Deposit,
  depositKey,
  isDepositOpen,
  soughtDeposit,
  transactionName,
} from "../domain/money/deposit.ts";
import type { Engine } from "../engine/engine.ts";
import { walletCursorKey } from "../engine/sidecar_rows.ts";
import { isReversed } from "./bookings.ts";
import type { DepositAddresses } from "./deposit_addresses.ts";
import {
  advanceDeposit,
  countedConfirmations,
  depositTerms,
  isConfirmed,
} from "./deposit_steps.ts";
import type { Rail, SeenOutput } from "./rails/rail.ts";
import { checkOutput } from "./rails/rail_answers.ts";
import { fromBehind, RailCalls } from "./rail_calls.ts";
import type { WalletNotices } from "./wallet_notices.ts";
import { WatchTurns } from "./watch_turns.ts";

/** Time limit for an answer of the rail, in ms. */
const RAIL_MS_MAX = 10_000;
/** Outputs of one way that are taken in one tick at least, and in which time more, in ms. */
const WATCHED = { least: 50, ms: 1_000 };
/** Open deposits looked up in one tick, apart from those that the watch has seen. */
const LOOKS_PER_TICK_MAX = 50;
/** Between two turns of looks at what only an operator or other terms can bring further, in ms. */
const RESTING_MS = 60_000;
/** Tells the return of one that stands apart from that of one that was taken back. */
const STANDING_ROUND = 1;
/** Attempts per tick to write a deposit to the log. */
const OBSERVE_TRIES_MAX = 3;

/** What the watch needs of the engine. */
export type WatchEngine = Pick<
  Engine,
  | "submit"
  | "venue"
  | "fresh"
  | "folded"
  | "deposit"
  | "findDeposit"
  | "readSidecar"
  | "changeSidecar"
  | "now"
>;

/** What the watch works with. */
export interface DepositWatchParts {
  readonly engine: WatchEngine;
  /** Null when only the operator vouches for deposits. */
  readonly rail: Rail | null;
  /** Whether a way is watched here; all are if it is absent. */
  readonly isOurs?: (way: Way) => boolean;
  readonly addresses: Pick<DepositAddresses, "uidOf" | "isShared"> | null;
  readonly notices: Pick<WalletNotices, "add" | "read" | "withdraw">;
  /** Called with each fault; the work is tried again. */
  readonly onFault: (error: unknown) => void;
  /** How many outputs of one way are taken in one tick at least, and in which time more, in ms. */
  readonly watched?: { readonly least: number; readonly ms: number };
}

/** What a tick has found of the outputs that the chains show, by their names. */
interface SeenNames {
  /** Ids of their deposits. */
  readonly known: Map<string, number>;
  /** Those of ended deposits with nothing left to report, as they were. */
  readonly settled: Map<string, string>;
  /** Those whose amount is refused, with the terms by which it is. */
  readonly refused: Map<string, string>;
}

function noNames(): SeenNames {
  return { known: new Map(), settled: new Map(), refused: new Map() };
}

/** Takes deposits from the chain to the member's balance. */
export class DepositWatch {
  readonly #parts: DepositWatchParts;
  /** What the last tick has seen. */
  #seen = noNames();
  /** Deposits of this tick's outputs. One with two outputs was entered as a whole transaction. */
  #taken = new Set<number>();
  /** Names of ways whose outputs were all handled in the last tick. */
  #watched = new Set<string>();
  readonly #calls = new RailCalls();
  /** The way about which the rail was silent, by its name, and the deposit, by its id. */
  #silentAt = { way: "", deposit: 0 };
  /** Of the outputs of ways, by the ways' names. */
  readonly #watchTurns = new Map<string, WatchTurns>();
  readonly #waitingTurns = new Turns();
  readonly #restingTurns = new Turns();
  /** Deposits that are confirmed and submitted still, by id, and by which terms they are. */
  #resting = new Map<number, string>();
  /** When those were last looked at. */
  #restingAt = 0;

  constructor(parts: DepositWatchParts) {
    this.#parts = parts;
  }

  /** Runs one round over all chains and open deposits. */
  async tick(signal: AbortSignal): Promise<void> {
    const { engine } = this.#parts;
    const now = noNames();
    this.#watched = new Set();
    this.#taken = new Set();
    this.#calls.begin();
    const ways = engine.venue.currencies
      .flatMap((currency) => currency.type === "coin" ? waysOf(currency) : [])
      .filter((way) => this.#isOurs(way) && this.#parts.rail?.serves(way));
    for (const way of fromBehind(ways, (one) => nameOfWay(one) === this.#silentAt.way)) {
      if (signal.aborted) return;
      await this.#guarded(() => this.#watch(way, now, signal));
      this.#silentAt.way = this.#calls.isSilent ? nameOfWay(way) : "";
      if (this.#calls.isSilent) break;
    }
    this.#seen = now;
    // What one coin's watch waits for may be that coin's alone.
    this.#calls.begin();
    await this.#lookAtOthers(signal);
  }

  #isOurs(way: Way): boolean {
    return this.#parts.isOurs?.(way) ?? true;
  }

  /**
   * Notes an output and takes its deposit as far as it can go.
   *
   * @returns the deposit; null when the output belongs to no member or is refused
   */
  async take(way: Way, seen: SeenOutput): Promise<Deposit | null> {
    const deposit = await this.#observed(way, seen);
    return deposit === null || deposit === "refused" ? null : await this.#advance(deposit, seen);
  }

  /**
   * Takes what has become of a credited output for good. Where it was told to be lost, or another one,
   * and is there again, an operator has to know: the deposit stands, or was reversed for no reason.
   */
  async settle(way: Way, seen: SeenOutput): Promise<void> {
    const { engine, notices } = this.#parts;
    const deposit = await this.take(way, seen);
    if (deposit === null || seen.isDropped) return;
    const { id, txid } = deposit;
    const notice = { ...this.#wayOf(deposit), id, txid };
    const lost = { ...notice, kind: "deposit_lost" };
    const other = { ...notice, kind: "deposit_mismatched" };
    const isLost = await notices.read(lost) !== null;
    const mismatch = await notices.read(other, seen.output);
    const isOther = mismatch !== null && mismatch.reason !== "another_output" &&
      await this.#difference(deposit, seen) === null;
    if (!isLost && !isOther) return;
    if (!await isReversed(engine, deposit)) {
      await notices.add({ ...notice, kind: "deposit_returned", reason: "lost" }, STANDING_ROUND);
    }
    await notices.withdraw(lost);
    if (isOther) await notices.withdraw(other, seen.output);
  }

  async #watch(way: Way, now: SeenNames, signal: AbortSignal): Promise<void> {
    const { rail, engine } = this.#parts;
    if (rail === null) return;
    const key = walletCursorKey(rail.name, way);
    const since = await engine.readSidecar(key) as string | null;
    const { outputs, cursor } = await this.#calls.answer(RAIL_MS_MAX, rail.watch(way, since));
    if (!await this.#takeInTurns(way, outputs, now, signal)) return;
    this.#watched.add(nameOfWay(way));
    if (cursor === since) return;
    // Another process may have moved the cursor further; reading outputs again is harmless.
    await engine.changeSidecar(key, (old) => old === since ? cursor : old);
  }

  /**
   * Takes outputs for a while, in turns by whom they pay: others' deposits wait for one of a member who
   * is sent thousands, not for all.
   *
   * @returns whether each output was taken, or its deposit is known since an earlier tick
   */
  async #takeInTurns(
    way: Way,
    outputs: readonly SeenOutput[],
    now: SeenNames,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { watched: { least, ms } = WATCHED } = this.#parts;
    const key = nameOfWay(way);
    const turns = this.#watchTurns.get(key) ?? new WatchTurns();
    this.#watchTurns.set(key, turns);
    const waiting = outputs
      .map((seen) => ({ seen, name: this.#nameOf(way, seen), owner: ownerOf(seen) }))
      .filter(({ seen, name }) => !this.#isDone(way, seen, name, now));
    const untilMs = performance.now() + ms;
    let isComplete = true;
    let isOver = false;
    for (const [i, one] of turns.order(waiting).entries()) {
      if (signal.aborted) return false;
      if (isOver) {
        const id = this.#idOf(way, one.seen, one.name);
        if (id !== undefined) now.known.set(one.name, id);
        isComplete = isComplete && id !== undefined;
        continue;
      }
      turns.took(one);
      const isTaken = await this.#guarded(() => this.#takeSeen(way, one.seen, one.name, now));
      isComplete = isComplete && isTaken;
      isOver = i + 1 >= least && performance.now() >= untilMs;
    }
    return isComplete;
  }

  #nameOf(way: Way, { txid, output }: SeenOutput): string {
    const currency = this.#currency(way);
    const transaction = transactionName(currency, txid, way.network);
    return depositKey({ currency: currency.index, transaction, output });
  }

  /** Returns whether there is nothing to do about an output since the last tick. */
  #isDone(
    way: Way,
    seen: SeenOutput,
    name: string,
    { known, settled, refused }: SeenNames,
  ): boolean {
    const id = this.#idOf(way, seen, name);
    const terms = depositTerms(this.#currency(way));
    if (id === undefined && this.#seen.refused.get(name) === terms) {
      refused.set(name, terms);
      return true;
    }
    if (id !== undefined && this.#seen.settled.get(name) === manner(seen)) {
      known.set(name, id);
      settled.set(name, manner(seen));
      this.#taken.add(id);
      return true;
    }
    return false;
  }

  async #takeSeen(
    way: Way,
    seen: SeenOutput,
    name: string,
    { known, settled, refused }: SeenNames,
  ): Promise<void> {
    const id = this.#idOf(way, seen, name);
    const terms = depositTerms(this.#currency(way));
    const observed = id === undefined ? await this.#observed(way, seen) : await this.#deposit(id);
    if (observed === "refused") refused.set(name, terms);
    if (observed === "refused" || observed === null) return;
    const deposit = await this.#advance(observed, seen);
    const isAnother = this.#taken.has(deposit.id) && !known.has(name);
    if (isAnother && !seen.isDropped) await this.#tellMismatch(deposit, seen, "another_output");
    this.#taken.add(deposit.id);
    known.set(name, deposit.id);
    const isSettled = !isDepositOpen(deposit, true) && (seen.isDropped || isThere(seen));
    if (isSettled) settled.set(name, manner(seen));
  }

  /**
   * Returns the deposit of an output as far as it is known without the rows. Its name may be another's
   * since the last tick: one that was turned down or reversed has given it up.
   */
  #idOf(way: Way, { txid, output }: SeenOutput, name: string): number | undefined {
    const known = this.#seen.known.get(name);
    const sought = soughtDeposit(this.#currency(way), txid, output, way.network);
    const latest = this.#parts.engine.venue.depositNames.get(sought) ?? known;
    if (known !== undefined && latest !== known) this.#seen.settled.delete(name);
    return latest;
  }

  /** Finds the deposit of an output, or creates it; `refused` while the currency's terms refuse it. */
  async #observed(way: Way, seen: SeenOutput): Promise<Deposit | "refused" | null> {
    const { engine, addresses, notices } = this.#parts;
    checkOutput(seen);
    const { txid, output, amount } = seen;
    const uid = await addresses?.uidOf(way, seen.address, seen.tag) ?? null;
    if (uid === null) {
      await this.#tellUntagged(way, seen);
      return null;
    }
    const currency = this.#currency(way);
    const { network } = way;
    const on = network === undefined ? {} : { network };
    for (let tries = 1; tries <= OBSERVE_TRIES_MAX; tries++) {
      const lookup = await engine.findDeposit(currency.index, txid, output, network);
      // The rows lag a moment behind the state.
      const late = engine.venue.depositNames.get(soughtDeposit(currency, txid, output, network));
      const knownId = lookup.knownId === 0 ? late : lookup.knownId;
      if (knownId !== undefined) return await this.#deposit(knownId);
      if (seen.isDropped) return null;
      const confirmations = countedConfirmations(currency, seen.confirmations);
      const outcome = await engine.submit({
        kind: "observe_deposit",
        uid,
        currency: currency.id,
        ...on,
        amount,
        txid,
        output,
        confirmations,
        ...lookup,
      }, null);
      if (!isRejection(outcome)) {
        if (outcome.kind === "deposit_set") return outcome.deposit;
        if (outcome.kind === "deposit_known") return await this.#deposit(outcome.id);
        throw new TypeError(`Unexpected receipt "${outcome.kind}"`);
      }
      if (outcome.rejected === "deposit_check_stale") {
        await engine.folded();
        continue;
      }
      const reason = outcome.rejected;
      const notice = { currency: currency.id, ...on, id: 0, txid, reason };
      // One for its transaction, which may have thousands of such outputs.
      await notices.add({ ...notice, kind: "deposit_refused" });
      return reason === "deposit_amount_invalid" ? "refused" : null;
    }
    throw new StaleDepositError(txid);
  }

  /** Tells the operator once of what a block holds for all members' address and no member's tag. */
  async #tellUntagged(way: Way, seen: SeenOutput): Promise<void> {
    const { addresses, notices } = this.#parts;
    const { address, tag, txid, output } = seen;
    if (this.#currency(way).tag === undefined || seen.isDropped || seen.confirmations === 0) return;
    if (!await addresses?.isShared(way, address)) return;
    const reason = tag === undefined ? "no_tag" : "unknown_tag";
    const { currency } = way;
    await notices.add({ kind: "deposit_untagged", currency, id: 0, txid, reason }, output);
  }

  async #deposit(id: number): Promise<Deposit> {
    const { engine } = this.#parts;
    const open = engine.venue.deposits.get(id);
    if (open !== undefined) return open;
    await engine.fresh();
    const deposit = await engine.deposit(id);
    if (deposit === null) throw new TypeError(`Deposit ${id} is known but missing`);
    return deposit;
  }

  async #advance(deposit: Deposit, seen: SeenOutput): Promise<Deposit> {
    const { engine, notices } = this.#parts;
    checkOutput(seen);
    // What is gone differs in nothing else.
    const isLost = seen.isDropped && deposit.state === "collected";
    const reason = isLost ? null : await this.#difference(deposit, seen);
    if (reason !== null) {
      await this.#tellMismatch(deposit, seen, reason);
      // The chain contradicts the operator's entry, so the operator has to accept the deposit.
      if (deposit.state === "submitted") return deposit;
    }
    const result = await advanceDeposit(engine, deposit, seen);
    const { id, txid, state } = result;
    const notice = { ...this.#wayOf(result), id, txid };
    const isTakenBack = deposit.state === "collected" && await isReversed(engine, result);
    if (seen.isDropped && state === "collected") {
      // What is taken back already is nobody's loss.
      if (isTakenBack) return result;
      await notices.add({ ...notice, kind: "deposit_lost", reason: "dropped_after_collection" });
      // It may have been there again in between.
      await notices.withdraw({ ...notice, kind: "deposit_returned" }, STANDING_ROUND);
    } else if (isThere(seen) && (isTakenBack || GIVEN_UP.has(state))) {
      const reason = isTakenBack ? "reversed" : state;
      await notices.add({ ...notice, kind: "deposit_returned", reason });
    }
    return result;
  }

  /** Notes a mismatch once per output: the first notice stays. */
  async #tellMismatch(
    deposit: Deposit,
    { output }: SeenOutput,
    reason: "another_amount" | "another_member" | "another_output",
  ): Promise<void> {
    const { id, txid } = deposit;
    const notice = { ...this.#wayOf(deposit), id, txid, reason };
    await this.#parts.notices.add({ ...notice, kind: "deposit_mismatched" }, output);
  }

  /**
   * Returns how the chain differs from what the operator has entered, or another block had; null when
   * they agree.
   */
  async #difference(
    deposit: Deposit,
    seen: SeenOutput,
  ): Promise<"another_amount" | "another_member" | null> {
    const { engine, addresses } = this.#parts;
    // An operator may have entered it without what is too small for its currency.
    const whole = seen.amount - dustOf(engine.venue.currency(deposit.currency), seen.amount);
    if (deposit.amount !== seen.amount && deposit.amount !== whole) return "another_amount";
    const uid = await addresses?.uidOf(this.#wayOf(deposit), seen.address, seen.tag) ?? null;
    return uid === engine.venue.holder(deposit.member).member.uid ? null : "another_member";
  }

  /** Looks up open deposits that the watch did not show: final outputs, and the operator's. */
  async #lookAtOthers(signal: AbortSignal): Promise<void> {
    const seen = new Set(this.#seen.known.values());
    const isMoving = (deposit: Deposit) => deposit.state !== "submitted";
    const { venue } = this.#parts.engine;
    const others = [...venue.deposits.values()].filter((deposit) =>
      !seen.has(deposit.id) && venue.isCoin(deposit.currency) && this.#isOurs(this.#wayOf(deposit))
    );
    const moving = fromBehind(others.filter(isMoving), ({ id }) => id === this.#silentAt.deposit);
    const waiting = others.filter((deposit) => !isMoving(deposit) && namesOutput(deposit));
    for (const deposit of [...moving, ...this.#turnOf(waiting)]) {
      if (signal.aborted) return;
      await this.#guarded(() => this.#lookAt(deposit));
      for (const turns of [this.#waitingTurns, this.#restingTurns]) turns.took(deposit);
      this.#silentAt.deposit = this.#calls.isSilent ? deposit.id : 0;
      if (this.#calls.isSilent) return;
    }
  }

  /** Returns which of the deposits that are submitted have their turn now. */
  #turnOf(deposits: readonly Deposit[]): readonly Deposit[] {
    const terms = new Map<string, string>();
    const termsOf = (deposit: Deposit) => {
      const way = this.#wayOf(deposit);
      const name = nameOfWay(way);
      const known = terms.get(name) ?? depositTerms(this.#currency(way));
      terms.set(name, known);
      return known;
    };
    const { resting = [], waiting = [] } = Object.groupBy(
      deposits,
      (one) => this.#resting.get(one.id) === termsOf(one) ? "resting" : "waiting",
    );
    this.#resting = new Map(resting.map((one) => [one.id, termsOf(one)]));
    const turn = this.#waitingTurns.next(waiting);
    const at = this.#parts.engine.now();
    if (at - this.#restingAt < RESTING_MS) return turn;
    this.#restingAt = at;
    return [...turn, ...this.#restingTurns.next(resting)];
  }

  async #lookAt(deposit: Deposit): Promise<void> {
    const { engine, rail } = this.#parts;
    const way = this.#wayOf(deposit);
    const isServed = rail?.serves(way) ?? false;
    // Only the watch shows the outputs of a whole transaction; if it failed, this has to wait.
    const isWhole = deposit.txid !== "" && deposit.output === ANY_OUTPUT;
    if (isWhole && isServed && !this.#watched.has(nameOfWay(way))) return;
    const currency = this.#currency(way);
    const seen = rail !== null && isServed && namesOutput(deposit)
      ? await this.#calls.answer(RAIL_MS_MAX, rail.look(way, deposit.txid, deposit.output))
      : null;
    if (seen === null) {
      await advanceDeposit(engine, deposit, null);
      return;
    }
    const { id, state } = await this.#advance(deposit, seen);
    const isResting = state === "submitted" && isConfirmed(currency, seen);
    if (isResting) this.#resting.set(id, depositTerms(currency));
    else this.#resting.delete(id);
  }

  /** Returns the currency of a way by its terms there. */
  #currency({ currency, network }: Way): Currency {
    const { venue } = this.#parts.engine;
    const known = present(venue.currencyById.get(currency), "a way is one of a currency");
    return currencyOn(known, network);
  }

  #wayOf({ currency, network }: Deposit): Way & Pick<Deposit, "network"> {
    const { id } = this.#parts.engine.venue.currency(currency);
    return network === undefined ? { currency: id } : { currency: id, network };
  }

  /** Returns whether the work succeeded; if not, the next tick tries again. */
  async #guarded(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#parts.onFault(error);
      return false;
    }
  }
}

/** Takes the next of many in turns. */
class Turns {
  #turn: readonly Deposit[] = [];
  /** Id of the last deposit that had its turn. */
  #last = 0;

  next(deposits: readonly Deposit[]): readonly Deposit[] {
    const later = deposits.filter(({ id }) => id > this.#last);
    this.#turn = (later.length > 0 ? later : deposits).slice(0, LOOKS_PER_TICK_MAX);
    return this.#turn;
  }

  /** Takes note that one had its turn, if it is one of these. */
  took({ id }: Deposit): void {
    if (this.#turn.some((one) => one.id === id)) this.#last = id;
  }
}

function nameOfWay({ currency, network = "" }: Way): string {
  return `${currency}:${network}`;
}

/** Returns for whom an output is, as far as it tells by itself. */
function ownerOf({ address, tag }: SeenOutput): string {
  return tag === undefined ? address : JSON.stringify([address, tag]);
}

/** Returns all of an output that makes a difference once its deposit has ended. */
function manner({ address, tag, amount, isDropped }: SeenOutput): string {
  return JSON.stringify([address, tag, `${amount}`, isDropped]);
}

/** Returns whether a block holds an output, and nothing that the venue has sent may take its place. */
function isThere({ confirmations, isReplaceable, isDropped }: SeenOutput): boolean {
  return confirmations > 0 && isReplaceable !== true && !isDropped;
}

/** States of deposits that were given up. */
const GIVEN_UP: ReadonlySet<Deposit["state"]> = new Set(["canceled", "errored"]);

/** A deposit could not be written yet, because the rows were behind at every attempt. */
class StaleDepositError extends Error {
  override name = "StaleDepositError";
  constructor(txid: string) {
    super(`Transaction ${txid} will be tried again: the rows are behind`);
  }
}

/** Returns whether a deposit names one output of a chain, which can be looked up. */
function namesOutput({ txid, output }: Deposit): boolean {
  return txid !== "" && output !== ANY_OUTPUT;
}
