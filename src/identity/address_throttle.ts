/** Throttles by the address that calls come from. */
import { isIpv4, parseAddress } from "../engine/ip_allow_list.ts";
import { Throttle, type ThrottleEngine, type ThrottleRule, type Try } from "./throttle.ts";

/** Bits of an IPv6 address below its network, a /64, which every customer has at least one of. */
const IPV6_HOST_BITS = 64n;
/** Bits of an IPv6 address below its site, a /48, all of which may belong to one large customer. */
const IPV6_SITE_BITS = 80n;

/** Counts tries by address, but not for this machine: that is the operator, or a whole proxy. */
export class AddressThrottle {
  readonly #throttle: Throttle;

  constructor(engine: ThrottleEngine, rule: ThrottleRule) {
    this.#throttle = new Throttle(engine, rule);
  }

  /**
   * Counts a try; returns a function that takes it back.
   *
   * @throws {ThrottledError} there were too many
   */
  async take(address: string): Promise<() => Promise<void>> {
    const subject = addressSubject(address);
    if (subject === null) return () => Promise.resolve();
    const taken: Try = await this.#throttle.take(subject);
    return () => this.#throttle.release(subject, taken);
  }
}

/** Returns whose tries count together: an address or an IPv6 network; null for this machine. */
export function addressSubject(address: string): string | null {
  const bits = parseAddress(address);
  if (bits === null) return address;
  const isLoopback = isIpv4(bits) ? (bits >> 24n & 0xffn) === 127n : bits === 1n;
  if (isLoopback) return null;
  return (isIpv4(bits) ? bits : bits >> IPV6_HOST_BITS).toString(16);
}

/**
 * Returns the party whose calls share turns in a queue. Wider than {@linkcode addressSubject},
 * since waiting longer locks nobody out.
 */
export function addressParty(address: string): string {
  const bits = parseAddress(address);
  if (bits === null) return address;
  return (isIpv4(bits) ? bits : bits >> IPV6_SITE_BITS).toString(16);
}
