/** Moves what the wallet keeps beyond its coins' limits to the cold address. */
import { present } from "../../domain/assert.ts";
import type { NetworkCoin, NetworkRailParts } from "../rails/network_rail.ts";
import type { EvmHeader } from "./evm_chain.ts";
import type { KnownPayout } from "./payouts/evm_nonces.ts";
import { PLAIN_GAS } from "./evm_payments.ts";
import type { EvmPayoutParts, EvmPayouts } from "./payouts/evm_payouts.ts";
import { EvmSending } from "./payouts/evm_sending.ts";
import { isWorthIt } from "./sweep_terms.ts";
import { takesFee } from "./token_checks.ts";

/** A coin is moved once it is over its limit by this part of it, so that it is not always moved. */
const OVER_PART = 10n;

/** What moving works with. */
export interface HotLimitParts extends EvmPayoutParts {
  readonly payouts: EvmPayouts;
  readonly cold: string | null;
  readonly onMoved: NetworkRailParts["onMoved"];
  readonly owedOf: NetworkRailParts["owedOf"];
}

/** How many payments to the cold address a coin has had; the next one has this number. */
export interface ColdPayments {
  readonly number: number;
}

/** The cold address, or a coin's contract, does not take a payment. */
export class ColdPaymentError extends Error {
  override name = "ColdPaymentError";
}

/** Keeps the wallet's coins within their limits. */
export class HotLimits {
  readonly #parts: HotLimitParts;
  readonly #sending: EvmSending;

  constructor(parts: HotLimitParts) {
    this.#parts = parts;
    this.#sending = new EvmSending(parts);
  }

  /**
   * Moves what is too much of a coin, or brings further what is on its way.
   *
   * @param final the last block that is final
   */
  async turn(coin: NetworkCoin, head: EvmHeader, final: EvmHeader): Promise<void> {
    const { engine, rows, payouts, cold } = this.#parts;
    const { currency, contract, hotLimit } = coin;
    if (hotLimit === null || cold === null || cold === payouts.address) return;
    const key = rows.cold(currency);
    const { number } = await engine.readSidecar(key) as ColdPayments | null ?? { number: 1 };
    const id = `cold-${currency}-${number}`;
    const found = await payouts.find(id);
    if (found.kind === "absent") {
      const units = await this.#surplus(coin, { hotLimit, cold }, head, final);
      if (units === 0n) return;
      const payment = { currency, address: cold, contract, units };
      const way = { from: payouts.address, contract, to: cold };
      const paid = await takesFee(this.#parts, way, head)
        ? "its token takes a fee"
        : await payouts.pay(id, payment, head, false);
      if (typeof paid !== "string") return await this.#tell(coin, paid);
      throw new ColdPaymentError(`What is beyond the limit of ${currency} can't be moved: ${paid}`);
    }
    // Whoever has decided on it may have been killed before it told of it.
    await this.#tell(coin, present(await payouts.known(id), "what is found is known"));
    // The next one waits until no reorganisation can undo it.
    if (found.confirmations <= this.#parts.network.finalBlocks && !found.isFailed) return;
    // A process that is late sets it back to one that is final, and so goes on from there.
    await engine.changeSidecar(key, (): ColdPayments => ({ number: number + 1 }));
    if (!found.isFailed) return;
    const what = `What is beyond the limit of ${currency} was not moved, and is tried again`;
    throw new ColdPaymentError(`${what}: ${found.failure ?? "its transaction has failed"}`);
  }

  async #tell(coin: NetworkCoin, { units, attempts: [first] }: KnownPayout): Promise<void> {
    const { txid } = present(first, "a payment has a transaction");
    await this.#parts.onMoved({ coin, units, txid });
  }

  /** Returns what is to be moved: nothing if payouts wait for it, or it is not worth its fee. */
  async #surplus(
    coin: NetworkCoin,
    { hotLimit, cold }: { readonly hotLimit: bigint; readonly cold: string },
    head: EvmHeader,
    final: EvmHeader,
  ): Promise<bigint> {
    const { chain, coins, payouts, owedOf } = this.#parts;
    const { contract } = coin;
    const native = coins().find((one) => one.contract === null) ?? null;
    const missing = await payouts.missing(contract) ?? await payouts.missing(null);
    if (missing !== null) return 0n;
    const of = (hash: string) => ({ address: payouts.address, contract, hash });
    const [before = 0n, now = 0n] = await chain.balances([of(final.hash), of(head.hash)]);
    const final_ = before < now ? before : now;
    const held = final_ - await payouts.taken(contract, head) - owedOf(coin);
    const over = held - hotLimit;
    if (over * OVER_PART < hotLimit) return 0n;
    const fee = await this.#sending.usualFee(head);
    if (fee === null) return 0n;
    // Its own gas stays.
    const most = contract === null ? held - await this.#gas(coin, cold) * fee.feeMax : over;
    const units = over < most ? over : most;
    // What nobody knows the price of has a limit all the same.
    const worth = { coin, native, units, fee: PLAIN_GAS * fee.feeMax, missing: null };
    const isPriced = contract === null || (coin.price > 0n && (native?.price ?? 0n) > 0n);
    return isPriced && !isWorthIt(worth) ? 0n : units;
  }

  /** Returns the gas that a payment to the cold address takes, where that takes one at all. */
  async #gas({ contract }: NetworkCoin, cold: string): Promise<bigint> {
    const payment = { address: cold, contract, units: 1n };
    const gas = await this.#sending.gasOf(payment, this.#parts.payouts.address, null);
    return typeof gas === "string" ? PLAIN_GAS : gas;
  }
}
