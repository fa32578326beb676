/**
 * Sends withdrawals. A process claims a withdrawal in the log before it calls the rail. When it
 * stops, another process takes over the claim, and looks up what may have been sent before it sends
 * anything.
 */
import { isRejection } from "../domain/command.ts";
import type { Beneficiary } from "../domain/people/beneficiary.ts";
import type { Way } from "../domain/money/currency.ts";
import { isSameName, nameFormOf } from "../domain/money/chain_name.ts";
import type { Payee } from "../domain/money/tag.ts";
import { isMemberUsable } from "../domain/people/member.ts";
import type { ChangeWithdraw } from "../domain/money_command.ts";
import { isPayeeDisabled } from "../domain/money/taken_approvals.ts";
import { isClaimed, isWithdrawOpen, type Withdraw } from "../domain/money/withdraw.ts";
import { withdrawCurrency, withdrawWay } from "../domain/money/withdraw_network.ts";
import type { Engine } from "../engine/engine.ts";
import { readRestores, type Restores } from "../engine/start/restores.ts";
import { NO_RAIL, parkPayout } from "./park_payout.ts";
import { PayoutWaitsError } from "./rails/payout_waits.ts";
import { type FindOutcome, payoutId, type Rail, type SendOutcome } from "./rails/rail.ts";
import { checkedFind, checkedSend } from "./rails/rail_answers.ts";
import type { WalletNotices } from "./wallet_notices.ts";
import type { WithdrawNotices } from "./withdraw_notices.ts";
import { TooLateError } from "../engine/within.ts";
import { fromBehind, RailCalls } from "./rail_calls.ts";
import { inRounds } from "./watch_turns.ts";

/** Nothing is sent on a claim older than this, in ms. */
const CLAIM_SENDING_MS = 1_500;
/** Time limit for an answer of the rail, in ms: two fit into the rest of a claim's life. */
const RAIL_MS_MAX = 1_500;
/** Attempts per claim to send a payout or to learn whether it was sent. */
const SEND_TRIES_MAX = 3;
/** How long a process leaves a payout alone that has to wait, in ms. */
const WAIT_MS = 30_000;
/** Concurrent payouts of a process. */
const PAYOUTS_AT_ONCE = 8;

/** The most payouts that a process knows to wait: beyond them it tries all again. */
const WAITING_MAX = 10_000;

/** Why a payout is parked that a lock of its member has overtaken: an operator decides anew. */
const MEMBER_LOCKED = "the member is locked";
/** Why one is parked that goes to a beneficiary which an operator has disabled meanwhile. */
const BENEFICIARY_DISABLED = "the beneficiary is disabled";
/** What to do about one that waits for a rail that says nothing. */
const LOOK = ": the log has why (wallet_fault); see whether its node runs, and how fast it answers";
/** Why one is parked of which nobody knows where to. */
const NO_ADDRESS = "the beneficiary's address cannot be read";
/** Why one is parked that may have been paid by hand. */
const OLDER = "an older version may have had it paid by hand";
/** Why one is parked that was there when the store was restored. */
const FORGOTTEN = "it may have been paid after the copy from which the venue was restored";

type SentPayout = Extract<FindOutcome, { readonly kind: "sent" }>;

/** What payouts need of the engine. */
export type PayoutEngine = Pick<
  Engine,
  "submit" | "venue" | "fresh" | "now" | "withdraw" | "readSidecar"
>;

/** What payouts work with. */
export interface PayoutParts {
  readonly engine: PayoutEngine;
  readonly rail: Rail;
  /** Whether what leaves by a way is paid here. */
  readonly isOurs: (way: Way) => boolean;
  /** Whether the venue has no rail that pays this way, whatever this process was started with. */
  readonly isPaidByHand: (way: Way) => boolean;
  /** Returns a beneficiary's coin address and tag, which are sealed in a sidecar row. */
  readonly payeeOf: (beneficiary: Beneficiary) => Promise<Payee>;
  readonly notices: Pick<WalletNotices, "add" | "addWaiting" | "row" | "tell">;
  readonly memberNotices: Pick<WithdrawNotices, "ended">;
  /** Called with each fault; the work is tried again. */
  readonly onFault: (error: unknown) => void;
}

/** Takes withdrawals from the member's balance to the chain. */
export class Payouts {
  readonly #parts: PayoutParts;
  readonly #calls = new RailCalls();
  /** The last payout before the rail was silent. */
  #silentAt = 0;
  /** Transactions of late answers that are not in the log yet. */
  readonly #late = new Map<Withdraw, string>();
  /** When payouts that wait are tried again, by withdrawal, in ms. */
  readonly #waiting = new Map<number, number>();
  /** The store's restores, null if there was none; undefined until they are read. */
  #restores: Restores | null | undefined = undefined;

  constructor(parts: PayoutParts) {
    this.#parts = parts;
  }

  /** Runs one round over all open withdrawals. */
  async tick(signal: AbortSignal): Promise<void> {
    try {
      await this.#readRestores();
    } catch (error) {
      // Without them nobody knows which payouts are in doubt.
      return this.#parts.onFault(error);
    }
    for (const [withdraw, txid] of [...this.#late]) {
      await this.#guarded(() => this.#bookLate(withdraw, txid));
    }
    this.#calls.begin();
    const all = [...this.#parts.engine.venue.withdraws.values()].filter((one) => this.#isDue(one));
    // One of each member first: many of one must not take all coins that there are in a block.
    const inTurn = inRounds(Map.groupBy(all, ({ member }) => member).values());
    const due = fromBehind(inTurn, ({ id }) => id === this.#silentAt);
    for (let i = 0; i < due.length && !signal.aborted; i += PAYOUTS_AT_ONCE) {
      const some = due.slice(i, i + PAYOUTS_AT_ONCE);
      await Promise.all(some.map((one) => this.#guarded(() => this.#move(one))));
      this.#silentAt = this.#calls.isSilent ? some.at(-1)?.id ?? 0 : 0;
      if (this.#calls.isSilent) return;
    }
  }

  /** Returns what the rail says about a withdrawal's payout; null when it can't say. */
  async find(withdraw: Withdraw): Promise<FindOutcome | null> {
    const { engine, rail } = this.#parts;
    if (!rail.serves(withdrawWay(engine.venue, withdraw))) return null;
    try {
      return await this.#found(withdraw);
    } catch (error) {
      this.#parts.onFault(error);
      return null;
    }
  }

  /** Asks the rail; it throws when it can't say. */
  async #found(withdraw: Withdraw): Promise<FindOutcome> {
    const id = await this.#payoutId(withdraw);
    const { engine, rail } = this.#parts;
    const way = withdrawWay(engine.venue, withdraw);
    return checkedFind(await this.#calls.answer(RAIL_MS_MAX, rail.find(id, way)));
  }

  #isDue(withdraw: Withdraw): boolean {
    const { engine, rail } = this.#parts;
    const { venue } = engine;
    const currency = venue.currency(withdraw.currency);
    const way = withdrawWay(venue, withdraw);
    if (currency.type !== "coin" || !this.#parts.isOurs(way) || !rail.serves(way)) return false;
    switch (withdraw.state) {
      case "accepted":
        return rail.pays(way) && withdraw.isApproved && withdraw.isByHand === false &&
          (this.#isAllowed(withdraw) || this.#isDoubted(withdraw));
      case "processing":
        return !isClaimed(withdraw, engine.now()) && !this.#isWaiting(withdraw);
      case "confirming":
        this.#waiting.delete(withdraw.id);
        return true;
      default:
        return false;
    }
  }

  #isWaiting({ id }: Withdraw): boolean {
    return this.#parts.engine.now() < (this.#waiting.get(id) ?? 0);
  }

  /** Leaves a payout for a while that its rail can't make yet, and tells the operator why. */
  async #wait(
    withdraw: Withdraw,
    { reason: kind, message: reason }: PayoutWaitsError,
  ): Promise<void> {
    const { engine, notices } = this.#parts;
    const { id } = withdraw;
    if (this.#waiting.size >= WAITING_MAX) this.#waiting.clear();
    this.#waiting.set(id, engine.now() + WAIT_MS);
    const way = withdrawWay(engine.venue, withdraw);
    await notices.addWaiting({ kind: "payout_waits", ...way, id, txid: "", reason }, kind);
  }

  /** Returns whether payouts to the withdrawal's member are allowed now. */
  #isAllowed(withdraw: Withdraw): boolean {
    const { engine: { venue }, isPaidByHand } = this.#parts;
    return venue.switches.withdrawals && withdrawCurrency(venue, withdraw).withdrawalEnabled &&
      !isPaidByHand(withdrawWay(venue, withdraw)) &&
      isMemberUsable(venue.holder(withdraw.member).member);
  }

  /** Returns why an operator has to decide anew whether to pay at all; null if not. */
  #objection(withdraw: Withdraw): string | null {
    const { venue } = this.#parts.engine;
    if (!isMemberUsable(venue.holder(withdraw.member).member)) return MEMBER_LOCKED;
    return isPayeeDisabled(venue, withdraw) ? BENEFICIARY_DISABLED : null;
  }

  /**
   * Returns whether the venue may have paid a withdrawal and have forgotten it: the store was restored
   * since it was requested, and no operator has had it paid after that.
   */
  #isDoubted({ state, createdAt, updatedAt }: Withdraw): boolean {
    const { last = -Infinity } = this.#restores ?? {};
    if (!this.#parts.rail.isOutside || createdAt > last) return false;
    return state === "accepted" || (state === "processing" && updatedAt <= last);
  }

  /** Returns why a payout that has not been sent is parked instead of taken over; null if it is not. */
  #parkingReason(withdraw: Withdraw): string | null {
    const { engine: { venue }, isPaidByHand } = this.#parts;
    if (this.#isDoubted(withdraw)) return FORGOTTEN;
    if (withdraw.isByHand !== false) return OLDER;
    if (isPaidByHand(withdrawWay(venue, withdraw))) return NO_RAIL;
    return this.#objection(withdraw);
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.onFault(error);
    }
  }

  async #move(withdraw: Withdraw): Promise<void> {
    if (withdraw.state === "confirming") return await this.#confirm(withdraw);
    // Done even while withdrawals are stopped: the log has to learn of an earlier payout.
    const isDoubted = this.#isDoubted(withdraw);
    const mayBeSent = withdraw.state === "processing" || isDoubted;
    const found = mayBeSent ? await this.#settleFound(withdraw) : "absent";
    if (found === "settled" || found === "waits") return;
    // Only what the rail certainly has nothing of is left to the operator.
    if (isDoubted && found === "unknown") return;
    // Those who have what signs it go on with it.
    if (!this.#parts.rail.pays(withdrawWay(this.#parts.engine.venue, withdraw))) return;
    const reason = mayBeSent ? this.#parkingReason(withdraw) : null;
    if (reason !== null) return await this.#park(withdraw, reason);
    const claimed = await this.#change(withdraw, { action: "claim", claims: withdraw.claims });
    if (claimed !== null) await this.#pay(claimed);
  }

  /** Sends a claimed payout, or finds out that it was sent. */
  async #pay(withdraw: Withdraw): Promise<void> {
    // The first claim has nothing to look up.
    let mayBeSent = withdraw.claims > 1;
    let reason = "ran out of time";
    let objection: string | null = null;
    for (let tries = 1; tries <= SEND_TRIES_MAX && !this.#isLate(withdraw); tries++) {
      if (mayBeSent) {
        const found = await this.#settleFound(withdraw);
        if (found === "settled" || found === "waits") return;
        reason = "the payout cannot be looked up";
        if (found === "unknown") continue;
      }
      const payee = await this.#payee(withdraw);
      reason = NO_ADDRESS;
      if (payee === null) break;
      if (!await this.#isMine(withdraw)) return;
      // A payout that is not allowed now stays claimed, and continues once it is allowed again;
      // one that an operator has to decide on anew does not.
      objection = this.#objection(withdraw);
      if (objection !== null) break;
      if (!this.#isAllowed(withdraw)) return;
      // The reads may have used up the claim, after which the operator may end the withdrawal.
      reason = "ran out of time";
      if (this.#isLate(withdraw)) break;
      if (await this.#send(withdraw, payee) !== "unknown") return;
      reason = "the rail does not respond";
      mayBeSent = true;
    }
    // Nothing was sent: the next claim sends it.
    if (!mayBeSent && objection === null && this.#isLate(withdraw)) return;
    const found = mayBeSent ? await this.#settleFound(withdraw) : "absent";
    if (found === "settled" || found === "waits") return;
    // A network may be slow for hours, and nobody would look up any more what it has paid by then.
    const isSlow = found === "unknown" || (objection === null && reason !== NO_ADDRESS);
    if (mayBeSent && isSlow && this.#parts.rail.isOutside) {
      return await this.#wait(withdraw, new PayoutWaitsError("silent", `${reason}${LOOK}`));
    }
    if (await this.#isMine(withdraw)) await this.#park(withdraw, objection ?? reason);
  }

  /** Makes one attempt to send; one that has to wait goes on under a later claim. */
  async #send(
    withdraw: Withdraw,
    { address, tag }: Payee,
  ): Promise<"settled" | "waits" | "unknown"> {
    const { engine, rail } = this.#parts;
    const { amount, fee } = withdraw;
    const way = withdrawWay(engine.venue, withdraw);
    let outcome: SendOutcome;
    try {
      const id = await this.#payoutId(withdraw);
      const answer = rail.send({ id, ...way, address, tag, amount: amount - fee });
      outcome = await this.#inTime(withdraw, answer);
    } catch (error) {
      return await this.#heed(withdraw, error);
    }
    if (outcome.kind === "sent") await this.#markSent(withdraw, outcome.txid);
    else await this.#change(withdraw, { action: "fail", claims: withdraw.claims });
    return "settled";
  }

  /** Returns the rail's answer in time; a late one is handled separately. */
  async #inTime(withdraw: Withdraw, answer: Promise<SendOutcome>): Promise<SendOutcome> {
    try {
      return checkedSend(await this.#calls.answer(RAIL_MS_MAX, answer));
    } catch (error) {
      if (error instanceof TooLateError) void this.#guarded(() => this.#hearLate(withdraw, answer));
      throw error;
    }
  }

  /** Handles a late answer: even if the withdrawal has ended, a payout has to be noted. */
  async #hearLate(withdraw: Withdraw, answer: Promise<SendOutcome>): Promise<void> {
    const outcome = checkedSend(await answer);
    if (outcome.kind === "sent") await this.#bookLate(withdraw, outcome.txid);
  }

  /** Retries until the payout is written: nobody asks the rail about an ended withdrawal again. */
  async #bookLate(withdraw: Withdraw, txid: string): Promise<void> {
    this.#late.set(withdraw, txid);
    await this.#markSent(withdraw, txid);
    this.#late.delete(withdraw);
  }

  /** Returns the destination; null when it can't be read. */
  async #payee(withdraw: Withdraw): Promise<Payee | null> {
    const { engine, payeeOf, onFault } = this.#parts;
    const { beneficiaries } = engine.venue.holder(withdraw.member);
    try {
      const beneficiary = beneficiaries.get(withdraw.beneficiary);
      const payee = beneficiary === undefined ? null : await payeeOf(beneficiary);
      return payee === null || payee.address === "" ? null : payee;
    } catch (error) {
      onFault(error);
      return null;
    }
  }

  /** Reads the restores once, since the next one ends the process. */
  async #readRestores(): Promise<Restores | null> {
    if (this.#restores === undefined) this.#restores = await readRestores(this.#parts.engine);
    return this.#restores;
  }

  async #payoutId(withdraw: Withdraw): Promise<string> {
    return payoutId(withdraw, await this.#readRestores());
  }

  /** Continues with a payout that the rail knows. */
  async #settleFound(
    withdraw: Withdraw,
  ): Promise<"settled" | "waits" | "absent" | "unknown"> {
    let found: FindOutcome;
    try {
      found = await this.#found(withdraw);
    } catch (error) {
      return await this.#heed(withdraw, error);
    }
    if (found.kind === "absent") return "absent";
    await this.#markSent(withdraw, found.txid);
    return "settled";
  }

  /** Has a payout wait if its rail says so; of any other fault nobody knows what came of it. */
  async #heed(withdraw: Withdraw, error: unknown): Promise<"waits" | "unknown"> {
    if (error instanceof PayoutWaitsError) {
      await this.#wait(withdraw, error);
      return "waits";
    }
    this.#parts.onFault(error);
    return "unknown";
  }

  async #markSent(withdraw: Withdraw, txid: string): Promise<void> {
    const sent = await this.#change(withdraw, { action: "send", txid });
    if (sent !== null) await this.#confirm(sent);
    else await this.#tellUnbooked(withdraw, txid);
  }

  /** Notifies the operator if the withdrawal has ended other than by the payout that was sent. */
  async #tellUnbooked(withdraw: Withdraw, txid: string): Promise<void> {
    const { engine, notices } = this.#parts;
    const { id } = withdraw;
    await engine.fresh();
    const ended = await engine.withdraw(id);
    if (ended === null || isWithdrawOpen(ended)) return;
    const found = await this.find(ended);
    const sent = found?.kind === "sent" ? found : null;
    // The process that took over saw this payout fail, or continue under another txid.
    if (sent?.isFailed) return;
    const currency = engine.venue.currency(withdraw.currency);
    const isBooked = ["", txid, sent?.txid ?? ""].some((one) =>
      isSameName(nameFormOf(currency), one, ended.txid)
    );
    if (ended.state === "succeed" && isBooked) return;
    await notices.add({
      kind: "payout_unbooked",
      ...withdrawWay(engine.venue, withdraw),
      id,
      txid,
      reason: ended.state,
    });
  }

  /** Updates confirmations until there are enough, or the payout has failed. */
  async #confirm(withdraw: Withdraw): Promise<void> {
    const found = await this.find(withdraw);
    if (found === null) return;
    const { venue } = this.#parts.engine;
    const currency = withdrawCurrency(venue, withdraw);
    if (found.kind === "absent") {
      const { id, txid } = withdraw;
      const way = withdrawWay(venue, withdraw);
      const notice = { ...way, id, txid, reason: "sent_and_not_found" };
      return await this.#parts.notices.add({ ...notice, kind: "payout_missing" });
    }
    const wanted = Math.max(1, currency.minConfirmations);
    const confirmations = Math.min(found.confirmations, wanted);
    // A replaced transaction, one with a higher fee for example, continues under another txid.
    const { txid } = found;
    const isSame = confirmations === withdraw.confirmations &&
      isSameName(nameFormOf(currency), txid, withdraw.txid);
    if (found.isFailed) await this.#giveUp(withdraw, found);
    else if (confirmations >= wanted) {
      await this.#change(withdraw, { action: "succeed", confirmations, txid });
    } else if (!isSame) await this.#change(withdraw, { action: "confirm", confirmations, txid });
  }

  /** Gives back the amount of a payout that has failed; one that has cost something is parked. */
  async #giveUp(withdraw: Withdraw, { failure, txid }: SentPayout): Promise<void> {
    if (failure === undefined) await this.#change(withdraw, { action: "fail" });
    else await parkPayout(this.#parts, withdraw, failure, txid);
  }

  async #park(withdraw: Withdraw, reason: string): Promise<void> {
    await parkPayout(this.#parts, withdraw, reason);
  }

  /** Returns whether too little of the claim is left to send on it. */
  #isLate({ updatedAt }: Withdraw): boolean {
    return this.#parts.engine.now() - updatedAt > CLAIM_SENDING_MS;
  }

  /** Returns whether this process still holds the claim. */
  async #isMine({ id, claims }: Withdraw): Promise<boolean> {
    const { engine } = this.#parts;
    await engine.fresh();
    const now = engine.venue.withdraws.get(id);
    return now?.state === "processing" && now.claims === claims;
  }

  /** Returns the changed withdrawal; null if another process was faster or it is refused. */
  async #change(
    { id }: Withdraw,
    change: Omit<ChangeWithdraw, "kind" | "id">,
  ): Promise<Withdraw | null> {
    const command: ChangeWithdraw = { kind: "change_withdraw", id, ...change };
    const { engine, memberNotices } = this.#parts;
    const outcome = await engine.submit(command, null);
    if (isRejection(outcome) || outcome.kind !== "withdraw_set") return null;
    await memberNotices.ended(outcome.withdraw);
    return outcome.withdraw;
  }
}
