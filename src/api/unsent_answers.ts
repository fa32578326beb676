/**
 * Answers that their clients have asked for and not taken yet. Each is kept for as long as its
 * client likes, so that a few who ask and do not read could take all the memory there is.
 */
import type { Context } from "hono";
import type { ClientAddress } from "./client_address.ts";
import type { Env } from "./env.ts";
import { unavailable } from "./errors.ts";
import { networkOf } from "./rate_limit.ts";

/** Bytes from which on an answer is counted: short ones are to cost nothing. */
export const COUNTED_BYTES_MIN = 2 * 1024;
/** Bytes from which on each is counted; shorter ones are many, … */
const EACH_COUNTED_BYTES_MIN = 16 * 1024;
/** … and one of them, chosen by chance, is counted for so many. */
const SAMPLED_SHARE = 8;
/** Bytes that are handed to the platform at a time. */
export const SLICE_BYTES = 32 * 1024;
/** What of an answer's slices may be on its way to a client, taken and not sent; the rest is. */
export const UNDERWAY_BYTES = 4 * SLICE_BYTES;

const encoder = new TextEncoder();

/** What the platform is given of an answer, and its bytes where it can't tell them. */
export interface AnswerBody {
  readonly body: string | ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly length?: number;
}

/** Bytes of answers that may be unsent. */
export interface UnsentLimits {
  /** Of one address; one answer it may have, however long that is and whatever others leave unread. */
  readonly perAddressMax: number;
  /** Of the process, beside those first ones. */
  readonly totalMax: number;
}

/** What a process may have unsent. */
export const UNSENT_LIMITS: UnsentLimits = {
  perAddressMax: 16 * 1024 * 1024,
  totalMax: 256 * 1024 * 1024,
};

/** Counts long answers until they are sent, or their connections closed. */
export class UnsentAnswers {
  readonly #clientAddress: ClientAddress;
  readonly #limits: UnsentLimits;
  readonly #random: () => number;
  readonly #byAddress = new Map<string, number>();
  #total = 0;

  /** @param random as `Math.random`: nobody is to know which answers are counted */
  constructor(
    clientAddress: ClientAddress,
    limits: UnsentLimits = UNSENT_LIMITS,
    random: () => number = Math.random,
  ) {
    this.#clientAddress = clientAddress;
    this.#limits = limits;
    this.#random = random;
  }

  /**
   * The text of an answer as the platform is to have it: whole, or in bytes that are counted.
   *
   * @throws {ApiError} see {@linkcode UnsentAnswers.count}
   */
  text(c: Context<Env>, text: string): AnswerBody {
    const { length } = text;
    if (length < COUNTED_BYTES_MIN) return { body: text };
    const share = length >= EACH_COUNTED_BYTES_MIN ? 1 : SAMPLED_SHARE;
    if (this.#random() * share >= 1) {
      // Where nothing is unsent there is room. As much is needed as for the one that is counted.
      if (this.#total > 0 && completionOf(c) !== null) {
        this.#assertRoom(c, networkOf(this.#clientAddress(c)), length * share);
      }
      return { body: text };
    }
    const bytes = encoder.encode(text);
    return { body: this.body(c, bytes, bytes.length * share), length: bytes.length };
  }

  /**
   * Counts the answer to a call until it is sent.
   *
   * @returns takes note of how many of its bytes are left, where that is known before
   * @throws {ApiError} 503 where too much is unsent; a call that may have changed something is
   * answered all the same
   */
  count(c: Context<Env>, bytes: number): (left: number) => void {
    const completed = completionOf(c);
    if (completed === null || bytes < COUNTED_BYTES_MIN) return () => {};
    const address = networkOf(this.#clientAddress(c));
    this.#assertRoom(c, address, bytes);
    let counted = bytes;
    this.#add(address, bytes);
    // Never more again: what is sent, or given up, stays so.
    const recount = (left: number) => {
      if (left >= counted) return;
      this.#add(address, left - counted);
      counted = left;
    };
    const release = () => recount(0);
    completed.then(release, release);
    return recount;
  }

  /**
   * The body of a long answer, counted. The platform takes it in slices, when there is room for
   * them: of what it is given whole it says at once that it is sent, and keeps it.
   *
   * @param ownBytes those that are kept for this answer alone
   * @throws {ApiError} see {@linkcode UnsentAnswers.count}
   */
  body(
    c: Context<Env>,
    bytes: Uint8Array<ArrayBuffer>,
    ownBytes: number = bytes.length,
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const recount = this.count(c, ownBytes);
    let at = 0;
    return new ReadableStream({
      pull(controller) {
        controller.enqueue(bytes.subarray(at, at + SLICE_BYTES));
        at += SLICE_BYTES;
        recount(Math.max(0, bytes.length - at) + UNDERWAY_BYTES);
        if (at >= bytes.length) controller.close();
      },
    }, { highWaterMark: 0 });
  }

  #assertRoom(c: Context<Env>, address: string, bytes: number): void {
    if (c.req.method !== "GET") return;
    const { perAddressMax, totalMax } = this.#limits;
    const own = this.#byAddress.get(address) ?? 0;
    if (own === 0 || (own + bytes <= perAddressMax && this.#total + bytes <= totalMax)) return;
    throw unavailable();
  }

  #add(address: string, bytes: number): void {
    this.#total += bytes;
    const own = (this.#byAddress.get(address) ?? 0) + bytes;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }
}

/** When the answer is sent; null within the process, where nothing is, and nothing known of it. */
function completionOf(c: Context<Env>): Promise<void> | null {
  const info = c.env as unknown as Partial<Deno.ServeHandlerInfo> | undefined;
  return info?.completed ?? null;
}
