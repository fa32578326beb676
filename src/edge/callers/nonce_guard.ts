/**
 * Ensures that nonces are used once, by reads and writes alike: the signature covers neither path
 * nor body, so a nonce that a read has used must never work for a write.
 *
 * A write's nonce is spent by its own command. A read's is remembered in memory if this process is
 * the only one on the store, and goes into the log if others share it. Memory ends with the
 * process: nonces ahead of the clock therefore go into the log at once, and the next process refuses
 * those older than its start, or no later than one that a read had used by then. Memory also has to
 * do while the log's time is far ahead of all clocks.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { isRejection, type Signature } from "../../domain/command.ts";
import { NONCE_KEPT_WINDOWS, NonceWindow } from "../../domain/people/nonce_window.ts";
import { reject, type Rejection } from "../../domain/rejection.ts";
import { RoundRobin } from "../../domain/round_robin.ts";
import type { Engine } from "../../engine/engine.ts";
import type { SignedCaller } from "../env.ts";
import { ApiError, rejectionError, unavailable } from "../errors.ts";

/** The part of the engine that the guard needs. */
export type NonceEngine = Pick<Engine, "venue" | "submit" | "isShared" | "readNonces" | "now">;

/** Whose nonce is spent. */
type Signed = Pick<SignedCaller, "member" | "signature">;

const DIGEST_BYTES = 6;
/** How long it may take until a read's nonce is noted outside the process, in ms. */
const NOTED_MS_MAX = 2_000;
/** How far the start must be from where the current clock puts it, in ms, to have been misread. */
const MISREAD_MS = 1_000;

/** Refuses nonces that were used, or may have been. */
export class NonceGuard {
  readonly #engine: NonceEngine;
  /** By key index: nonces on their way into the log, and those that reads have used. */
  readonly #windows: (NonceWindow | undefined)[] = [];
  readonly #turns = new RoundRobin();
  /** Keys with an index below this may have used nonces before the process started … */
  readonly #keysAtStart: number;
  /** … which is this time, and the log's time then, whichever is later. */
  readonly #startedAt: number;
  readonly #timeAtStart: number;
  /** The same start by the steady clock. */
  readonly #startedSteadyAt = performance.now();
  /** Whether all nonces that may have been used before the start are out of the window. */
  #isStartPast = false;

  /** @param keysAtStart number of keys when this process opened the venue */
  constructor(engine: NonceEngine, keysAtStart: number) {
    this.#engine = engine;
    this.#keysAtStart = keysAtStart;
    // Opening the store took over a millisecond, so no earlier owner has used a nonce from now on.
    this.#startedAt = engine.now();
    this.#timeAtStart = engine.venue.time;
  }

  /**
   * Reserves a nonce for one call, before anything is awaited. While the log's time is ahead of the
   * clock, reads go on: their nonces can't become a write's before that time.
   *
   * @throws {ApiError} 401 if it was used, or may have been
   */
  claim(signature: Signature, isReading: boolean = false): void {
    const { key, nonce, digest } = signature;
    if (key < this.#keysAtStart && this.#isFromBefore(nonce, isReading)) {
      throw rejectionError(reject("nonce_expired"));
    }
    const window = this.#windows[key] ??= new NonceWindow();
    const logged = this.#engine.venue.keys[key]?.nonces.forgotten ?? 0;
    // Such a nonce is in the window only if the clock was set back: its use is no longer known.
    if (nonce <= Math.max(window.forgotten, logged)) {
      // Or the call, which came in time, has waited for too long.
      const isWaitedFor = this.#engine.now() - nonce > this.#engine.venue.nonceWindowMs;
      throw isWaitedFor ? unavailable() : rejectionError(reject("nonce_expired"));
    }
    if (this.#isInLog(signature) || window.has(nonce, digest)) {
      throw rejectionError(reject("nonce_already_used"));
    }
    const now = this.#engine.now();
    const { nonceWindowMs } = this.#engine.venue;
    window.add(nonce, digest, now, nonceWindowMs);
    // What is ahead goes into the log, and would keep off others' nonces.
    if (nonce <= now) this.#engine.readNonces.note(nonce);
    // A key may never be used again, so each call also cleans up the window of another one.
    this.#windows[this.#turns.next(this.#windows.length)]?.forget(now, nonceWindowMs);
  }

  /** Makes the nonce of a call without a command durable if memory does not suffice. */
  async spend(caller: Signed): Promise<Rejection | null> {
    const { signature } = caller;
    if (!this.#engine.isShared && signature.nonce <= this.#engine.now()) return null;
    if (this.#isUselessForWrites(signature)) return null;
    return await this.#log(caller);
  }

  /**
   * Returns whether the log's time is so far ahead that no process takes a write with this nonce,
   * now or later, whatever windows they have. Nor does the log take anything until its time has
   * come, so for reads memory has to do: each process answers one with this nonce.
   */
  #isUselessForWrites({ nonce }: Signature): boolean {
    const { nonceWindowMs, time } = this.#engine.venue;
    return nonce + NONCE_KEPT_WINDOWS * nonceWindowMs < time;
  }

  /**
   * Spends a write's nonce in the log unless its command did.
   *
   * @param status of the answer
   * @returns null if there is nothing to wait for
   */
  settle(caller: Signed, status: number): Promise<void> | null {
    if (this.#forgetLogged(caller.signature)) return null;
    if (status !== 503 && status !== 504) return this.#log(caller).then(() => {});
    // The caller doesn't wait for a store that could not take its call.
    void this.spend(caller).catch(() => {});
    return null;
  }

  /** Spends the nonce of a call that is not admitted, without keeping its caller waiting. */
  abandon(signature: Signature, member: number): void {
    try {
      this.claim(signature);
    } catch (error) {
      if (error instanceof ApiError) return;
      throw error;
    }
    void this.spend({ member, signature }).catch(() => {});
  }

  /** Returns whether a nonce may have been used before this process started. */
  #isFromBefore(nonce: number, isReading: boolean): boolean {
    // The log remembers the nonces of all processes that share it.
    if (this.#engine.isShared) return false;
    const { nonceWindowMs } = this.#engine.venue;
    // What reads had used by the end of the process before is noted, but for its last moments'.
    const isEarlier = nonce < this.#timeAtStart - nonceWindowMs - NOTED_MS_MAX;
    if (nonce < this.#timeAtStart && !(isReading && isEarlier)) return true;
    if (nonce <= this.#engine.readNonces.before) return true;
    if (this.#isStartPast) return false;
    const uptime = performance.now() - this.#startedSteadyAt;
    this.#isStartPast = uptime > nonceWindowMs + MISREAD_MS;
    // The start by the current clock: one that was wrong then may have been corrected since.
    const startedAt = this.#engine.now() - uptime;
    const isMisread = Math.abs(startedAt - this.#startedAt) > MISREAD_MS;
    return nonce < (isMisread ? startedAt : this.#startedAt);
  }

  async #log({ member, signature }: Signed): Promise<Rejection | null> {
    const outcome = await this.#engine.submit({ kind: "spend_nonce", member }, signature);
    this.#forgetLogged(signature);
    return isRejection(outcome) ? outcome : null;
  }

  #isInLog({ key, nonce, digest }: Signature): boolean {
    return this.#engine.venue.keys[key]?.nonces.has(nonce, digest) ?? false;
  }

  /** Forgets a nonce that the log remembers, and returns whether it does. */
  #forgetLogged(signature: Signature): boolean {
    const isLogged = this.#isInLog(signature);
    if (isLogged) this.#windows[signature.key]?.delete(signature.nonce, signature.digest);
    return isLogged;
  }
}

/** Returns 48 bits, never 0, that tell apart the calls of a key in `request` mode. */
export function requestDigest(method: string, pathAndQuery: string, body: string): number {
  const hash = sha256(utf8ToBytes(`${method}\n${pathAndQuery}\n${body}`));
  let digest = 0;
  for (const byte of hash.subarray(0, DIGEST_BYTES)) digest = digest * 256 + byte;
  return digest === 0 ? 1 : digest;
}
