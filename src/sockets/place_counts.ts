/** How many places for sockets are taken, and by whom. */
import type { Caller } from "../edge/env.ts";
import { networkOf } from "../secrets/ip_address.ts";

/** Bits of an IPv6 address below the /48 that one anonymous owner may have. */
const ANONYMOUS_HOST_BITS = 80n;

/** A socket that is open or about to open. */
export interface SocketPlace {
  /** Null if anonymous. */
  readonly caller: Caller | null;
  readonly address: string;
  /** Whether it lives in the thread of the unsigned sockets; absent if it doesn't. */
  readonly isRelayed?: boolean;
}

/** Counts places by address, signed and anonymous apart, and by key or session. */
export class PlaceCounts {
  readonly #taken = new Map<string, number>();
  /** Places that still count against their address and the process only. */
  readonly #released = new WeakSet<SocketPlace>();
  /** Places of anonymous callers. */
  anonymous = 0;

  /** Returns how many places an address has, for callers of this kind. */
  ofAddress(address: string, isSigned: boolean): number {
    return this.#taken.get(addressName(address, isSigned)) ?? 0;
  }

  /** Returns how many places a key or session has. */
  ofCaller(caller: Caller): number {
    return this.#taken.get(callerName(caller)) ?? 0;
  }

  /** Counts a place. */
  add({ address, caller }: SocketPlace): void {
    this.#count(addressName(address, caller !== null), 1);
    if (caller === null) this.anonymous += 1;
    else this.#count(callerName(caller), 1);
  }

  /** Uncounts a place that was counted. */
  remove(place: SocketPlace): void {
    this.#count(addressName(place.address, place.caller !== null), -1);
    if (place.caller === null) this.anonymous -= 1;
    else this.release(place);
  }

  /** Uncounts a place from its key or session, once. */
  release(place: SocketPlace): void {
    if (place.caller === null || this.#released.has(place)) return;
    this.#released.add(place);
    this.#count(callerName(place.caller), -1);
  }

  #count(name: string, change: 1 | -1): void {
    const count = (this.#taken.get(name) ?? 0) + change;
    if (count > 0) this.#taken.set(name, count);
    else this.#taken.delete(name);
  }
}

function addressName(address: string, isSigned: boolean): string {
  return isSigned
    ? `signed ${networkOf(address)}`
    : `anonymous ${networkOf(address, ANONYMOUS_HOST_BITS)}`;
}

function callerName(caller: Caller): string {
  return caller.key === null ? `session ${caller.session.sessionId}` : `key ${caller.key.index}`;
}
