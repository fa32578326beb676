/**
 * Sweeps: what members' addresses hold goes to the wallet's own. As a payout, a sweep is signed and
 * noted by its address and nonce before it is sent, and only what was noted is ever sent. The next one
 * of the address begins when the last one is final.
 */
import { present } from "../../domain/assert.ts";
import type { MemberPlace } from "../keys/account_keys.ts";
import type { NetworkCoin, NetworkRailParts } from "../rails/network_rail.ts";
import { PayoutWaitsError } from "../rails/payout_waits.ts";
import type { BlockPlace } from "./block_place.ts";
import { addressOfKey } from "./evm_address.ts";
import type { EvmHeader, EvmReceipt } from "./evm_chain.ts";
import { EvmNodeError, isOfNode, RpcRefusedError, TokenAnswerError } from "./evm_node_error.ts";
import type { Attempt, KnownPayout } from "./payouts/evm_nonces.ts";
import { type GasFee, PLAIN_GAS } from "./evm_payments.ts";
import type { EvmPayoutParts, EvmPayouts } from "./payouts/evm_payouts.ts";
import { EvmSending, hasPaid, lastOf } from "./payouts/evm_sending.ts";
import { HeldCoins } from "./held_coins.ts";
import { HotLimits } from "./hot_limits.ts";
import { hasRoom, isGivenUp, type OpenSweep, SweepSlots } from "./sweep_slots.ts";
import { emptyingFee, isWorthIt, movedBy, signSweep, type SweepTerms } from "./sweep_terms.ts";
import { takesFee } from "./token_checks.ts";

/** How often a sweep's address is given gas. */
const GAS_PAYMENTS_MAX = 3;
const GAS_USED_UP = "has used up the gas that it was sent";
const MOVED_NOTHING = "moved nothing";
/** Gas that a token's transfer takes at least, by which addresses are chosen. */
const TOKEN_GAS_MIN = 40_000n;

/** What sweeps work with. */
export interface EvmSweepParts extends EvmPayoutParts {
  readonly payouts: EvmPayouts;
  readonly cold: string | null;
  readonly onMoved: NetworkRailParts["onMoved"];
  readonly owedOf: NetworkRailParts["owedOf"];
  readonly placeOf: (uid: string) => MemberPlace;
  readonly ownersOf: (addresses: readonly string[]) => Promise<readonly (string | null)[]>;
}

/** What a turn looks at. */
interface Moment {
  readonly head: EvmHeader;
  readonly final: EvmHeader;
  /** The network's own coin; null if it is no currency of the venue. */
  readonly native: NetworkCoin | null;
  /** What is usual to pay for gas, and what to empty an address. */
  readonly usual: GasFee;
  readonly emptying: GasFee;
}

/** A sweep has not moved its coins. */
export class SweepError extends Error {
  override name = "SweepError";
}

/** Empties members' addresses into the wallet's own, and that one beyond its limits. */
export class EvmSweeps {
  readonly #parts: EvmSweepParts;
  readonly #sending: EvmSending;
  readonly #slots: SweepSlots;
  readonly #held: HeldCoins;
  readonly #limits: HotLimits;

  constructor(parts: EvmSweepParts) {
    this.#parts = parts;
    this.#sending = new EvmSending(parts);
    this.#slots = new SweepSlots(parts.engine, parts.rows);
    this.#held = new HeldCoins(parts);
    this.#limits = new HotLimits(parts);
  }

  /** Brings the sweeps that are on their way further, and begins others. */
  async turn(head: EvmHeader): Promise<void> {
    const { coins, chain, network } = this.#parts;
    const native = coins().find(({ contract }) => contract === null) ?? null;
    const [final = null] = await chain.headers([Math.max(0, head.height - network.finalBlocks)]);
    // A node may tell of blocks that it does not have.
    if (final === null || head.height < network.finalBlocks) return;
    const usual = await this.#sending.usualFee(head);
    const emptying = emptyingFee(network, { baseFee: head.baseFee, tip: await chain.tip() });
    // While gas costs too much, nothing is moved that nobody waits for.
    if (usual === null || emptying === null) return;
    const moment = { head, final, native, usual, emptying };
    for (const sweep of (await this.#slots.read()).open) {
      await this.#safely(() => this.#continueOrEnd(sweep, moment));
    }
    // Tokens first: they need the gas that may be at their addresses.
    for (const coin of coins().toSorted((a, b) => Number(b !== native) - Number(a !== native))) {
      await this.#safely(() => this.#unlessYoung(coin, final, () => this.#begin(coin, moment)));
      const limit = () => this.#limits.turn(coin, head, final);
      await this.#safely(() => this.#unlessYoung(coin, final, limit));
    }
  }

  /** A token that is younger than the last final block tells no balance as of it: it waits. */
  async #unlessYoung(
    { contract }: NetworkCoin,
    final: EvmHeader,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      const mayBeYoung = error instanceof TokenAnswerError && contract !== null;
      if (!mayBeYoung || await this.#parts.chain.hasCode(contract, final.hash)) throw error;
    }
  }

  /** Has those addresses be swept again whose sweeps came after a block. */
  async goBack(block: BlockPlace, head: EvmHeader): Promise<void> {
    await this.#held.goBack(block, head);
  }

  /** One sweep, or one bad token, stops no other. */
  async #safely(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isOfNode(error)) throw error;
      if (!(error instanceof PayoutWaitsError)) this.#parts.onFault(error);
    }
  }

  async #begin(coin: NetworkCoin, moment: Moment): Promise<void> {
    const { chain } = this.#parts;
    const { head, final } = moment;
    const { currency, contract } = coin;
    if (!hasRoom(await this.#slots.read(), currency, head.height)) return;
    const gas = contract === null ? PLAIN_GAS : TOKEN_GAS_MIN;
    for (const { address, units } of await this.#held.next(coin, head, final)) {
      if (!await this.#isWorth(coin, moment, units, gas)) continue;
      const [nonce = 0] = await chain.sentByAll([address], head.hash);
      const [finally_ = 0] = await chain.sentByAll([address], final.hash);
      if (nonce !== finally_) continue;
      const sweep = { currency, address, nonce };
      if (await this.#slots.take(sweep, head.height)) {
        await this.#safely(() => this.#continueOrEnd(sweep, moment));
      }
      if (!hasRoom(await this.#slots.read(), currency, head.height)) return;
    }
  }

  /** What can't be signed now keeps no other waiting; what is on its way is looked after. */
  async #continueOrEnd(sweep: OpenSweep, moment: Moment): Promise<void> {
    const { engine, rows } = this.#parts;
    try {
      await this.#continue(sweep, moment);
    } catch (error) {
      const isLeft = !isOfNode(error) &&
        await engine.readSidecar(rows.sweep(sweep.address, sweep.nonce)) === null;
      if (isLeft) await this.#end(sweep, "left", moment.head);
      throw error;
    }
  }

  async #continue(sweep: OpenSweep, moment: Moment): Promise<void> {
    const { engine, rows, network } = this.#parts;
    const { head } = moment;
    const known = await engine.readSidecar(rows.sweep(sweep.address, sweep.nonce));
    if (known === null) return await this.#sign(sweep, moment, null);
    const noted = known as KnownPayout;
    const receipt = await this.#sending.receipt(noted);
    if (receipt === null) return await this.#bringOn(sweep, noted, moment);
    if (head.height - receipt.height < network.finalBlocks) return;
    const fault = hasPaid(receipt, noted, sweep.address)
      ? await this.#faultOf(sweep.address, noted, receipt)
      : MOVED_NOTHING;
    if (fault === null) await this.#end(sweep, "done", head);
    else await this.#fail(sweep, head, fault);
  }

  /** Sends a sweep again that no block holds, for more if it has to. */
  async #bringOn(sweep: OpenSweep, known: KnownPayout, moment: Moment): Promise<void> {
    const { head } = moment;
    const { address } = sweep;
    const replacement = await this.#sending.replacement(known, address, head);
    if (replacement !== null) {
      const what = replacement.txid !== null ? "a foreign transaction" : "what the node can't show";
      return await this.#leave(sweep, head, `was replaced by ${what}`);
    }
    if (await this.#isShort(address, known, head)) {
      const isDue = head.height - lastOf(known).height >= this.#parts.network.bumpBlocks;
      return isDue ? await this.#sign(sweep, moment, known) : undefined;
    }
    const needed = known.contract === null ? 0n : known.gas * lastOf(known).feeMax;
    const hasGas = await this.#hasGas(sweep, needed, head);
    if (hasGas === null) return await this.#fail(sweep, head, GAS_USED_UP);
    if (hasGas) await this.#sending.broadcast(await this.#raised(sweep, known, moment));
  }

  /** Whether what a sweep was signed for is gone, with blocks that had counted as final. */
  async #isShort(
    address: string,
    { contract, units, nonce }: KnownPayout,
    { height, hash }: EvmHeader,
  ): Promise<boolean> {
    const { chain } = this.#parts;
    // Another transaction may have taken it, and the nonce.
    if (await chain.sentBy(address, height) !== nonce) return false;
    try {
      const [held = 0n] = await chain.balances([{ address, contract, hash }]);
      return held < units;
    } catch (error) {
      if (isOfNode(error) || !isAnswered(error)) throw error;
      return false;
    }
  }

  /**
   * Signs a sweep of all that is final at an address, once it has the gas for it.
   *
   * @param known what it was signed for, if that is not there any more
   */
  async #sign(sweep: OpenSweep, moment: Moment, known: KnownPayout | null): Promise<void> {
    const { chain, coins, payouts } = this.#parts;
    const { currency, address, nonce } = sweep;
    const { head, final } = moment;
    const coin = coins().find((one) => one.currency === currency);
    const counts = [
      ...await chain.sentByAll([address], head.hash),
      ...await chain.sentByAll([address], final.hash),
    ];
    if (coin === undefined || counts.some((count) => count !== nonce)) {
      return await this.#end(sweep, "left", head);
    }
    const { contract } = coin;
    // A payment of gas that no block holds would keep all payouts after it waiting.
    if (contract !== null && await this.#nextGas(sweep) === null) return;
    const units = await this.#held.unitsOf(coin, address, head, final);
    const payment = { currency, address: payouts.address, contract, units };
    const gas = contract === null ? PLAIN_GAS : await this.#gasOf(sweep, payment, known, head);
    if (gas === null) return;
    const fee = await this.#feeOf(sweep, contract, moment, known);
    if (fee === null || !await this.#isWorth(coin, moment, units, gas, fee.feeMax)) {
      return await this.#end(sweep, "left", head);
    }
    const hasGas = contract === null || await this.#hasGas(sweep, gas * fee.feeMax, head);
    if (hasGas === null) await this.#fail(sweep, head, GAS_USED_UP);
    if (!hasGas) return;
    const noted = await this.#note(sweep, { ...payment, nonce, gas }, known, fee, head);
    await this.#sending.broadcast(noted);
  }

  /** Returns for what a sweep is signed, in the place of another or not; null if it can't be now. */
  async #feeOf(
    { address }: OpenSweep,
    contract: string | null,
    { head, usual, emptying }: Moment,
    known: KnownPayout | null,
  ): Promise<GasFee | null> {
    if (known === null) return contract === null ? emptying : usual;
    const raised = await this.#sending.raisedFee(known, address, head);
    return raised === null || contract !== null ? raised : { ...raised, tip: raised.feeMax };
  }

  /** Returns the gas of a token's sweep; null if it would fail: then the sweep has ended. */
  async #gasOf(
    sweep: OpenSweep,
    payment: SweepTermsPayment,
    known: KnownPayout | null,
    head: EvmHeader,
  ) {
    if (payment.units === 0n) {
      await this.#end(sweep, "left", head);
      return null;
    }
    const { engine, rows } = this.#parts;
    const { contract, address: to } = payment;
    // It may have begun after what is here was credited.
    const gas = await takesFee(this.#parts, { from: sweep.address, contract, to }, head)
      ? "its token takes a fee"
      : await this.#sending.gasOf(payment, sweep.address, null);
    if (typeof gas === "bigint") return gas;
    // What another process has swept meanwhile is not there any more.
    const now = await engine.readSidecar(rows.sweep(sweep.address, sweep.nonce));
    if (!isSameSweep(now as KnownPayout | null, known)) return null;
    // It has cost nothing, and a token may refuse this address alone.
    await this.#held.rest(sweep, head);
    await this.#leave(sweep, head, `can't be: ${gas}`);
    return null;
  }

  /**
   * Signs a sweep, if need be in the place of what is known, and notes it unless another process
   * has; returns what is noted.
   */
  async #note(
    sweep: OpenSweep,
    terms: SweepTerms,
    known: KnownPayout | null,
    fee: GasFee,
    head: EvmHeader,
  ): Promise<KnownPayout> {
    const { engine, rows } = this.#parts;
    const { address, nonce } = sweep;
    const attempt = await this.#attempt(address, terms, fee, head);
    const next: KnownPayout = { ...terms, attempts: [...known?.attempts ?? [], attempt] };
    return await engine.changeSidecar(rows.sweep(address, nonce), (old) => {
      const now = old as KnownPayout | null;
      return now === null || isSameSweep(now, known) ? next : now;
    });
  }

  async #attempt(
    address: string,
    terms: SweepTerms,
    fee: GasFee,
    { height }: EvmHeader,
  ): Promise<Attempt> {
    const { keys, network: { chainId } } = this.#parts;
    const signed = signSweep(keys, await this.#placeOf(address), chainId, terms, fee);
    return { ...signed, ...fee, height };
  }

  /** Returns where the key of a member's address is. */
  async #placeOf(address: string): Promise<MemberPlace> {
    const { keys, ownersOf, placeOf } = this.#parts;
    const [uid = null] = await ownersOf([address]);
    const place = placeOf(present(uid, "an address that was paid is a member's"));
    if (addressOfKey(keys.publicKeyAt(place)) === address) return place;
    throw new SweepError("An address is not that of its member's key");
  }

  /** Signs and notes a transaction for a higher fee if a sweep has waited long. */
  async #raised(sweep: OpenSweep, known: KnownPayout, moment: Moment): Promise<KnownPayout> {
    const { coins } = this.#parts;
    const { head } = moment;
    const { address } = sweep;
    const raised = await this.#sending.raisedFee(known, address, head);
    const coin = coins().find((one) => one.currency === known.currency);
    if (raised === null || coin === undefined) return known;
    const { feeMax } = raised;
    const fee = known.contract === null ? { feeMax, tip: feeMax } : raised;
    const cost = known.gas * feeMax;
    if (!await this.#isWorth(coin, moment, known.units, known.gas, feeMax)) return known;
    if (known.contract !== null && !await this.#mayHaveGas(sweep, cost, head)) return known;
    return await this.#note(sweep, known, known, fee, head);
  }

  /** Returns whether an address has so much for gas: without it, a sweep goes for less. */
  async #mayHaveGas(sweep: OpenSweep, wei: bigint, head: EvmHeader): Promise<boolean> {
    try {
      return await this.#hasGas(sweep, wei, head) ?? false;
    } catch (error) {
      if (error instanceof PayoutWaitsError) return false;
      throw error;
    }
  }

  /**
   * Returns the number of the next payment of gas to an address, which may be one too many; null
   * while the last one is in no block. It is tended.
   */
  async #nextGas(sweep: OpenSweep): Promise<number | null> {
    for (let number = 0; number < GAS_PAYMENTS_MAX; number++) {
      const found = await this.#parts.payouts.find(gasId(sweep, number));
      if (found.kind === "absent") return number;
      if (found.confirmations === 0 && !found.isFailed) return null;
    }
    return GAS_PAYMENTS_MAX;
  }

  /**
   * Returns whether an address has so much for gas; if not, it is sent what it lacks. Null if it was
   * sent gas often enough.
   *
   * @throws {PayoutWaitsError} the wallet has too little
   */
  async #hasGas(sweep: OpenSweep, wei: bigint, head: EvmHeader): Promise<boolean | null> {
    const { chain, payouts, coins } = this.#parts;
    const { address } = sweep;
    if (await this.#weiOf(address, head) >= wei) return true;
    const number = await this.#nextGas(sweep);
    if (number === null) return false;
    // What was paid before this number is there by now, unless another process has swept with it.
    const now = await chain.head();
    const held = await this.#weiOf(address, now);
    if (held >= wei) return true;
    if (await chain.sentBy(address, now.height) !== sweep.nonce) return false;
    if (number === GAS_PAYMENTS_MAX) return null;
    // It would wait in line for the very coins that the sweep may bring, and the sweep for it.
    if (payouts.isHolding) return false;
    const { currency = null } = coins().find(({ contract }) => contract === null) ?? {};
    const payment = { currency, address, contract: null, units: wei - held };
    const paid = await payouts.pay(gasId(sweep, number), payment, head);
    if (typeof paid === "string") throw new SweepError(`An address can't be sent gas: ${paid}`);
    return false;
  }

  async #weiOf(address: string, { hash }: EvmHeader): Promise<bigint> {
    const [wei = 0n] = await this.#parts.chain.balances([{ address, contract: null, hash }]);
    return wei;
  }

  /**
   * Returns what is wrong with a sweep whose receipt tells that it has paid; null if nothing is. Some
   * tokens lie, and some begin to take a fee while it is on its way.
   */
  async #faultOf(
    address: string,
    { contract, units, address: wallet }: KnownPayout,
    { height, hash, txid }: EvmReceipt,
  ): Promise<string | null> {
    if (contract === null) return null;
    const { chain } = this.#parts;
    const [found] = await chain.blocks([height]);
    const block = present(found, "a block was there");
    const beforeAndAfter = (one: string) =>
      [block.parent, hash].map((at) => ({ address: one, contract, hash: at }));
    try {
      const [before = 0n, after = 0n, hotBefore = 0n, hotAfter = 0n] = await chain.balances([
        ...beforeAndAfter(address),
        ...beforeAndAfter(wallet),
      ]);
      const [logs = []] = await chain.transfers([block], [contract.toLowerCase()]);
      const received = movedBy(logs, 2, address);
      if (before + received - after < units) return MOVED_NOTHING;
      const others = logs.filter((log) => log.txid !== txid);
      const arrived = hotAfter - hotBefore + movedBy(logs, 1, wallet) - movedBy(others, 2, wallet);
      if (arrived >= units) return null;
      return `lost ${units - arrived} of ${units} units to its token, which takes a fee`;
    } catch (error) {
      // Nodes forget balances after old blocks, and tokens can lose theirs: its receipt has to do.
      if (isOfNode(error) || !isAnswered(error)) throw error;
      return null;
    }
  }

  async #isWorth(
    coin: NetworkCoin,
    { native, usual, emptying }: Moment,
    units: bigint,
    gas: bigint,
    price: bigint = coin.contract === null ? emptying.feeMax : usual.feeMax,
  ): Promise<boolean> {
    const missing = await this.#parts.payouts.missing(coin.contract);
    return isWorthIt({ coin, native, units, fee: gas * price, missing });
  }

  /** Ends a sweep that has cost gas for nothing: a coin may do so three times in a row. */
  async #fail(sweep: OpenSweep, head: EvmHeader, what: string): Promise<void> {
    await this.#held.rest(sweep, head);
    const failures = await this.#slots.end(sweep, "failed", head.height);
    this.#tell(sweep, isGivenUp(failures) ? `${what}: its coin is left where it is for now` : what);
  }

  /** Ends a sweep of which nothing has come, which is told. */
  async #leave(sweep: OpenSweep, head: EvmHeader, what: string): Promise<void> {
    await this.#end(sweep, "left", head);
    this.#tell(sweep, what);
  }

  #tell({ currency }: OpenSweep, what: string): void {
    this.#parts.onFault(new SweepError(`A sweep of ${currency} ${what}`));
  }

  async #end(sweep: OpenSweep, how: "done" | "left", { height }: EvmHeader): Promise<void> {
    await this.#slots.end(sweep, how, height);
  }
}

/** Whether a node has answered, or a token, though not as they should. */
function isAnswered(error: unknown): boolean {
  return error instanceof EvmNodeError || error instanceof RpcRefusedError ||
    error instanceof TokenAnswerError;
}

/** Whether what is noted of a sweep is what was read of it: nobody has signed it since. */
function isSameSweep(now: KnownPayout | null, known: KnownPayout | null): boolean {
  return (now?.attempts.length ?? 0) === (known?.attempts.length ?? 0);
}

/** What a sweep pays. */
type SweepTermsPayment = Omit<SweepTerms, "nonce" | "gas">;

/** Returns the id of a payment of gas to an address for its sweep. */
function gasId({ address, nonce }: OpenSweep, number: number): string {
  return `gas-${address}-${nonce}-${number}`;
}
