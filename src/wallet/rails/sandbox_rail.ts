/**
 * A rail to no chain: it needs nothing else installed, and can bring a deposit or payout into every
 * state.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { assert } from "../../domain/assert.ts";
import { encodeCashAddress } from "../../domain/money/cash_address.ts";
import { canonicalName, nameFormOf } from "../../domain/money/chain_name.ts";
import type { Way } from "../../domain/money/currency.ts";
import type { SidecarKey } from "../../engine/engine.ts";
import { sandboxPayoutKey, sandboxRuleKey } from "../../engine/sidecar_rows.ts";
import type {
  FindOutcome,
  MemberAddress,
  Payout,
  Rail,
  SeenOutput,
  SendOutcome,
  WatchedOutputs,
} from "./rail.ts";
import {
  type NamedTransaction,
  type Reorganisation,
  SANDBOX_BLOCK_MS,
  SandboxChain,
  type SandboxEngine,
} from "./sandbox_chain.ts";

/**
 * What becomes of a payout. `confirm`: it arrives. `refuse`: it is not sent. `fail`: it is sent,
 * but has no effect on the chain. `lose_answer`: it is sent, but the answer is lost.
 * `lose_request`: it is not sent, and there is no answer. `hide`: it is sent, but it is neither
 * answered nor found by a lookup until the rule changes.
 */
export const PAYOUT_OUTCOMES = [
  "confirm",
  "refuse",
  "fail",
  "lose_answer",
  "lose_request",
  "hide",
] as const;
export type PayoutOutcome = typeof PAYOUT_OUTCOMES[number];

/** A rule for how payouts end. */
export interface PayoutRule {
  readonly outcome: PayoutOutcome;
  /** How many payouts it applies to; 0 for all. */
  readonly times: number;
}

/** The address of rules that apply to every address. */
export const ANY_ADDRESS = "*";

/** The bech32 alphabet; an address has one digit for each byte of a hash. */
const ADDRESS_DIGITS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/** What a CashAddr of the sandbox begins with: a network whose coins are worth nothing. */
const TEST_PREFIX = "bchtest";
/** Bytes of the hash of a public key in a CashAddr. */
const KEY_HASH_BYTES = 20;

/** Odd, so that no two members below 2³² share a tag. */
const TAG_FACTOR = 0x9e3779b1;

/** A payout that was answered; the first answer stays. */
interface KnownPayout extends Way {
  readonly address: string;
  readonly tag?: string;
  /** Null if it was refused. */
  readonly txid: string | null;
}

/** The rail gives no answer. */
class SandboxSilenceError extends Error {
  override name = "SandboxSilenceError";
}

/** The sandbox as a rail, with controls for what happens. Its state is in the store. */
export class SandboxRail implements Rail {
  readonly name = "sandbox";
  readonly isOutside: boolean = false;
  readonly #engine: SandboxEngine;
  readonly #chain: SandboxChain;

  constructor(engine: SandboxEngine, blockMs: number = SANDBOX_BLOCK_MS) {
    this.#engine = engine;
    this.#chain = new SandboxChain(engine, blockMs);
  }

  isOwn(): boolean {
    return false;
  }

  serves(): boolean {
    return true;
  }

  pays(): boolean {
    return true;
  }

  /**
   * Returns an address that no real chain accepts, so that nobody sends real coins to it. Where there are
   * tags, it is everybody's.
   */
  async createAddress(way: Way, uid: string): Promise<MemberAddress> {
    const { venue } = this.#engine;
    if (venue.currencyById.get(way.currency)?.tag === undefined) {
      return { address: this.#address(way, uid) };
    }
    const member = venue.holderByUid.get(uid);
    if (member === undefined) throw new Error("Nobody has this tag");
    const address = this.#address(way, "all members");
    return await Promise.resolve({ address, tag: tagOf(member.member.index) });
  }

  #address(way: Way, owner: string): string {
    const { currency } = way;
    const hash = sha256(utf8ToBytes(`${chainOf(way)}:${owner}`));
    const known = this.#engine.venue.currencyById.get(currency);
    if (known !== undefined && nameFormOf(known) === "cash") {
      const keyHash = hash.subarray(0, KEY_HASH_BYTES);
      return encodeCashAddress({ prefix: TEST_PREFIX, type: 0, hash: keyHash });
    }
    const digits = Array.from(hash, (byte) => ADDRESS_DIGITS[byte & 31]).join("");
    return `${currency}1q${digits}`;
  }

  async watch(way: Way, since: string | null): Promise<WatchedOutputs> {
    const outputs: SeenOutput[] = [];
    let cursor = since;
    let isFinal = true;
    for await (const transaction of this.#chain.since(chainOf(way), since)) {
      isFinal = isFinal && this.#chain.isFinal(transaction.txid);
      if (isFinal) cursor = transaction.txid;
      const output = await this.#output(transaction);
      if (output !== null) outputs.push(output);
    }
    return { outputs, cursor };
  }

  async look(way: Way, txid: string, output: number): Promise<SeenOutput | null> {
    const transaction = await this.#chain.transaction(chainOf(way), txid);
    return transaction === null || output !== 0 ? null : await this.#output(transaction);
  }

  async send(payout: Payout): Promise<SendOutcome> {
    const { id, currency, network, address, amount } = payout;
    const tag = payout.tag === null ? {} : { tag: payout.tag };
    const earlier = await this.#payout(id);
    if (earlier !== null) {
      assert(earlier.tag === tag.tag, `payout ${id} goes to one tag`);
      return answerOf(earlier);
    }
    const outcome = await this.#takeRule(currency, address);
    if (outcome === "lose_request") throw silence(id);
    const isFailed = outcome === "fail";
    const txid = outcome === "refuse"
      ? null
      : await this.#chain.add(chainOf(payout), { address, ...tag, amount, isFailed, payout: id });
    const way = network === undefined ? { currency } : { currency, network };
    const value: KnownPayout = { ...way, address, ...tag, txid };
    await this.#engine.createSidecar({ key: sandboxPayoutKey(id), value });
    if (outcome === "lose_answer" || outcome === "hide") throw silence(id);
    // Another process may have sent it meanwhile, and then that answer counts.
    return answerOf(await this.#payout(id) ?? value);
  }

  async find(payoutId: string): Promise<FindOutcome> {
    const known = await this.#payout(payoutId);
    if (known === null || known.txid === null) return { kind: "absent" };
    const { currency, address, txid } = known;
    const { rule } = await this.#ruleFor(currency, address);
    if (rule?.outcome === "hide") throw silence(payoutId);
    const transaction = await this.#chain.transaction(chainOf(known), txid);
    assert(transaction !== null, `payout ${payoutId} has its transaction`);
    const confirmations = this.#chain.confirmations(transaction);
    const isFailed = transaction.isDropped || (transaction.isFailed && confirmations > 0);
    return { kind: "sent", txid, confirmations, isFailed };
  }

  /** Pays to an address from outside, with or without a tag; returns the txid. */
  deposit(way: Way, address: string, amount: bigint, tag?: string): Promise<string> {
    const to = { address, ...tag === undefined ? {} : { tag } };
    return this.#chain.add(chainOf(way), { ...to, amount, isFailed: false, payout: null });
  }

  /** Removes the last blocks of a chain; see {@linkcode SandboxChain.reorganise}. */
  reorganise(way: Way, blocks: number, how: Reorganisation): Promise<string[]> {
    return this.#chain.reorganise(chainOf(way), blocks, how);
  }

  /** Sets how payouts to an address end, or to all addresses ({@linkcode ANY_ADDRESS}). */
  async setRule(currency: string, address: string, rule: PayoutRule): Promise<void> {
    const value = rule.outcome === "confirm" ? null : rule;
    await this.#engine.writeSidecar({ key: ruleKey(currency, address), value });
  }

  /** A transaction of a payout exists only if the payout's row names it too. */
  async #output(transaction: NamedTransaction): Promise<SeenOutput | null> {
    const { payout, isFailed, address, tag, txid, amount, isDropped } = transaction;
    if (isFailed) return null;
    if (payout !== null && (await this.#payout(payout))?.txid !== txid) return null;
    const confirmations = this.#chain.confirmations(transaction);
    const to = { address, ...tag === undefined ? {} : { tag } };
    return { ...to, txid, output: 0, amount, confirmations, isDropped };
  }

  async #payout(id: string): Promise<KnownPayout | null> {
    return await this.#engine.readSidecar(sandboxPayoutKey(id)) as KnownPayout | null;
  }

  async #ruleFor(
    currency: string,
    address: string,
  ): Promise<{ key: SidecarKey; rule: PayoutRule | null }> {
    const own = ruleKey(currency, address);
    const rule = await this.#engine.readSidecar(own);
    if (rule !== null) return { key: own, rule: rule as PayoutRule };
    const key = ruleKey(currency, ANY_ADDRESS);
    return { key, rule: await this.#engine.readSidecar(key) as PayoutRule | null };
  }

  /** Returns how this payout ends; counts down a rule for a number of payouts. */
  async #takeRule(currency: string, address: string): Promise<PayoutOutcome> {
    const { key, rule } = await this.#ruleFor(currency, address);
    if (rule === null || rule.times === 0 || rule.outcome === "hide") {
      return rule?.outcome ?? "confirm";
    }
    await this.#engine.changeSidecar(key, (old) => {
      const { outcome, times } = (old ?? rule) as PayoutRule;
      return times === 1 ? null : { outcome, times: Math.max(0, times - 1) };
    });
    return rule.outcome;
  }
}

/** Returns a member's tag: no two share one, and one with a wrong digit is mostly nobody's. */
function tagOf(member: number): string {
  return String(Math.imul(member + 1, TAG_FACTOR) >>> 0);
}

/** Returns the name of a way's chain: there is one for each. */
function chainOf({ currency, network }: Way): string {
  return network === undefined ? currency : `${currency}:${network}`;
}

function answerOf({ txid }: KnownPayout): SendOutcome {
  return txid === null
    ? { kind: "refused", reason: "the sandbox was told to refuse it" }
    : { kind: "sent", txid };
}

function silence(payout: string): SandboxSilenceError {
  return new SandboxSilenceError(`No answer about payout ${payout}`);
}

function ruleKey(currency: string, address: string): SidecarKey {
  return sandboxRuleKey(currency, canonicalName("cash", address));
}
