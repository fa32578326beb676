/** Payouts that are held back, since coins are missing for them. */
import type { EvmChain, EvmHeader } from "../evm_chain.ts";
import type { EvmNetwork } from "../evm_networks.ts";
import { refusalOf, TokenAnswerError } from "../evm_node_error.ts";
import type { EvmNonces, KnownPayout, NamedPayout } from "./evm_nonces.ts";
import { lastOf } from "./evm_sending.ts";
import { type Shortages, takenOf, type TooLittleError } from "./shortages.ts";

/** By what sweeps bring a token meanwhile: what the wallet paid for their gas would wait in line. */
const BY_OWN_GAS = "by gas that is at members' addresses: the wallet sends none there meanwhile";

/** What holding back works with. */
export interface HeldPayoutParts {
  readonly network: EvmNetwork;
  readonly chain: EvmChain;
  readonly nonces: EvmNonces;
  readonly shortages: Shortages;
  /** The wallet's own address. */
  readonly address: string;
  /** Tells an operator what a payout lacks that has waited long for it. */
  readonly tell: (payout: NamedPayout, what: string) => Promise<void>;
}

/** Holds payouts of one address back. */
export class HeldPayouts {
  readonly #parts: HeldPayoutParts;
  /** What each lacks, as a contract, by nonce. */
  readonly #held = new Map<number, string | null>();
  /** What they lack, by contract: since which height, and the last nonce that waited then. */
  readonly #lacking = new Map<string | null, { readonly height: number; readonly last: number }>();

  constructor(parts: HeldPayoutParts) {
    this.#parts = parts;
  }

  /** Whether there are any: whatever is paid now waits behind them. */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  /** Forgets what is in blocks by now, once so many transactions are. */
  forget(sent: number): void {
    for (const nonce of this.#held.keys()) if (nonce < sent) this.#held.delete(nonce);
    for (const [of, { last }] of this.#lacking) if (last < sent) this.#lacking.delete(of);
  }

  /**
   * Whether a payout has to wait since coins are missing for it, or for one before it: without them it
   * would be mined without effect. A token may tell of any balance. So all that lack it wait for a
   * while at most, and together, for the sake of those after them; what comes of them is told. Those
   * that lack several tokens wait at once, not one token after the other.
   */
  async isHeldBack(known: NamedPayout, head: EvmHeader): Promise<boolean> {
    const { network: { bumpBlocks }, tell } = this.#parts;
    const { nonce, isFailed = false } = known;
    const before = [...this.#held].filter(([one]) => one < nonce).map(([, lacks]) => lacks);
    // It lacks the same, of which the first has told.
    if (before.includes(null) || before.includes(known.contract)) return true;
    const short = isFailed ? null : await this.#shortOf(known, head);
    const age = short === null ? 0 : await this.#ageOf(short.contract, nonce, head);
    if (short === null || (short.contract !== null && age >= 2 * bumpBlocks)) {
      this.#held.delete(nonce);
      return before.length > 0;
    }
    this.#held.set(nonce, short.contract);
    await this.#note(short);
    const how = short.contract === null ? "" : `, ${BY_OWN_GAS}`;
    if (age >= bumpBlocks) await tell(known, short.message + how);
    return true;
  }

  /**
   * Whether the wallet has what a payout takes for a higher fee, beside all others that wait: nodes
   * take nothing beyond it, and what is signed for more is never sent for less. If not, it waits as it
   * is, which is told once that takes long.
   *
   * @param cost what it takes then at most of the network's own coin, in wei
   */
  async mayRaise(known: NamedPayout, cost: bigint, head: EvmHeader): Promise<boolean> {
    const { address, chain, network: { bumpBlocks }, nonces, shortages, tell } = this.#parts;
    const { height, hash } = head;
    const waiting = await nonces.waiting(await chain.sentBy(address, height));
    const others = waiting.filter(({ nonce }) => nonce !== known.nonce);
    const [held = 0n] = await chain.balances([{ address, contract: null, hash }]);
    const missing = takenOf(others, null) + cost - held;
    if (missing <= 0n) return true;
    const short = shortages.tooLittle(null, missing, " for gas, which costs more by now", 0n);
    await this.#note(short);
    if (height - lastOf(known).height >= 2 * bumpBlocks) await tell(known, short.message);
    return false;
  }

  /** Has sweeps bring what is short. */
  async #note(short: TooLittleError): Promise<void> {
    const { shortages } = this.#parts;
    if (await shortages.missing(short.contract) !== short.units) await shortages.note(short);
  }

  /** Returns for how many blocks a coin has been short, until all are mined that waited at first. */
  async #ageOf(contract: string | null, nonce: number, head: EvmHeader): Promise<number> {
    let since = this.#lacking.get(contract);
    if (since === undefined) {
      const last = (await this.#parts.nonces.waiting(nonce)).at(-1)?.nonce ?? nonce;
      since = { height: head.height, last };
      this.#lacking.set(contract, since);
    }
    return head.height - since.height;
  }

  /** Returns what the wallet lacks for a payout and those before it that wait; null if nothing. */
  async #shortOf(
    { nonce, contract }: KnownPayout,
    head: EvmHeader,
  ): Promise<TooLittleError | null> {
    const { address, chain, nonces, shortages } = this.#parts;
    const { height, hash } = head;
    const waiting = await nonces.waiting(await chain.sentBy(address, height));
    const before = waiting.filter((one) => one.nonce <= nonce);
    for (const of of contract === null ? [null] : [null, contract]) {
      try {
        const [held = 0n] = await chain.balances([{ address, contract: of, hash }]);
        const missing = takenOf(before, of) - held;
        if (missing > 0n) return shortages.tooLittle(of, missing, "", 0n);
      } catch (error) {
        // A token that tells nothing keeps no others waiting.
        if (of === null || !await this.#isTokens(error, hash)) throw error;
      }
    }
    return null;
  }

  /** Whether a token is to blame for an error: also where a node that is well has other words for it. */
  async #isTokens(error: unknown, hash: string): Promise<boolean> {
    if (error instanceof TokenAnswerError) return true;
    const reason = refusalOf(error);
    return reason !== null && reason !== "no_state" && await this.#parts.chain.answersCalls(hash);
  }
}
