/** Payouts: each is signed and noted before it is sent, and only what was noted is ever sent. */
import { present } from "../../domain/assert.ts";
import type { AccountKeys } from "../keys/account_keys.ts";
import type { NetworkCoin } from "../rails/network_rail.ts";
import {
  type FindOutcome,
  type Payout,
  PayoutWaitsError,
  type SendOutcome,
} from "../rails/rail.ts";
import { addressOfKey, canonicalEvmAddress } from "./evm_address.ts";
import { networkUnits } from "./evm_amounts.ts";
import { type EvmChain, type EvmHeader, type EvmReceipt, TRANSFER_TOPIC } from "./evm_chain.ts";
import { addressWord } from "./evm_hex.ts";
import type { EvmNetwork } from "./evm_networks.ts";
import { EvmNodeError, refusalOf, RpcRefusedError } from "./evm_node_error.ts";
import { type Attempt, EvmNonces, type KnownPayout, type OpenPayout } from "./evm_nonces.ts";
import {
  callOf,
  type GasFee,
  gasFee,
  type Payment,
  PLAIN_GAS,
  raisedFee,
  signPayment,
  WALLET_KEY,
} from "./evm_payments.ts";
import type { EvmEngine, EvmRows } from "./evm_rows.ts";
import { findSpender } from "./find_spender.ts";
import { forgottenPayment } from "./forgotten_payment.ts";
import { checkDigits } from "./token_digits.ts";

/** How often a payout is sent for a higher fee. */
const ATTEMPTS_MAX = 12;

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

/** A payout is not what it was when it was first sent. */
export class OtherPayoutError extends Error {
  override name = "OtherPayoutError";
}

/** Pays from the wallet's own address. */
export class EvmPayouts {
  readonly #parts: EvmPayoutParts;
  readonly #nonces: EvmNonces;
  /** The wallet's own address. */
  readonly address: string;

  constructor(parts: EvmPayoutParts) {
    this.#parts = parts;
    this.address = addressOfKey(parts.keys.publicKeyAt(WALLET_KEY));
    this.#nonces = new EvmNonces(parts.engine, parts.rows, this.address);
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
    const payment: Payment = { address, contract: coin.contract, units };
    const head = await chain.head();
    await checkDigits(chain, coin);
    const known = await this.#nonces.known(id);
    if (known !== null) return await this.#sendAgain(id, known, payment);
    const plan = await this.#plan(payment, head);
    if (typeof plan === "string") return refused(plan);
    const reserved = await this.#reserve(id, currency, payment, plan, head);
    // Another process may have reserved it, and then its transaction counts.
    return await this.#sendAgain(id, reserved, payment);
  }

  /** Looks a payout up, see `Rail.find`; what waits is sent again, for more if it has to. */
  async find(id: string): Promise<FindOutcome> {
    const { chain, network } = this.#parts;
    const known = await this.#nonces.known(id);
    if (known === null) return { kind: "absent" };
    const head = await chain.head();
    await this.#settle();
    const receipt = await this.#receipt(known);
    if (receipt !== null) return this.#foundIn(receipt, known, head);
    const txid = lastOf(known).txid;
    const finalHeight = head.height - network.finalBlocks;
    if (finalHeight >= 0 && await chain.sentBy(this.address, finalHeight) > known.nonce) {
      await this.#proveReplaced(known, finalHeight);
      const { nonce, attempts } = known;
      const from = attempts[0]?.height ?? 0;
      const spent = { address: this.address, nonce, from, to: finalHeight };
      const paid = await forgottenPayment(chain, known, spent);
      if (paid === null) return { kind: "sent", txid, confirmations: 0, isFailed: true };
      const confirmations = head.height - paid.height + 1;
      return { kind: "sent", txid: paid.txid, confirmations, isFailed: false };
    }
    const raised = await this.#raised(id, known, head);
    await this.#broadcast(raised);
    return { kind: "sent", txid: lastOf(raised).txid, confirmations: 0, isFailed: false };
  }

  /**
   * Sends again what the network has forgotten: nobody asks any more for a payout that has its
   * confirmations, but a reorganisation can take its block, and all that come after it wait.
   */
  async tend(head: EvmHeader): Promise<void> {
    const { chain } = this.#parts;
    await this.#settle();
    if ((await this.#nonces.openFrom(0)).length === 0) return;
    const sent = await chain.sentBy(this.address, head.height);
    for (const payout of await this.#nonces.openFrom(sent)) {
      if (!await chain.knows(lastOf(payout).txid)) await this.#broadcast(payout);
    }
  }

  /** Gives what was reserved its row, and sends what a killed process may not have sent. */
  async #settle(): Promise<void> {
    for (const payout of await this.#nonces.settle()) await this.#broadcast(payout);
  }

  async #sendAgain(id: string, known: KnownPayout, payment: Payment): Promise<SendOutcome> {
    const isSame = known.address === payment.address && known.units === payment.units &&
      known.contract === payment.contract;
    if (!isSame) throw new OtherPayoutError(`Payout ${id} was sent otherwise`);
    await this.#settle();
    const receipt = await this.#receipt(known);
    if (receipt === null) await this.#broadcast(known);
    return { kind: "sent", txid: receipt?.txid ?? lastOf(known).txid };
  }

  /**
   * Returns what a payment takes, or why it is refused.
   *
   * @throws {PayoutWaitsError} it may go later
   */
  async #plan(payment: Payment, head: EvmHeader): Promise<PaymentPlan | string> {
    const { chain, network } = this.#parts;
    const { contract } = payment;
    const of = (token: string | null) => ({
      address: this.address,
      contract: token,
      hash: head.hash,
    });
    const asked = contract === null ? [of(null)] : [of(null), of(contract)];
    const [balance = 0n, tokens = 0n] = await chain.balances(asked);
    const held = contract === null ? balance : tokens;
    if (held < payment.units) throw new PayoutWaitsError("The wallet holds too little");
    const call = callOf(payment, this.address);
    let gas: bigint;
    try {
      if (contract !== null && !isDone(await chain.call(call))) return "its token refuses it";
      gas = await chain.gasOf(call);
    } catch (error) {
      if (refusalOf(error) === "reverted") return "its recipient or token refuses it";
      // A recipient's contract decides what a node says of it, which is no fault of the node.
      if (!(error instanceof RpcRefusedError)) throw error;
      throw new PayoutWaitsError("The node can't tell what it takes", { cause: error });
    }
    const limit = gas <= PLAIN_GAS ? PLAIN_GAS : gas * 5n / 4n;
    if (limit > network.gasMax) return "it takes too much gas";
    const fee = gasFee(network, { baseFee: head.baseFee, tip: await chain.tip() });
    if (fee === null) throw new PayoutWaitsError("Gas costs too much now");
    return { ...fee, gas: limit, balance, tokens };
  }

  async #reserve(
    id: string,
    currency: string,
    payment: Payment,
    { gas, feeMax, tip, balance, tokens }: PaymentPlan,
    head: EvmHeader,
  ): Promise<KnownPayout> {
    const { chain, keys, network: { chainId, finalBlocks } } = this.#parts;
    const { contract, units } = payment;
    const cost = gas * feeMax + (contract === null ? units : 0n);
    const sent = await chain.sentBy(this.address, head.height);
    const finalHeight = Math.max(0, head.height - finalBlocks);
    const finallySent = await chain.sentBy(this.address, finalHeight);
    const checkMoney = (waiting: readonly OpenPayout[]) => {
      const same = waiting.filter((one) => one.contract === contract);
      const isEnough = sumOf(waiting.map((one) => one.cost)) + cost <= balance &&
        (contract === null || sumOf(same.map((one) => one.units)) + units <= tokens);
      if (!isEnough) throw new PayoutWaitsError("The wallet holds too little for all that waits");
    };
    const sign = (nonce: number): KnownPayout => {
      const signed = signPayment(keys, chainId, payment, { nonce, gas, feeMax, tip });
      const attempts = [{ ...signed, feeMax, tip, height: head.height }];
      return { ...payment, currency, nonce, gas, attempts };
    };
    return await this.#nonces.reserve({ id, cost, sent, finallySent, checkMoney, sign });
  }

  /** Returns the receipt of the one of a payout's transactions that a block holds; null if none. */
  async #receipt({ attempts }: KnownPayout): Promise<EvmReceipt | null> {
    const { chain } = this.#parts;
    const found = await chain.receipts(attempts.map(({ txid }) => txid));
    const receipt = found.find((one) => one !== null) ?? null;
    if (receipt === null) return null;
    const [block] = await chain.headers([receipt.height]);
    if (block?.hash === receipt.hash) return receipt;
    throw new EvmNodeError("contradicting", "a receipt is of a block that is not there");
  }

  #foundIn(receipt: EvmReceipt, payout: KnownPayout, head: EvmHeader): FindOutcome {
    const { txid, height } = receipt;
    const confirmations = Math.max(0, head.height - height + 1);
    if (this.#hasPaid(receipt, payout)) {
      return { kind: "sent", txid, confirmations, isFailed: false };
    }
    // In another block it could pay yet.
    const isFailed = confirmations > this.#parts.network.finalBlocks;
    return { kind: "sent", txid, confirmations: 0, isFailed };
  }

  /** A token that takes a fee tells of less than was sent: any transfer to the recipient counts. */
  #hasPaid({ isSuccess, logs }: EvmReceipt, { contract, address }: KnownPayout): boolean {
    if (!isSuccess || contract === null) return isSuccess;
    const topics = [TRANSFER_TOPIC, `0x${addressWord(this.address)}`, `0x${addressWord(address)}`];
    return logs.some((log) =>
      log.contract === contract.toLowerCase() && log.topics.join() === topics.join()
    );
  }

  /** @throws {EvmNodeError} it can't be shown that another transaction has the payout's nonce */
  async #proveReplaced({ nonce, attempts }: KnownPayout, finalHeight: number): Promise<void> {
    const { chain } = this.#parts;
    const from = attempts[0]?.height ?? 0;
    const spender = await findSpender(chain, {
      address: this.address,
      nonce,
      from,
      to: finalHeight,
    });
    if (!attempts.some(({ txid }) => txid === spender)) return;
    throw new EvmNodeError("contradicting", "a payout has a block, but no receipt");
  }

  /** Signs and notes a transaction for a higher fee if a payout has waited long for its turn. */
  async #raised(id: string, known: KnownPayout, head: EvmHeader): Promise<KnownPayout> {
    const { chain, keys, network } = this.#parts;
    const last = lastOf(known);
    const { nonce, gas, attempts } = known;
    const isDue = head.height - last.height >= network.bumpBlocks;
    if (!isDue || !keys.canSign || attempts.length >= ATTEMPTS_MAX) return known;
    // It waits for one before it, and a higher fee would not help.
    if (await chain.sentBy(this.address, head.height) !== nonce) return known;
    const usual = gasFee(network, { baseFee: head.baseFee, tip: await chain.tip() });
    const fee = usual === null ? null : raisedFee(network, last, usual);
    if (fee === null) return known;
    const signed = signPayment(keys, network.chainId, known, { nonce, gas, ...fee });
    return await this.#nonces.addAttempt(id, known, { ...signed, ...fee, height: head.height });
  }

  /** Sends what was noted; the next look sends it again if the network does not take it now. */
  async #broadcast(payout: KnownPayout): Promise<void> {
    try {
      await this.#parts.chain.broadcast(lastOf(payout).signed);
    } catch (error) {
      const reason = refusalOf(error);
      // Its block came meanwhile, or the network waits with one that pays as much.
      if (reason !== "nonce_used" && reason !== "underpriced") this.#parts.onFault(error);
    }
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

function lastOf({ attempts }: KnownPayout): Attempt {
  return present(attempts.at(-1), "a payout has a transaction");
}

/** Whether a token's transfer answers that it is done: some answer nothing. */
function isDone(answer: string): boolean {
  return answer === "0x" || /^0x0{63}1(?:[0-9a-f]{64})*$/.test(answer);
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
