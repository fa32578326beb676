/** Limits what a member may spend on calls, and how often an address may fail to sign. */
import type { Context } from "hono";
import { ORDERS_PER_BULK_OVERRIDE_MAX } from "../../domain/limits.ts";
import { networkOf } from "../../secrets/ip_address.ts";
import { addHeaders } from "../answer.ts";
import type { Env } from "../env.ts";
import { type ApiError, rateLimited } from "../errors.ts";

/** Maximum number of failed signatures from one address in one window. */
export const SIGNATURE_FAILURES_MAX = 10;
/** Length of that window, in ms. */
export const SIGNATURE_FAILURES_WINDOW_MS = 60_000;
/** Maximum number of addresses remembered; beyond it, the oldest are dropped. */
export const FAILING_ADDRESSES_MAX = 10_000;

/** What a member may spend per second, counted separately for cancels; or no limit. */
export type RateLimit = number | "off";

/** What a call is counted as: cancels have a limit of their own, which nothing else uses up. */
export type CallKind = "cancel" | "other";

/** The cost of a call that does little: one order, one record, one short page of a list. */
export const COST_OF_A_CALL = 1;
/** Number of messages of a private stream that may be sent at once for the cost of a call. */
export const MESSAGES_PER_COST = 50;
/** Number of records that may be looked at for the cost of a call. */
export const RECORDS_PER_COST = 500;
/** Length of text that costs as much as a call, in characters: reading it takes as long. */
export const CHARACTERS_PER_COST = 2_048;

/**
 * Returns what a call costs that has so many items, in a text of this length in characters. More
 * items than any member may send cost nothing of their own: they are refused at once.
 */
export function costOf(items: number, length: number): number {
  const worked = items > ORDERS_PER_BULK_OVERRIDE_MAX ? 0 : items;
  return Math.max(COST_OF_A_CALL, worked, Math.ceil(length / CHARACTERS_PER_COST));
}

/** Returns what looking at so many records costs beyond the call that asks for it. */
export function costOfRecords(count: number): number {
  return Math.floor(count / RECORDS_PER_COST);
}

interface Bucket {
  /** Below 0 after calls that cost more than was left. */
  tokens: number;
  /** The time that `tokens` refers to, in ms. */
  at: number;
}

/**
 * A token bucket for each member, whichever of its keys or sessions calls: it holds what may be
 * spent in one second, and is refilled evenly. A call may go on if there is a token, and then takes
 * all that it costs, so that no call is too large ever to be made: what it takes beyond the last
 * token has to be refilled before the next.
 */
export class MemberRateLimit {
  readonly #perSecond: number;
  readonly #limitText: string;
  /** By index of the member, so their number in the venue bounds it. */
  readonly #buckets: (Bucket | undefined)[] = [];

  /** @param perSecond what a member may spend per second, a whole number from 1 */
  constructor(perSecond: number) {
    if (!Number.isSafeInteger(perSecond) || perSecond < 1) {
      throw new RangeError(`A rate limit is a positive integer, not "${perSecond}"`);
    }
    this.#perSecond = perSecond;
    this.#limitText = String(perSecond);
  }

  /**
   * Takes what a call costs, and reports in the answer's headers what is left.
   *
   * @param c null where there is no such answer
   * @returns the error that the call is to be refused with, 429, if no token is left
   */
  take(
    c: Context<Env> | null,
    member: number,
    now: number,
    cost = COST_OF_A_CALL,
  ): ApiError | null {
    const bucket = this.#refilled(member, now);
    const isAllowed = draw(bucket, cost);
    if (c !== null) this.#report(c, bucket);
    return isAllowed ? null : this.#exhausted(bucket);
  }

  /**
   * Takes what a message on an open connection costs.
   *
   * @throws {ApiError} 429 if no token is left
   */
  takeSilently(member: number, now: number, cost = COST_OF_A_CALL): void {
    const bucket = this.#refilled(member, now);
    if (!draw(bucket, cost)) throw this.#exhausted(bucket);
  }

  /** Takes what a call that went on turns out to cost beyond what it has paid. */
  charge(member: number, now: number, cost: number, c?: Context<Env>): void {
    const bucket = this.#refilled(member, now);
    bucket.tokens -= cost;
    if (c !== undefined) this.#report(c, bucket);
  }

  /** Returns how long it takes to refill what a member has spent beyond its last token, in ms. */
  debtMs(member: number, now: number): number {
    const { tokens } = this.#refilled(member, now);
    return Math.ceil(Math.max(0, -tokens) * 1000 / this.#perSecond);
  }

  #report(c: Context<Env>, { tokens }: Bucket): void {
    addHeaders(c, {
      "RateLimit-Limit": this.#limitText,
      "RateLimit-Remaining": String(Math.max(0, Math.floor(tokens))),
      "RateLimit-Reset": String(Math.ceil((this.#perSecond - tokens) / this.#perSecond)),
    });
  }

  #refilled(member: number, now: number): Bucket {
    const bucket = this.#buckets[member] ??= { tokens: this.#perSecond, at: now };
    const elapsed = Math.max(0, now - bucket.at);
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + elapsed * this.#perSecond / 1000);
    bucket.at = now;
    return bucket;
  }

  #exhausted({ tokens }: Bucket): ApiError {
    return rateLimited(Math.max(1, Math.ceil((1 - tokens) / this.#perSecond)));
  }
}

/**
 * The buckets of every kind of call, and of those that are refused for their number, of which no
 * more spend their nonce in the log; null for no limit.
 */
export type CallLimits = Readonly<Record<CallKind | "refused", MemberRateLimit>> | null;

/** Creates buckets that allow each member to spend so much per second on calls of each kind. */
export function createCallLimits(rateLimit: RateLimit): CallLimits {
  if (rateLimit === "off") return null;
  return {
    cancel: new MemberRateLimit(rateLimit),
    other: new MemberRateLimit(rateLimit),
    refused: new MemberRateLimit(rateLimit),
  };
}

function draw(bucket: Bucket, cost: number): boolean {
  const isAllowed = bucket.tokens >= 1;
  if (!isAllowed) return false;
  bucket.tokens -= cost;
  return true;
}

interface Failures {
  count: number;
  readonly since: number;
}

/** Counts failed signatures by address. */
export class SignatureFailures {
  readonly #byAddress = new Map<string, Failures>();

  /**
   * Counts one more failure.
   *
   * @throws {ApiError} 429 if the address has failed too often
   */
  add(address: string, now: number): void {
    const network = networkOf(address);
    let failures = this.#byAddress.get(network);
    // Setting the clock back also ends the window.
    if (failures === undefined || !isWithin(failures.since, now, SIGNATURE_FAILURES_WINDOW_MS)) {
      failures = { count: 0, since: now };
      this.#byAddress.delete(network);
      this.#byAddress.set(network, failures);
      this.#forgetOldest();
    }
    failures.count += 1;
    if (failures.count > SIGNATURE_FAILURES_MAX) {
      const left = failures.since + SIGNATURE_FAILURES_WINDOW_MS - now;
      throw rateLimited(Math.max(1, Math.ceil(left / 1000)));
    }
  }

  /** Number of addresses remembered. */
  get size(): number {
    return this.#byAddress.size;
  }

  #forgetOldest(): void {
    if (this.#byAddress.size <= FAILING_ADDRESSES_MAX) return;
    for (const oldest of this.#byAddress.keys()) {
      this.#byAddress.delete(oldest);
      return;
    }
  }
}

function isWithin(since: number, now: number, ms: number): boolean {
  return since <= now && now - since < ms;
}
