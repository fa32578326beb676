/** Throttles by the address that calls come from. */
import { isIpv4, networkOf, parseAddress } from "../../secrets/ip_address.ts";
import type { HashLane, HashParty } from "../proofs/hash_queue.ts";
import { Throttle, type ThrottleEngine, type ThrottleRule } from "./throttle.ts";

/** Bits of an IPv6 address below its site, a /48, all of which may belong to one large customer. */
const IPV6_SITE_BITS = 80n;
/** How many times as many tries a site has as each of its networks. */
const SITE_SHARE = 3;

/** A try that was counted. */
export interface AddressTry {
  /** Whether the address and its site have no other that counts now. */
  readonly isFirst: boolean;
  /** Forgets it. */
  release(): Promise<void>;
  /** Forgets it and all others of its kind. */
  forgive(): Promise<void>;
}

const UNCOUNTED: AddressTry = {
  isFirst: false,
  release: () => Promise.resolve(),
  forgive: () => Promise.resolve(),
};

/**
 * Counts tries by address, in IPv6 by network (a /64) and by site (a /48), but not for this machine:
 * that is the operator, or a whole proxy.
 */
export class AddressThrottle {
  readonly #networks: Throttle;
  readonly #sites: Throttle;

  constructor(engine: ThrottleEngine, rule: ThrottleRule) {
    this.#networks = new Throttle(engine, rule);
    const { name, triesMax } = rule;
    this.#sites = new Throttle(engine, {
      ...rule,
      name: `${name}_site`,
      triesMax: triesMax * SITE_SHARE,
    });
  }

  /**
   * Counts a try.
   *
   * @param kind which of them are forgiven together
   * @throws {ThrottledError} there were too many
   */
  async take(address: string, kind?: string): Promise<AddressTry> {
    const network = addressSubject(address);
    if (network === null) return UNCOUNTED;
    const taken = await this.#networks.take(network, kind);
    const own: AddressTry = {
      isFirst: taken.count === 1,
      release: () => this.#networks.release(network, taken),
      forgive: () => this.#networks.forgive(network, taken),
    };
    const site = siteOf(address);
    return site === null ? own : await this.#takeWide(site, own, kind);
  }

  async #takeWide(site: string, own: AddressTry, kind?: string): Promise<AddressTry> {
    const taken = await this.#sites.take(site, kind).catch(async (error) => {
      // A site that is locked leaves no rows for its networks.
      await own.release();
      throw error;
    });
    return {
      isFirst: own.isFirst && taken.count === 1,
      release: async () => {
        await own.release();
        await this.#sites.release(site, taken);
      },
      forgive: async () => {
        await own.forgive();
        await this.#sites.forgive(site, taken);
      },
    };
  }
}

/** Returns whose tries count together: an address or an IPv6 network; null for this machine. */
export function addressSubject(address: string): string | null {
  return isThisMachine(address) ? null : networkOf(address);
}

/** Returns the network of an address, in IPv6 its site. */
export function siteSubject(address: string): string {
  return networkOf(address, IPV6_SITE_BITS);
}

/** Returns the /48 of an IPv6 address; null for any other. */
function siteOf(address: string): string | null {
  const bits = parseAddress(address);
  return bits === null || isIpv4(bits) ? null : networkOf(address, IPV6_SITE_BITS);
}

function isThisMachine(address: string): boolean {
  const bits = parseAddress(address);
  if (bits === null) return false;
  return isIpv4(bits) ? (bits >> 24n & 0xffn) === 127n : bits === 1n;
}

/**
 * Returns the party whose calls share turns in a queue, this machine's as well: an IPv6 site, since
 * waiting longer locks nobody out.
 */
export function addressParty(address: string, lane: HashLane): HashParty {
  return { name: siteSubject(address), lane };
}
