/** Throttles by the address that calls come from. */
import { parseAddress } from "../engine/ip_allow_list.ts";
import { Throttle, type ThrottleEngine, type ThrottleRule, type Try } from "./throttle.ts";

/** Bits of an IPv6 address behind its network, a /64: a customer has at least all of one. */
const IPV6_HOST_BITS = 64n;
/** Bits of an IPv6 address behind its site, a /48: a large customer has all networks of one. */
const IPV6_SITE_BITS = 80n;
const IPV4_MAPPED = 0xffffn;

/** Counts tries by address. This machine's own stands for many, such as a proxy's callers, or for the operator. */
export class AddressThrottle {
  readonly #throttle: Throttle;

  constructor(engine: ThrottleEngine, rule: ThrottleRule) {
    this.#throttle = new Throttle(engine, rule);
  }

  /**
   * Counts a try; answers how to take it back.
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

/** Whose tries are counted together: an address, or a network of IPv6; null for this machine. */
export function addressSubject(address: string): string | null {
  const bits = parseAddress(address);
  if (bits === null) return address;
  const isIpv4 = bits >> 32n === IPV4_MAPPED;
  const isLoopback = isIpv4 ? (bits >> 24n & 0xffn) === 127n : bits === 1n;
  if (isLoopback) return null;
  return (isIpv4 ? bits : bits >> IPV6_HOST_BITS).toString(16);
}

/**
 * Whose calls take turns as one party in a queue. Wider than {@linkcode addressSubject}: waiting
 * longer locks nobody out.
 */
export function addressParty(address: string): string {
  const bits = parseAddress(address);
  if (bits === null) return address;
  const isIpv4 = bits >> 32n === IPV4_MAPPED;
  return (isIpv4 ? bits : bits >> IPV6_SITE_BITS).toString(16);
}
