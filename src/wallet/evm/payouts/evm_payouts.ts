/**
 * Payments from the wallet's own address: payouts, and what it moves to addresses of its own. Each is
 * signed and noted before it is sent, and only what was noted is ever sent.
 */
import { present } from "../../../domain/assert.ts";
import { formatDecimal } from "../../../domain/money/money.ts";
import type { AccountKeys } from "../../keys/account_keys.ts";
import { InsidePayments } from "../../rails/inside_payments.ts";
import type { NetworkCoin, NetworkRailParts, PaymentFate } from "../../rails/network_rail.ts";
import { PayoutWaitsError } from "../../rails/payout_waits.ts";
import type { FindOutcome, Payout, SendOutcome } from "../../rails/rail.ts";
import { addressOfKey, canonicalEvmAddress } from "../evm_address.ts";
import { networkUnits } from "../evm_amounts.ts";
import type { EvmChain, EvmHeader, EvmReceipt } from "../evm_chain.ts";
import { EvmNodeError, isOfNode } from "../evm_node_error.ts";
import {
  costOf,
  type GasFee,
  type Payment,
  PLAIN_GAS,
  signPayment,
  WALLET_KEY,
} from "../evm_payments.ts";
import { placeIfPaid } from "../forgotten_payment.ts";
import { HeldCoins } from "../held_coins.ts";
import { checkDigits } from "../token_checks.ts";
import { EvmNonces, type KnownPayout, type NamedPayout, type OpenPayout } from "./evm_nonces.ts";
import { EvmSending, hasPaid, lastOf } from "./evm_sending.ts";
import { HeldPayouts } from "./held_payouts.ts";
import { type ShortageParts, Shortages, takenOf, TooLittleError } from "./shortages.ts";

/** Fractional digits of a gwei in wei. */
const GWEI_DIGITS = 9;
/** Gas that tokens' transfers rarely exceed, and how many times as much the operator is told to send. */
const TOKEN_GAS = 100_000n;
const GAS_MARGIN = 2n;
/** What the ids begin with of payments of nothing that only take a nonce: no withdrawal's does. */
const FILL = "fill-";

/** What payouts work with. */
export interface EvmPayoutParts extends ShortageParts {
  readonly chain: EvmChain;
  readonly keys: AccountKeys;
  readonly bookingOf: NetworkRailParts["bookingOf"];
  readonly onLost: NetworkRailParts["onLost"];
  readonly onReturned: NetworkRailParts["onReturned"];
  readonly onFault: (error: unknown) => void;
}

/** A payment by the wallet; see {@linkcode KnownPayout}. */
export type WalletPayment = Payment & Pick<KnownPayout, "currency" | "isInside">;

/** A payout is not what it was when it was first sent. */
export class OtherPayoutError extends Error {
  override name = "OtherPayoutError";
}

/** Pays from the wallet's own address. */
export class EvmPayouts {
  readonly #parts: EvmPayoutParts;
  readonly #nonces: EvmNonces;
  readonly #sending: EvmSending;
  readonly #coins: HeldCoins;
  readonly #shortages: Shortages;
  readonly #held: HeldPayouts;
  /** Since which height the node lacks a nonce that nothing open has; null if it does not. */
  #gapSince: number | null = null;
  /** Those of its payments that pay withdrawals. */
  readonly inside: InsidePayments;
  /** The wallet's own address. */
  readonly address: string;

  constructor(parts: EvmPayoutParts) {
    this.#parts = parts;
    this.address = addressOfKey(parts.keys.publicKeyAt(WALLET_KEY));
    this.#nonces = new EvmNonces(parts.engine, parts.rows, this.address);
    this.#sending = new EvmSending(parts);
    this.#coins = new HeldCoins(parts);
    this.#shortages = new Shortages(parts, this.address);
    this.#held = new HeldPayouts({
      ...parts,
      nonces: this.#nonces,
      shortages: this.#shortages,
      address: this.address,
      tell: (payout, what) => this.#tell(payout, "held_back", lastOf(payout).txid, what),
    });
    const isLost = async (id: string) => (await this.#nonces.known(id))?.isFailed === true;
    this.inside = new InsidePayments({ ...parts, isLost });
  }

  /** Pays, see `Rail.send`. */
  async send({ id, currency, address: spelled, amount }: Payout): Promise<SendOutcome> {
    const { keys, chain } = this.#parts;
    if (!keys.canSign) throw new Error("This process has no WALLET_SEED: it sends nothing");
    const coin = present(this.#parts.coins().find((one) => one.currency === currency), "it serves");
    const address = canonicalEvmAddress(spelled);
    const units = networkUnits(amount, coin.digits);
    if (address === null) return refused("it is no address of the network");
    if (address === coin.contract || address === this.address) {
      return refused("what is sent to this address is lost");
    }
    if (units === null) return refused("the network can't move this amount");
    const { contract } = coin;
    const payment: WalletPayment = { currency, address, contract, units, isInside: true };
    const head = await chain.head();
    await checkDigits(chain, coin);
    const paid = await this.pay(id, payment, head);
    if (typeof paid === "string") return refused(paid);
    const isSame = paid.address === address && paid.units === units &&
      paid.contract === coin.contract;
    if (!isSame) throw new OtherPayoutError(`Payout ${id} was sent otherwise`);
    const receipt = await this.#sending.receipt(paid);
    if (receipt === null) await this.#bringOn({ ...paid, id }, head);
    return { kind: "sent", txid: receipt?.txid ?? lastOf(paid).txid };
  }

  /**
   * Reserves a nonce for a payment and sends it, unless one was reserved for its id: then that
   * counts.
   *
   * @param isMissed whether coins count as missing that it lacks: nobody waits for it otherwise
   * @returns what was reserved, or why it is refused
   * @throws {PayoutWaitsError} it may go later
   */
  async pay(
    id: string,
    payment: WalletPayment,
    head: EvmHeader,
    isMissed: boolean = true,
  ): Promise<KnownPayout | string> {
    try {
      let known = await this.#nonces.known(id);
      if (known === null) {
        const plan = await this.#plan(payment, head);
        if (typeof plan === "string") return plan;
        known = await this.#reserve(id, payment, plan, head);
      }
      await this.#settle(head);
      return known;
    } catch (error) {
      if (isMissed && error instanceof TooLittleError) {
        await this.#shortages.note(error);
      }
      throw error;
    }
  }

  /** Whether what it pays now has to wait for coins that payments before it lack. */
  get isHolding(): boolean {
    return this.#held.isHolding;
  }

  /** Returns a payment if a nonce was ever reserved for it. */
  known(id: string): Promise<KnownPayout | null> {
    return this.#nonces.known(id);
  }

  /**
   * Returns whether a transaction of the wallet pays a withdrawal. A venue that was restored from a
   * copy has forgotten those that it has sent since for a higher fee: they pay the same.
   */
  async isInside(
    { txid, nonce }: { readonly txid: string; readonly nonce: number },
  ): Promise<boolean> {
    const { engine, rows, chain } = this.#parts;
    if (await engine.readSidecar(rows.inside(txid)) !== null) return true;
    const known = await this.#nonces.at(nonce);
    if (!known?.isInside) return false;
    if (await placeIfPaid(chain, known, { txid, from: this.address }) === null) return false;
    await this.inside.note(known.id, [txid]);
    return true;
  }

  /** Looks a payout up, see `Rail.find`; what waits is sent again, for more if it has to. */
  async find(id: string): Promise<FindOutcome> {
    const known = await this.#nonces.known(id);
    if (known === null) return { kind: "absent" };
    const head = await this.#parts.chain.head();
    await this.#settle(head);
    const outcome = await this.#outcome({ ...known, id }, head);
    // First: once it is told, its amount may be given back.
    if (outcome?.isFailed) await this.#nonces.fail(id);
    if (outcome !== null) return outcome;
    const sent = await this.#bringOn({ ...known, id }, head);
    return { kind: "sent", txid: lastOf(sent).txid, confirmations: 0, isFailed: false };
  }

  /** Returns what has become of a payout; null while it waits for its block. */
  async #outcome(known: NamedPayout, head: EvmHeader): Promise<SentPayout | null> {
    const receipt = await this.#sending.receipt(known);
    if (receipt !== null) return this.#foundIn(receipt, known, head);
    const replacement = await this.#sending.replacement(known, this.address, head);
    if (replacement?.paid) {
      const { txid, height } = replacement.paid;
      // Its withdrawal has this txid from now on.
      if (known.isInside) await this.inside.note(known.id, [txid]);
      return { kind: "sent", txid, confirmations: head.height - height + 1, isFailed: false };
    }
    if (replacement === null) return null;
    const failure = replacement.txid !== null
      ? "another transaction has taken its place"
      : "another transaction has taken its place, and may have paid it: the node can't show it";
    const { txid } = lastOf(known);
    return { kind: "sent", txid, confirmations: 0, isFailed: true, failure };
  }

  /**
   * Has payouts wait again that are in no block any more, and be looked at again that may be in other
   * blocks than they were.
   *
   * @param from their first nonce
   */
  async reopen(head: EvmHeader, from: number): Promise<void> {
    const { height } = head;
    const sent = await this.#parts.chain.sentBy(this.address, height);
    const finallySent = await this.#end(head);
    await this.#nonces.reopen({ from, sent, finallySent, height });
  }

  /**
   * Sends again what the network has forgotten, and the next one for more if it has waited long: all
   * that come after it wait. Nobody may ask for it any more, since it had its confirmations before a
   * reorganisation took its block, or since an operator has decided otherwise. So what has come of it
   * is told once it is final.
   */
  async tend(head: EvmHeader): Promise<void> {
    const { chain } = this.#parts;
    await this.#settle(head);
    if ((await this.#nonces.waiting(0)).length === 0) return;
    await this.#end(head);
    const sent = await chain.sentBy(this.address, head.height);
    if (await this.#nonces.isToReopen(sent)) await this.reopen(head, sent);
    this.#held.forget(sent);
    await this.#fillGap(sent, head);
    await this.#bringAllOn(await this.#nonces.openFrom(sent), head);
  }

  /** Returns what payments of a coin lately lacked; null if nothing waits for more of it. */
  async missing(contract: string | null): Promise<bigint | null> {
    return await this.#shortages.missing(contract);
  }

  /** Returns how much of a coin those payments take at most that wait for their block. */
  async taken(contract: string | null, head: EvmHeader): Promise<bigint> {
    const waiting = await this.#nonces.waiting(
      await this.#parts.chain.sentBy(this.address, head.height),
    );
    return takenOf(waiting, contract);
  }

  /** Gives what was reserved its row, and sends what is not sent yet: a killed process may have left it. */
  async #settle(head: EvmHeader): Promise<void> {
    await this.#bringAllOn(await this.#nonces.settle(), head);
  }

  /**
   * Tells what came of payouts that are final, where that is not what their withdrawals say, and
   * leaves them out from then on; returns how many transactions are final and looked at.
   */
  async #end(head: EvmHeader): Promise<number> {
    const { network: { finalBlocks }, chain, onFault } = this.#parts;
    const finallySent = await chain.sentBy(this.address, Math.max(0, head.height - finalBlocks));
    let ended = finallySent;
    if ((await this.#nonces.waiting(0)).every(({ nonce }) => nonce >= finallySent)) return ended;
    for (const known of await this.#nonces.openFrom(0)) {
      if (known.nonce >= ended) break;
      try {
        await this.#tellOutcome(known, head);
      } catch (error) {
        // It is looked at again, and keeps no other waiting until then.
        if (!(error instanceof EvmNodeError) || error.fault !== "contradicting") throw error;
        onFault(error);
        ended = known.nonce;
      }
    }
    await this.#nonces.close(ended);
    return ended;
  }

  async #tellOutcome(known: NamedPayout, head: EvmHeader): Promise<void> {
    if (known.id.startsWith(FILL)) return await this.#tellFill(known, head);
    const outcome = await this.#outcome(known, head);
    if (outcome === null) throw new EvmNodeError("contradicting", "what is final waits");
    const { isFailed, failure, txid } = outcome;
    if (isFailed) await this.#nonces.fail(known.id);
    // What it moves for itself, the wallet sees by itself.
    if (!known.isInside) return;
    if (isFailed) await this.#tell(known, "without_effect", txid, failure);
    else if (known.isFailed) {
      const coin = this.#coinOf(known);
      await this.#parts.onReturned({ coin, payoutId: known.id, txid, returns: 1 });
    }
  }

  /** Tells what has a filled nonce for good: a payment of nothing, or what had it before. */
  async #tellFill(fill: NamedPayout, head: EvmHeader): Promise<void> {
    const { id: payoutId, nonce } = fill;
    const receipt = await this.#sending.receipt(fill);
    const other = receipt === null
      ? await this.#sending.replacement(fill, this.address, head)
      : null;
    const nothing = receipt?.txid ?? other?.paid?.txid;
    const detail = `Nonce ${nonce} of the wallet's address`;
    if (nothing !== undefined) return await this.#tell(fill, "forgotten", nothing, detail);
    if (other === null) throw new EvmNodeError("contradicting", "what is final waits");
    const txid = other.txid ?? lastOf(fill).txid;
    await this.#parts.onReturned({ coin: this.#coinOf(fill), payoutId, txid, returns: 1, detail });
  }

  #coinOf({ contract }: Payment): NetworkCoin | null {
    return this.#parts.coins().find((one) => one.contract === contract) ?? null;
  }

  async #tell(
    payout: NamedPayout,
    fate: PaymentFate,
    first: string,
    detail?: string,
  ): Promise<void> {
    const { id: payoutId, attempts } = payout;
    const others = await this.inside.txids(payoutId);
    const txids = [first, ...attempts.map(({ txid }) => txid), ...others] as const;
    const more = detail === undefined ? {} : { detail };
    await this.#parts.onLost({ coin: this.#coinOf(payout), fate, payoutId, txids, ...more });
  }

  /**
   * Takes the nonce of a payment that a restored venue has forgotten, once neither a block nor the
   * node has it: all later ones would wait for it for ever. Whichever of the two is mined, the other
   * can't be; so it is told once that is final, and nobody pays by hand what is mined after all.
   */
  async #fillGap(sent: number, head: EvmHeader): Promise<void> {
    const { chain, keys, network: { bumpBlocks, chainId } } = this.#parts;
    const missing = await this.#nonces.missingFrom(sent);
    const nonce = missing.length === 0 ? sent : await chain.pooledBy(this.address);
    this.#gapSince = missing.includes(nonce) ? this.#gapSince ?? head.height : null;
    if (this.#gapSince === null || head.height - this.#gapSince < bumpBlocks || !keys.canSign) {
      return;
    }
    const fee = await this.#sending.usualFee(head);
    if (fee === null) return;
    // It is one that was final: an operator has to look first.
    if (await this.#nonces.at(nonce) !== null) return void (this.#gapSince = null);
    const payment = { currency: null, ...this.#nothing };
    const signed = signPayment(keys, WALLET_KEY, chainId, payment, {
      ...fee,
      nonce,
      gas: PLAIN_GAS,
    });
    const attempts = [{ ...signed, ...fee, height: head.height }];
    const payout: KnownPayout = { ...payment, nonce, gas: PLAIN_GAS, attempts };
    await this.#nonces.fill(`${FILL}${nonce}`, payout, PLAIN_GAS * fee.feeMax);
    await this.#settle(head);
  }

  /** A payment of nothing, which only takes a nonce. */
  get #nothing(): Payment {
    return { address: this.address, contract: null, units: 0n };
  }

  /**
   * Returns what a payment takes, or why it is refused.
   *
   * @throws {PayoutWaitsError} it may go later
   */
  async #plan(payment: Payment, head: EvmHeader): Promise<PaymentPlan | string> {
    const { chain } = this.#parts;
    const { contract, units } = payment;
    const of = (token: string | null) => ({
      address: this.address,
      contract: token,
      hash: head.hash,
    });
    const asked = contract === null ? [of(null)] : [of(null), of(contract)];
    const [balance = 0n, tokens = 0n] = await chain.balances(asked);
    const fee = await this.#sending.usualFee(head);
    const held = contract === null ? balance : tokens;
    if (held < units) {
      const gas = await this.#gasToTell(payment, units - held, { fee, balance, head });
      throw contract === null
        ? this.#shortages.tooLittle(null, units - held + gas, "", 0n)
        : this.#shortages.tooLittle(contract, units - held, "", gas);
    }
    if (fee === null) {
      const most = `${formatDecimal(this.#parts.network.feeMax, GWEI_DIGITS)} gwei`;
      throw new PayoutWaitsError(
        "dear",
        `Gas costs more than ${most} now: it goes once it is less`,
      );
    }
    // By what it pays for gas, a contract could tell a trial from the transaction.
    const checkGas = (limit: bigint) => {
      const of = (gas: bigint) => costOf(payment, gas, fee.feeMax) - balance;
      if (of(limit) <= 0n) return;
      const usual = GAS_MARGIN * (contract === null ? PLAIN_GAS : TOKEN_GAS);
      throw this.#shortages.tooLittle(null, of(limit > usual ? limit : usual), " for gas", 0n);
    };
    checkGas(PLAIN_GAS);
    const gas = await this.#sending.gasOf(payment, this.address, fee);
    if (typeof gas === "bigint") return { ...fee, gas, balance, tokens };
    // With less, a node tells of no more than that it is too little.
    checkGas(this.#parts.network.gasMax);
    return gas;
  }

  /**
   * Returns how much is to be sent for gas beside coins that are lacking: as much as the payment
   * takes, and the sweeps that may bring them, all twice over since gas may cost more by then; 0 if
   * it is there, or while gas is too dear.
   */
  async #gasToTell(
    { contract }: Payment,
    missing: bigint,
    { fee, balance, head }: {
      readonly fee: GasFee | null;
      readonly balance: bigint;
      readonly head: EvmHeader;
    },
  ): Promise<bigint> {
    if (fee === null) return 0n;
    if (contract === null) return GAS_MARGIN * PLAIN_GAS * fee.feeMax;
    const coin = present(this.#parts.coins().find((one) => one.contract === contract), "it serves");
    const sweeps = BigInt(await this.#coins.fewest(coin, missing, head));
    const gas = TOKEN_GAS + sweeps * (TOKEN_GAS + PLAIN_GAS);
    const taken = await this.taken(null, head);
    if (balance - taken >= gas * fee.feeMax) return 0n;
    return GAS_MARGIN * gas * fee.feeMax + taken - balance;
  }

  async #reserve(
    id: string,
    payment: WalletPayment,
    { gas, feeMax, tip, balance, tokens }: PaymentPlan,
    head: EvmHeader,
  ): Promise<KnownPayout> {
    const { chain, keys, network: { chainId } } = this.#parts;
    const { contract, units } = payment;
    const cost = costOf(payment, gas, feeMax);
    const sent = await chain.sentBy(this.address, head.height);
    const finallySent = await this.#end(head);
    const checkMoney = (waiting: readonly OpenPayout[]) => {
      const coins = takenOf(waiting, null) + cost - balance;
      const ofToken = contract === null ? 0n : takenOf(waiting, contract) + units - tokens;
      const what = " for all that waits";
      if (coins > 0n) throw this.#shortages.tooLittle(null, coins, what, 0n);
      if (ofToken > 0n) throw this.#shortages.tooLittle(contract, ofToken, what, 0n);
    };
    const sign = (nonce: number): KnownPayout => {
      const terms = { nonce, gas, feeMax, tip };
      const signed = signPayment(keys, WALLET_KEY, chainId, payment, terms);
      const attempts = [{ ...signed, feeMax, tip, height: head.height }];
      return { ...payment, nonce, gas, attempts };
    };
    const { height } = head;
    return await this.#nonces.reserve({ id, cost, sent, finallySent, height, checkMoney, sign });
  }

  #foundIn(receipt: EvmReceipt, payout: KnownPayout, head: EvmHeader): SentPayout {
    const { txid, height } = receipt;
    const confirmations = Math.max(0, head.height - height + 1);
    const isEmpty = payout.attempts.some((one) => one.txid === txid && one.isEmpty);
    if (!isEmpty && hasPaid(receipt, payout, this.address)) {
      return { kind: "sent", txid, confirmations, isFailed: false };
    }
    // In another block it could pay yet.
    const place = { kind: "sent" as const, txid, confirmations: 0 };
    if (confirmations <= this.#parts.network.finalBlocks) return { ...place, isFailed: false };
    return { ...place, isFailed: true, failure: "its transaction was mined without effect" };
  }

  /** Brings payouts on. One that can't be stops no other: why is thrown after them. */
  async #bringAllOn(payouts: readonly NamedPayout[], head: EvmHeader): Promise<void> {
    const errors: unknown[] = [];
    for (const known of payouts) {
      try {
        await this.#bringOn(known, head);
      } catch (error) {
        if (isOfNode(error)) throw error;
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Sends what no block holds, for more if it has to, unless coins are missing for it. */
  async #bringOn(known: NamedPayout, head: EvmHeader): Promise<KnownPayout> {
    const { chain, keys } = this.#parts;
    if (!keys.canSign) return known;
    const fee = await this.#sending.raisedFee(known, this.address, head);
    if (fee === null && await chain.knows(lastOf(known).txid)) return known;
    if (await this.#held.isHeldBack(known, head)) return known;
    const payout = fee === null ? known : await this.#raised(known, fee, head);
    await this.#broadcast(known.id, payout);
    return payout;
  }

  /**
   * Signs and notes another transaction for a payout, if the wallet has enough for it: of nothing, if
   * that has failed.
   */
  async #raised(known: NamedPayout, fee: GasFee, head: EvmHeader): Promise<KnownPayout> {
    const { keys, network: { chainId } } = this.#parts;
    const { id, nonce, isFailed = false } = known;
    const [payment, gas] = isFailed ? [this.#nothing, PLAIN_GAS] : [known, known.gas];
    const cost = costOf(payment, gas, fee.feeMax);
    if (!await this.#held.mayRaise(known, cost, head)) return known;
    const signed = signPayment(keys, WALLET_KEY, chainId, payment, { nonce, gas, ...fee });
    const attempt = { ...signed, ...fee, height: head.height };
    return await this.#nonces.addAttempt(
      id,
      known,
      isFailed ? { ...attempt, isEmpty: true } : attempt,
      cost,
    );
  }

  /** Sends a payout. */
  async #broadcast(id: string, payout: KnownPayout): Promise<void> {
    if (payout.isFailed && !lastOf(payout).isEmpty) return;
    const paying = payout.attempts.filter(({ isEmpty }) => !isEmpty).map(({ txid }) => txid);
    // Before anybody can see it: a member whose address it is would not be credited.
    if (payout.isInside) await this.inside.note(id, paying);
    await this.#sending.broadcast(payout);
  }
}

/** What is known of a payout that was sent. */
type SentPayout = Extract<FindOutcome, { readonly kind: "sent" }>;

/** What a payment takes, and what there is. */
interface PaymentPlan extends GasFee {
  readonly gas: bigint;
  readonly balance: bigint;
  readonly tokens: bigint;
}

function refused(reason: string): SendOutcome {
  return { kind: "refused", reason };
}
