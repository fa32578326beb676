/** Limits how often a key may call, and how often an address may fail to sign. */
import type { Context } from "hono";
import { networkOf } from "../engine/ip_address.ts";
import { addHeaders } from "./answer.ts";
import type { Env } from "./env.ts";
import { ApiError } from "./errors.ts";

/** The caller has used up its rate limit; such an answer tells what is left of it. */
export const RATE_LIMITED = "server.rate_limited";
/** Maximum number of failed signatures from one address in one window. */
export const SIGNATURE_FAILURES_MAX = 10;
/** Length of that window, in ms. */
export const SIGNATURE_FAILURES_WINDOW_MS = 60_000;
/** Maximum number of addresses remembered; beyond it, the oldest are dropped. */
export const FAILING_ADDRESSES_MAX = 10_000;

/** Requests per second and key, counted separately for cancels; or no limit. */
export type RateLimit = number | "off";

/** What a call is counted as: cancels have a limit of their own, which nothing else uses up. */
export type CallKind = "cancel" | "other";

interface Bucket {
  tokens: number;
  /** The time that `tokens` refers to, in ms. */
  at: number;
}

/** A token bucket for each caller: it holds the calls of one second, and is refilled evenly. */
export class CallerRateLimit {
  readonly #perSecond: number;
  readonly #limitText: string;
  /** By index of the key or member, so their number in the venue bounds it. */
  readonly #buckets: (Bucket | undefined)[] = [];

  /** @param perSecond whole requests per second, at least 1 */
  constructor(perSecond: number) {
    if (!Number.isSafeInteger(perSecond) || perSecond < 1) {
      throw new RangeError(`A rate limit is a positive integer, not "${perSecond}"`);
    }
    this.#perSecond = perSecond;
    this.#limitText = String(perSecond);
  }

  /**
   * Takes a token, and reports in the answer's headers what is left.
   *
   * @throws {ApiError} 429 if none is left
   */
  take(c: Context<Env>, caller: number, now: number): void {
    const bucket = this.#refilled(caller, now);
    const isAllowed = draw(bucket);
    const remaining = Math.floor(bucket.tokens);
    const secondsToFull = Math.ceil((this.#perSecond - bucket.tokens) / this.#perSecond);
    addHeaders(c, {
      "RateLimit-Limit": this.#limitText,
      "RateLimit-Remaining": String(remaining),
      "RateLimit-Reset": String(secondsToFull),
    });
    if (!isAllowed) throw rateLimited(1);
  }

  /**
   * Takes a token for a message on an open connection.
   *
   * @throws {ApiError} 429 if none is left
   */
  takeSilently(caller: number, now: number): void {
    if (!draw(this.#refilled(caller, now))) throw rateLimited(1);
  }

  #refilled(caller: number, now: number): Bucket {
    const bucket = this.#buckets[caller] ??= { tokens: this.#perSecond, at: now };
    const elapsed = Math.max(0, now - bucket.at);
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + elapsed * this.#perSecond / 1000);
    bucket.at = now;
    return bucket;
  }
}

/** The buckets of one kind of call: by key index, and by member index for calls in a session. */
export interface CallBuckets {
  readonly keys: CallerRateLimit;
  readonly members: CallerRateLimit;
}

/** The buckets of every kind of call; null for no limit. */
export type CallLimits = Readonly<Record<CallKind, CallBuckets>> | null;

/** Creates buckets that allow each caller so many calls of each kind per second. */
export function createCallLimits(rateLimit: RateLimit): CallLimits {
  if (rateLimit === "off") return null;
  const buckets = () => ({
    keys: new CallerRateLimit(rateLimit),
    members: new CallerRateLimit(rateLimit),
  });
  return { cancel: buckets(), other: buckets() };
}

function draw(bucket: Bucket): boolean {
  const isAllowed = bucket.tokens >= 1;
  if (isAllowed) bucket.tokens -= 1;
  return isAllowed;
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

function rateLimited(seconds: number): ApiError {
  return new ApiError(429, RATE_LIMITED, {
    headers: { "Retry-After": String(seconds) },
  });
}
