/**
 * Limits the bodies that are on their way. Each stays in memory until its end comes, so a client
 * that never ends its bodies could exhaust the memory, and needs no key for that.
 */
import type { Context } from "hono";
import { networkOf } from "../../secrets/ip_address.ts";
import { ByteTally } from "./byte_tally.ts";
import type { ClientAddress } from "../client_address.ts";
import type { Env } from "../env.ts";
import { ApiError, unavailable } from "../errors.ts";

const MEBIBYTE = 1024 * 1024;

/** Limits on bodies that have not ended, in bytes: as declared, or else the most allowed. */
export interface ArrivingLimits {
  /** Of the process: up to here nobody's address is looked at, which should cost nothing. */
  readonly freeMax: number;
  /** Of one address, among what comes beyond that. */
  readonly perAddressMax: number;
  /** Of the process. */
  readonly totalMax: number;
}

/** The default limits. */
const ARRIVING_LIMITS: ArrivingLimits = {
  freeMax: 8 * MEBIBYTE,
  perAddressMax: 4 * MEBIBYTE,
  totalMax: 64 * MEBIBYTE,
};

/** Counts bodies until they have ended. */
export class ArrivingBodies {
  readonly #clientAddress: ClientAddress;
  readonly #limits: ArrivingLimits;
  readonly #tally = new ByteTally();

  constructor(clientAddress: ClientAddress, limits: ArrivingLimits = ARRIVING_LIMITS) {
    this.#clientAddress = clientAddress;
    this.#limits = limits;
  }

  /** Bytes of all bodies that have not ended. */
  get total(): number {
    return this.#tally.total;
  }

  /**
   * Makes room for a body.
   *
   * @returns a function to call when it has ended
   * @throws {ApiError} 503 if there is none
   */
  take(c: Context<Env>, bytes: number): () => void {
    const { freeMax, perAddressMax, totalMax } = this.#limits;
    const total = this.total + bytes;
    const address = total <= freeMax ? null : networkOf(this.#clientAddress(c));
    const isOver = address !== null &&
      (this.#tally.of(address) + bytes > perAddressMax || total > totalMax);
    if (isOver) throw noRoom();
    this.#tally.add(address, bytes);
    return () => this.#tally.add(address, -bytes);
  }
}

/** Has clients close the connection, so that the platform lets go of what has come. */
function noRoom(): ApiError {
  const { status, message, extras } = unavailable();
  return new ApiError(status, message, { headers: { ...extras.headers, "Connection": "close" } });
}
