/**
 * Limits the answers that clients have asked for but not yet read. Each stays in memory for as long
 * as its client likes, so a few clients that never read could exhaust the memory.
 */
import type { Context } from "hono";
import { networkOf } from "../../secrets/ip_address.ts";
import { ByteTally } from "./byte_tally.ts";
import type { ClientAddress } from "../client_address.ts";
import type { Env } from "../env.ts";
import { unavailable } from "../errors.ts";

/** Size from which an answer is counted, in bytes: shorter ones should cost nothing. */
export const COUNTED_BYTES_MIN = 2 * 1024;
/** Size from which every answer is counted, in bytes. Shorter ones are frequent, … */
const EACH_COUNTED_BYTES_MIN = 16 * 1024;
/** … so one in this many is counted at random, with this many times its size. */
const SAMPLED_SHARE = 8;
/** Number of bytes handed to the platform at a time. */
export const SLICE_BYTES = 32 * 1024;
/** How many bytes of an answer's slices are assumed to be taken by the platform, but not sent. */
export const UNDERWAY_BYTES = 4 * SLICE_BYTES;

const encoder = new TextEncoder();

/** What the platform gets of an answer, with its length if the platform cannot tell. */
export interface AnswerBody {
  readonly body: string | ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly length?: number;
}

/** Limits on unsent answers, in bytes. */
export interface UnsentLimits {
  /** Per address; an address with nothing unsent may always have one answer, of any length. */
  readonly perAddressMax: number;
  /** Per process, not enforced for those single answers. */
  readonly totalMax: number;
}

/** The default limits. */
export const UNSENT_LIMITS: UnsentLimits = {
  perAddressMax: 16 * 1024 * 1024,
  totalMax: 256 * 1024 * 1024,
};

/** Counts long answers until they are sent or their connections close. */
export class UnsentAnswers {
  readonly #clientAddress: ClientAddress;
  readonly #limits: UnsentLimits;
  readonly #random: () => number;
  readonly #tally = new ByteTally();

  /** @param random like `Math.random`: clients must not know which answers are counted */
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
   * Returns a text in the form that the platform gets: whole, or as a counted stream.
   *
   * @throws {ApiError} see {@linkcode UnsentAnswers.count}
   */
  text(c: Context<Env>, text: string): AnswerBody {
    const { length } = text;
    if (length < COUNTED_BYTES_MIN) return { body: text };
    const share = length >= EACH_COUNTED_BYTES_MIN ? 1 : SAMPLED_SHARE;
    if (this.#random() * share >= 1) {
      // With nothing unsent there is room. An uncounted answer needs as much room as a counted one.
      if (this.#tally.total > 0 && completionOf(c) !== null) {
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
   * @returns a function that takes how many of its bytes are left, if known before the end
   * @throws {ApiError} 503 if too much is unsent; a call that may have changed something is
   * answered nevertheless
   */
  count(c: Context<Env>, bytes: number): (left: number) => void {
    const completed = completionOf(c);
    if (completed === null || bytes < COUNTED_BYTES_MIN) return () => {};
    const address = networkOf(this.#clientAddress(c));
    this.#assertRoom(c, address, bytes);
    let counted = bytes;
    this.#tally.add(address, bytes);
    // The count only falls: what is sent or given up stays so.
    const recount = (left: number) => {
      if (left >= counted) return;
      this.#tally.add(address, left - counted);
      counted = left;
    };
    const release = () => recount(0);
    completed.then(release, release);
    return recount;
  }

  /**
   * Returns the body of a long answer, counted. The platform pulls slices when it has room; a whole
   * body it would buffer, and report as sent at once.
   *
   * @param ownBytes size that is kept for this answer alone
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
    const own = this.#tally.of(address);
    if (own === 0) return;
    if (own + bytes <= perAddressMax && this.#tally.total + bytes <= totalMax) return;
    throw unavailable();
  }
}

/** Resolves when the answer is sent; null for calls within the process, where that is not known. */
function completionOf(c: Context<Env>): Promise<void> | null {
  const info = c.env as unknown as Partial<Deno.ServeHandlerInfo> | undefined;
  return info?.completed ?? null;
}
