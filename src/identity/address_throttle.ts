/** Throttles by the address that calls come from. */
import { isIpv4, networkOf, parseAddress } from "../engine/ip_address.ts";
import { Throttle, type ThrottleEngine, type ThrottleRule, type Try } from "./throttle.ts";

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
  return isThisMachine(address) ? null : networkOf(address);
}

function isThisMachine(address: string): boolean {
  const bits = parseAddress(address);
  if (bits === null) return false;
  return isIpv4(bits) ? (bits >> 24n & 0xffn) === 127n : bits === 1n;
}

/**
 * Returns the party whose calls share turns in a queue, this machine's as well. Wider than
 * {@linkcode addressSubject}, since waiting longer locks nobody out.
 */
export function addressParty(address: string): string {
  return networkOf(address, IPV6_SITE_BITS);
}
