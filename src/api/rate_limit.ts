/** How often a key may call, and how often an address may fail to sign. */
import type { Context } from "hono";
import { parseAddress } from "../engine/ip_allow_list.ts";
import type { Env } from "./env.ts";
import { ApiError } from "./errors.ts";

/** Failed signatures of one address in one window. */
export const SIGNATURE_FAILURES_MAX = 10;
/** Length of that window, in ms. */
export const SIGNATURE_FAILURES_WINDOW_MS = 60_000;
/** Addresses remembered; beyond it the oldest are forgotten. */
export const FAILING_ADDRESSES_MAX = 10_000;

/** Requests per second and key, cancels apart from all others, or no limit. */
export type RateLimit = number | "off";

/** What a call is counted as: nothing else uses up the cancels that a caller may make. */
export type CallKind = "cancel" | "other";

interface Bucket {
  tokens: number;
  /** When `tokens` was true, in ms. */
  at: number;
}

/** A bucket of tokens for each key: as many as the key may call in a second, refilled evenly. */
export class KeyRateLimit {
  readonly #perSecond: number;
  readonly #limitText: string;
  /** By key index: the venue's keys bound it. */
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
   * Takes a token and says on the answer what is left.
   *
   * @throws {ApiError} 429 where none is left
   */
  take(c: Context<Env>, key: number, now: number): void {
    const bucket = this.#refilled(key, now);
    const isAllowed = draw(bucket);
    const remaining = Math.floor(bucket.tokens);
    const secondsToFull = Math.ceil((this.#perSecond - bucket.tokens) / this.#perSecond);
    c.header("RateLimit-Limit", this.#limitText);
    c.header("RateLimit-Remaining", String(remaining));
    c.header("RateLimit-Reset", String(secondsToFull));
    if (!isAllowed) throw rateLimited(1);
  }

  /**
   * Takes a token for what comes over an open connection.
   *
   * @throws {ApiError} 429 where none is left
   */
  takeSilently(key: number, now: number): void {
    if (!draw(this.#refilled(key, now))) throw rateLimited(1);
  }

  #refilled(key: number, now: number): Bucket {
    const bucket = this.#buckets[key] ??= { tokens: this.#perSecond, at: now };
    const elapsed = Math.max(0, now - bucket.at);
    bucket.tokens = Math.min(this.#perSecond, bucket.tokens + elapsed * this.#perSecond / 1000);
    bucket.at = now;
    return bucket;
  }
}

/** The buckets of one kind of call: keys by their index, people in a session by their member's. */
export interface CallBuckets {
  readonly keys: KeyRateLimit;
  readonly members: KeyRateLimit;
}

/** The buckets of every kind of call; null for no limit. */
export type CallLimits = Readonly<Record<CallKind, CallBuckets>> | null;

/** Makes them: each caller may make so many calls of each kind in a second. */
export function createCallLimits(rateLimit: RateLimit): CallLimits {
  if (rateLimit === "off") return null;
  const buckets = () => ({
    keys: new KeyRateLimit(rateLimit),
    members: new KeyRateLimit(rateLimit),
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

/** Counts the failed signatures of each address. */
export class SignatureFailures {
  readonly #byAddress = new Map<string, Failures>();

  /**
   * Counts one more failure.
   *
   * @throws {ApiError} 429 where the address has failed too often
   */
  add(address: string, now: number): void {
    const network = networkOf(address);
    let failures = this.#byAddress.get(network);
    // A clock that was set back ends the window, too.
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

/** Who owns one IPv6 address owns its /64: they count as one. */
export function networkOf(address: string): string {
  const bits = address.includes(":") ? parseAddress(address) : null;
  return bits === null || bits >> 64n === 0n ? address : (bits >> 64n).toString(16);
}

function isWithin(since: number, now: number, ms: number): boolean {
  return since <= now && now - since < ms;
}

function rateLimited(seconds: number): ApiError {
  return new ApiError(429, "server.rate_limited", {
    headers: { "Retry-After": String(seconds) },
  });
}
