/** Addresses that a key may be used from: single addresses and CIDR ranges, IPv4 and IPv6. */

/** The most ranges of one key. */
export const IP_RANGES_MAX = 50;
/** Entries have at most 49 characters. Zones, which mean nothing elsewhere, are refused. */
const ENTRY_PATTERN = /^([0-9A-Fa-f:.]{1,45})(?:\/(0|[1-9]\d{0,2}))?$/;

const IPV4_BITS = 32;
const IPV6_BITS = 128;
/** IPv4 addresses are mapped into IPv6 under this prefix, so that both kinds compare alike. */
const IPV4_MAPPED = 0xffffn << BigInt(IPV4_BITS);

interface Range {
  /** The bits that every address of the range begins with. */
  readonly prefix: bigint;
  /** Number of low bits that may have any value. */
  readonly freeBits: bigint;
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
    return bits !== null &&
      this.#ranges.some(({ prefix, freeBits }) => bits >> freeBits === prefix);
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
  return { prefix: bits >> freeBits, freeBits };
}

/** Returns the 128 bits of an address, IPv4 ones mapped; null if the text is not an address. */
export function parseAddress(text: string): bigint | null {
  const address = text.replace(/^\[(.*)\]$/, "$1").replace(/%.*/s, "");
  if (!address.includes(":")) {
    const bits = parseIpv4(address);
    return bits === null ? null : IPV4_MAPPED | bits;
  }
  return parseIpv6(address);
}

/** Whether an address, as {@linkcode parseAddress} returns it, is of IPv4. */
export function isIpv4(bits: bigint): boolean {
  return bits >> BigInt(IPV4_BITS) === IPV4_MAPPED >> BigInt(IPV4_BITS);
}

function parseIpv4(text: string): bigint | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return null;
  let bits = 0n;
  for (const part of match.slice(1)) {
    if (Number(part) > 255 || (part.length > 1 && part.startsWith("0"))) return null;
    bits = bits << 8n | BigInt(part);
  }
  return bits;
}

function parseIpv6(text: string): bigint | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0] ?? "");
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? "") : [];
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const groups = [...head, ...Array<bigint>(missing).fill(0n), ...tail];
  return groups.reduce((bits, group) => bits << 16n | group, 0n);
}

/** Parses groups of 16 bits; a dotted IPv4 tail makes two. Null if they are invalid. */
function parseGroups(text: string): bigint[] | null {
  if (text === "") return [];
  const groups: bigint[] = [];
  const parts = text.split(":");
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes(".")) {
      const bits = parseIpv4(part);
      if (bits === null) return null;
      groups.push(bits >> 16n, bits & 0xffffn);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(BigInt(`0x${part}`));
    } else return null;
  }
  return groups;
}
