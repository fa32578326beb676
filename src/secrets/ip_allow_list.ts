/** Addresses that a key may be used from: single addresses and CIDR ranges, IPv4 and IPv6. */
import { IPV4_BITS, IPV6_BITS, isIpv4, parseAddress } from "./ip_address.ts";

/** The most ranges of one key. */
export const IP_RANGES_MAX = 50;
/** Entries have at most 49 characters. Zones, which mean nothing elsewhere, are refused. */
const ENTRY_PATTERN = /^([0-9A-Fa-f:.]{1,45})(?:\/(0|[1-9]\d{0,2}))?$/;

interface Range {
  /** The bits that every address of the range begins with. */
  readonly prefix: bigint;
  /** Number of low bits that may have any value. */
  readonly freeBits: bigint;
  /** Whether its addresses are of IPv4, or mapped from there: a wider range holds none of them. */
  readonly isIpv4: boolean;
}

/** A parsed allow-list; null stands for an empty one, which allows every address. */
export class IpAllowList {
  readonly #ranges: readonly Range[];

  private constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
  }

  /**
   * Parses a list; null for an empty one.
   *
   * @throws {RangeError} if there are too many entries, or one, which it names, is invalid
   */
  static parse(entries: readonly string[]): IpAllowList | null {
    if (entries.length > IP_RANGES_MAX) {
      throw new RangeError(`An allow-list has at most ${IP_RANGES_MAX} ranges`);
    }
    return entries.length === 0 ? null : new IpAllowList(entries.map(parseRange));
  }

  /** Returns whether the list holds an address; false for text that is not an address. */
  has(address: string): boolean {
    const bits = parseAddress(address);
    if (bits === null) return false;
    return this.#ranges.some((range) =>
      range.isIpv4 === isIpv4(bits) && bits >> range.freeBits === range.prefix
    );
  }
}

function parseRange(entry: string): Range {
  const match = ENTRY_PATTERN.exec(entry);
  const address = match?.[1] ?? "";
  const bits = parseAddress(address);
  const width = address.includes(":") ? IPV6_BITS : IPV4_BITS;
  const length = match?.[2] === undefined ? width : Number(match[2]);
  if (bits === null || length > width) {
    throw new RangeError(`"${entry}" is not an IP address or range`);
  }
  const freeBits = BigInt(width - length);
  const prefix = bits >> freeBits;
  return { prefix, freeBits, isIpv4: isIpv4(prefix << freeBits) };
}
