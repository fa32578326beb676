/**
 * Payments from the wallet's own address: payouts, and what it moves to addresses of its own. Each is
 * signed and noted before it is sent, and only what was noted is ever sent.
 */
import { present } from "../../domain/assert.ts";
import { formatDecimal } from "../../domain/money/money.ts";
import type { AccountKeys } from "../keys/account_keys.ts";
import type { NetworkCoin } from "../rails/network_rail.ts";
import { missingText, PayoutWaitsError } from "../rails/payout_waits.ts";
import type { FindOutcome, Payout, SendOutcome } from "../rails/rail.ts";
import { addressOfKey, canonicalEvmAddress } from "./evm_address.ts";
import { networkUnits } from "./evm_amounts.ts";
import type { EvmChain, EvmHeader, EvmReceipt } from "./evm_chain.ts";
import type { EvmNetwork } from "./evm_networks.ts";
import { EvmNonces, type KnownPayout, type OpenPayout } from "./evm_nonces.ts";
import { type GasFee, type Payment, PLAIN_GAS, signPayment, WALLET_KEY } from "./evm_payments.ts";
import type { EvmEngine, EvmRows } from "./evm_rows.ts";
import { placeIfPaid } from "./forgotten_payment.ts";
import { EvmSending, hasPaid, lastOf } from "./evm_sending.ts";
import { HeldCoins } from "./held_coins.ts";
import { checkDigits } from "./token_checks.ts";

/** Fractional digits of an ether in wei, and of a gwei. */
const ETHER_DIGITS = 18;
const GWEI_DIGITS = 9;
/** Gas that tokens' transfers rarely exceed, and how many times as much the operator is told to send. */
const TOKEN_GAS = 100_000n;
const GAS_MARGIN = 2n;
/** How long it counts that a payment has lacked coins, in ms; it is tried more often. */
const SHORT_MS = 600_000;

/** What payouts work with. */
export interface EvmPayoutParts {
  readonly engine: EvmEngine;
  readonly rows: EvmRows;
  readonly network: EvmNetwork;
  readonly chain: EvmChain;
  readonly keys: AccountKeys;
  readonly coins: () => readonly NetworkCoin[];
  readonly onFault: (error: unknown) => void;
}

/** A payment by the wallet; see {@linkcode KnownPayout}. */
export type WalletPayment = Payment & Pick<KnownPayout, "currency" | "isInside">;

/** What a payment has lacked of a coin, in units, and when, in ms. */
interface Shortage {
  readonly units: bigint;
  readonly at: number;
}

/** A payout is not what it was when it was first sent. */
export class OtherPayoutError extends Error {
  override name = "OtherPayoutError";
}

/** The wallet lacks so much of a coin, by its contract, for a payment that waits for it. */
class TooLittleError extends PayoutWaitsError {
  constructor(readonly contract: string | null, readonly units: bigint, what: string) {
    super("too_little", what);
  }
}

/** Pays from the wallet's own address. */
export class EvmPayouts {
  readonly #parts: EvmPayoutParts;
  readonly #nonces: EvmNonces;
  readonly #sending: EvmSending;
  readonly #held: HeldCoins;
  /** The wallet's own address. */
  readonly address: string;

  constructor(parts: EvmPayoutParts) {
    this.#parts = parts;
    this.address = addressOfKey(parts.keys.publicKeyAt(WALLET_KEY));
    this.#nonces = new EvmNonces(parts.engine, parts.rows, this.address);
    this.#sending = new EvmSending(parts);
    this.#held = new HeldCoins(parts);
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
    if (receipt === null) await this.#broadcast(paid);
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
      await this.#settle();
      return known;
    } catch (error) {
      if (isMissed && error instanceof TooLittleError) {
        await this.#noteShort(error);
      }
      throw error;
    }
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
    const key = rows.inside(txid);
    if (await engine.readSidecar(key) !== null) return true;
    const known = await this.#nonces.at(nonce);
    if (!known?.isInside) return false;
    if (await placeIfPaid(chain, known, { txid, from: this.address }) === null) return false;
    await engine.createSidecar({ key, value: true });
    return true;
  }

  /** Looks a payout up, see `Rail.find`; what waits is sent again, for more if it has to. */
  async find(id: string): Promise<FindOutcome> {
    const known = await this.#nonces.known(id);
    if (known === null) return { kind: "absent" };
    const head = await this.#parts.chain.head();
    await this.#settle();
    const receipt = await this.#sending.receipt(known);
    if (receipt !== null) return this.#foundIn(receipt, known, head);
    const replacement = await this.#sending.replacement(known, this.address, head);
    if (replacement?.paid) {
      const { txid, height } = replacement.paid;
      return { kind: "sent", txid, confirmations: head.height - height + 1, isFailed: false };
    }
    const place = { kind: "sent" as const, confirmations: 0 };
    if (replacement !== null) {
      const failure = replacement.isShown
        ? "another transaction has taken its place"
        : "another transaction has taken its place, and may have paid it: the node can't show it";
      return { ...place, txid: lastOf(known).txid, isFailed: true, failure };
    }
    const raised = await this.#raised(id, known, head);
    await this.#broadcast(raised);
    return { ...place, txid: lastOf(raised).txid, isFailed: false };
  }

  /** Has payouts wait again that are in no block up to this height any more. */
  async reopen(height: number): Promise<void> {
    const sent = await this.#parts.chain.sentBy(this.address, height);
    await this.#nonces.reopen({ sent, finallySent: await this.#finallySent(height), height });
  }

  /**
   * Sends again what the network has forgotten, and the next one for more if it has waited long: all
   * that come after it wait. Nobody may ask for it any more, since it had its confirmations before a
   * reorganisation took its block, or since an operator has decided otherwise.
   */
  async tend(head: EvmHeader): Promise<void> {
    const { chain } = this.#parts;
    await this.#settle();
    if ((await this.#nonces.openFrom(0)).length === 0) return;
    const sent = await chain.sentBy(this.address, head.height);
    if (await this.#nonces.isToReopen(sent)) await this.reopen(head.height);
    for (const { id, ...known } of await this.#nonces.openFrom(sent)) {
      const payout = known.nonce === sent ? await this.#raised(id, known, head) : known;
      if (!await chain.knows(lastOf(payout).txid)) await this.#broadcast(payout);
    }
  }

  /** Returns what payments of a coin lately lacked; null if nothing waits for more of it. */
  async missing(contract: string | null): Promise<bigint | null> {
    const { engine, rows } = this.#parts;
    const short = await engine.readSidecar(rows.short(contract)) as Shortage | null;
    return short === null || engine.now() - short.at >= SHORT_MS ? null : short.units;
  }

  /** Returns how much of a coin those payments take at most that wait for their block. */
  async taken(contract: string | null, head: EvmHeader): Promise<bigint> {
    const waiting = await this.#nonces.waiting(
      await this.#parts.chain.sentBy(this.address, head.height),
    );
    return takenOf(waiting, contract);
  }

  async #noteShort({ contract, units }: TooLittleError): Promise<void> {
    const { engine, rows } = this.#parts;
    await engine.changeSidecar(rows.short(contract), (): Shortage => ({ units, at: engine.now() }));
  }

  /** Gives what was reserved its row, and sends what a killed process may not have sent. */
  async #settle(): Promise<void> {
    for (const payout of await this.#nonces.settle()) await this.#broadcast(payout);
  }

  /** Returns how many of its transactions are final at this height of the chain. */
  async #finallySent(height: number): Promise<number> {
    const { chain, network: { finalBlocks } } = this.#parts;
    return await chain.sentBy(this.address, Math.max(0, height - finalBlocks));
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
        ? this.#tooLittle(null, units - held + gas, "", 0n)
        : this.#tooLittle(contract, units - held, "", gas);
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
      const of = (gas: bigint) => gas * fee.feeMax + (contract === null ? units : 0n) - balance;
      if (of(limit) <= 0n) return;
      const usual = GAS_MARGIN * (contract === null ? PLAIN_GAS : TOKEN_GAS);
      throw this.#tooLittle(null, of(limit > usual ? limit : usual), " for gas", 0n);
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
    const sweeps = BigInt(await this.#held.fewest(coin, missing, head));
    const gas = TOKEN_GAS + sweeps * (TOKEN_GAS + PLAIN_GAS);
    const taken = await this.taken(null, head);
    if (balance - taken >= gas * fee.feeMax) return 0n;
    return GAS_MARGIN * gas * fee.feeMax + taken - balance;
  }

  #tooLittle(
    contract: string | null,
    units: bigint,
    forWhat: string,
    gas: bigint,
  ): TooLittleError {
    const { coins, network: { name: network } } = this.#parts;
    const text = (of: string | null, units: bigint) => {
      const coin = coins().find((one) => one.contract === of);
      const digits = coin?.digits ?? ETHER_DIGITS;
      return missingText({ coin, units, digits, network, address: this.address });
    };
    const also = gas === 0n ? "" : `; also ${text(null, gas)}`;
    const what = `The wallet holds too little${forWhat}: ${text(contract, units)}`;
    return new TooLittleError(contract, units, `${what}, unless sweeps bring it${also}`);
  }

  async #reserve(
    id: string,
    payment: WalletPayment,
    { gas, feeMax, tip, balance, tokens }: PaymentPlan,
    head: EvmHeader,
  ): Promise<KnownPayout> {
    const { chain, keys, network: { chainId } } = this.#parts;
    const { contract, units } = payment;
    const cost = gas * feeMax + (contract === null ? units : 0n);
    const sent = await chain.sentBy(this.address, head.height);
    const finallySent = await this.#finallySent(head.height);
    const checkMoney = (waiting: readonly OpenPayout[]) => {
      const coins = takenOf(waiting, null) + cost - balance;
      const ofToken = contract === null ? 0n : takenOf(waiting, contract) + units - tokens;
      const what = " for all that waits";
      if (coins > 0n) throw this.#tooLittle(null, coins, what, 0n);
      if (ofToken > 0n) throw this.#tooLittle(contract, ofToken, what, 0n);
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

  #foundIn(receipt: EvmReceipt, payout: KnownPayout, head: EvmHeader): FindOutcome {
    const { txid, height } = receipt;
    const confirmations = Math.max(0, head.height - height + 1);
    if (hasPaid(receipt, payout, this.address)) {
      return { kind: "sent", txid, confirmations, isFailed: false };
    }
    // In another block it could pay yet.
    const place = { kind: "sent" as const, txid, confirmations: 0 };
    if (confirmations <= this.#parts.network.finalBlocks) return { ...place, isFailed: false };
    return { ...place, isFailed: true, failure: "its transaction was mined without effect" };
  }

  /** Signs and notes a transaction for a higher fee if a payment has waited long for its turn. */
  async #raised(id: string, known: KnownPayout, head: EvmHeader): Promise<KnownPayout> {
    const { keys, network: { chainId } } = this.#parts;
    const fee = await this.#sending.raisedFee(known, this.address, head);
    if (fee === null) return known;
    const { nonce, gas } = known;
    const signed = signPayment(keys, WALLET_KEY, chainId, known, { nonce, gas, ...fee });
    return await this.#nonces.addAttempt(id, known, { ...signed, ...fee, height: head.height });
  }

  /** Sends a payout; a process that only watches sends nothing. */
  async #broadcast(payout: KnownPayout): Promise<void> {
    const { engine, rows, keys } = this.#parts;
    if (!keys.canSign) return;
    // Before anybody can see it: a member whose address it is would not be credited.
    if (payout.isInside) {
      await engine.createSidecar({ key: rows.inside(lastOf(payout).txid), value: true });
    }
    await this.#sending.broadcast(payout);
  }
}

/** What a payment takes, and what there is. */
interface PaymentPlan extends GasFee {
  readonly gas: bigint;
  readonly balance: bigint;
  readonly tokens: bigint;
}

function refused(reason: string): SendOutcome {
  return { kind: "refused", reason };
}

function takenOf(waiting: readonly OpenPayout[], contract: string | null): bigint {
  const same = waiting.filter((one) => contract === null || one.contract === contract);
  return same.reduce((sum, { cost, units }) => sum + (contract === null ? cost : units), 0n);
}
