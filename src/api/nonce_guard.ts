/**
 * Single use of nonces, for reads and writes alike: the signature covers
 * neither path nor body, so a nonce that a read has used must never become a write's.
 *
 * A write's nonce is spent by its own command. A read's is remembered in memory
 * where this process owns the store alone, and goes into the log where others
 * share it. Memory ends with the process: what lies ahead of the clock goes into
 * the log at once, and what is older than the start is refused.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { isRejection, type Signature } from "../domain/command.ts";
import { NonceWindow } from "../domain/nonce_window.ts";
import { reject, type Rejection } from "../domain/rejection.ts";
import { RoundRobin } from "../domain/round_robin.ts";
import type { Engine } from "../engine/engine.ts";
import type { SignedCaller } from "./env.ts";
import { rejectionError } from "./errors.ts";

/** What of the engine the guard needs. */
export type NonceEngine = Pick<Engine, "venue" | "submit" | "isShared" | "now">;

const DIGEST_BYTES = 6;
/** How far the clock has to be behind where it was at the start, by the steady one, to have been set back, in ms. */
const SET_BACK_MS = 1_000;

/** Sees to it that no nonce is used twice. */
export class NonceGuard {
  readonly #engine: NonceEngine;
  readonly #windowMs: number;
  /** By key index; what is on its way into the log, and what reads have used. */
  readonly #windows: (NonceWindow | undefined)[] = [];
  readonly #turns = new RoundRobin();
  /** Nonces below its start, or the log's time then, may have been used before this process … */
  readonly #startedAt: number;
  readonly #timeAtStart: number;
  readonly #startedSteadyAt = performance.now();
  /** … by keys whose index is below this. */
  readonly #keysAtStart: number;

  /** @param keysAtStart how many keys the venue had when this process opened it */
  constructor(engine: NonceEngine, nonceWindowMs: number, keysAtStart: number) {
    this.#engine = engine;
    this.#windowMs = nonceWindowMs;
    this.#keysAtStart = keysAtStart;
    // Opening the store took longer than a millisecond: an earlier owner used none of this one.
    this.#startedAt = engine.isShared ? 0 : engine.now();
    this.#timeAtStart = engine.isShared ? 0 : engine.venue.time;
  }

  /**
   * Takes a nonce for one call, before anything is awaited.
   *
   * @throws {ApiError} 401 where it was used, or may have been
   */
  claim(signature: Signature): void {
    const { key, nonce, digest } = signature;
    if (key < this.#keysAtStart && this.#isFromBefore(nonce)) {
      throw rejectionError(reject("nonce_expired"), "single");
    }
    const window = this.#windows[key] ??= new NonceWindow();
    const logged = this.#engine.venue.keys[key]?.nonces.forgotten ?? 0;
    // Inside the window only where the clock was set back: nobody knows any more who has used it.
    if (nonce <= Math.max(window.forgotten, logged)) {
      throw rejectionError(reject("nonce_expired"), "single");
    }
    if (this.#isInLog(signature) || window.has(nonce, digest)) {
      throw rejectionError(reject("nonce_already_used"), "single");
    }
    const now = this.#engine.now();
    window.add(nonce, digest, now, this.#windowMs);
    // A key may never come back: whoever uses one looks after another.
    this.#windows[this.#turns.next(this.#windows.length)]?.forget(now, this.#windowMs);
  }

  /** Makes the nonce of a call that submits nothing durable, where memory is not enough. */
  async spend(caller: SignedCaller): Promise<Rejection | null> {
    const { signature } = caller;
    if (!this.#engine.isShared && signature.nonce <= this.#engine.now()) return null;
    return await this.#log(caller);
  }

  /** Spends the nonce of a write in the log, if its command has not; null where nothing is to be awaited. */
  settle(caller: SignedCaller): Promise<unknown> | null {
    return this.#forgetLogged(caller.signature) ? null : this.#log(caller);
  }

  /** Whether it may have been used before this process started. */
  #isFromBefore(nonce: number): boolean {
    if (nonce < this.#timeAtStart) return true;
    if (nonce >= this.#startedAt) return false;
    // The start by the clock as it is now: one that was ahead then may have been put right.
    const startedAt = this.#engine.now() - (performance.now() - this.#startedSteadyAt);
    return nonce < startedAt || startedAt > this.#startedAt - SET_BACK_MS;
  }

  async #log({ member, signature }: SignedCaller): Promise<Rejection | null> {
    const outcome = await this.#engine.submit({ kind: "spend_nonce", member }, signature);
    this.#forgetLogged(signature);
    return isRejection(outcome) ? outcome : null;
  }

  #isInLog({ key, nonce, digest }: Signature): boolean {
    return this.#engine.venue.keys[key]?.nonces.has(nonce, digest) ?? false;
  }

  /** What the log remembers needs no second memory. */
  #forgetLogged(signature: Signature): boolean {
    const isLogged = this.#isInLog(signature);
    if (isLogged) this.#windows[signature.key]?.delete(signature.nonce, signature.digest);
    return isLogged;
  }
}

/** 48 bits, never 0, that tell apart the calls of a key in `request` mode. */
export function requestDigest(method: string, pathAndQuery: string, body: string): number {
  const hash = sha256(utf8ToBytes(`${method}\n${pathAndQuery}\n${body}`));
  let digest = 0;
  for (const byte of hash.subarray(0, DIGEST_BYTES)) digest = digest * 256 + byte;
  return digest === 0 ? 1 : digest;
}
