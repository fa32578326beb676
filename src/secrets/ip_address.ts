/** IP addresses as numbers, and the networks that they count as. */

/** Bits of an address. */
export const IPV4_BITS = 32;
export const IPV6_BITS = 128;
/** IPv4 addresses are mapped into IPv6 under this prefix, so that both spellings are one number. */
const IPV4_MAPPED = 0xffffn << BigInt(IPV4_BITS);
/** Bits of an IPv6 address below its network, a /64, which every customer has at least one of. */
const HOST_BITS = 64n;

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

/**
 * Returns the network that an address counts as: whoever has an IPv6 address has its whole /64. Text
 * that is no address counts by itself.
 *
 * @param hostBits bits of an IPv6 address below the network
 */
export function networkOf(address: string, hostBits: bigint = HOST_BITS): string {
  const bits = parseAddress(address);
  if (bits === null) return address;
  return (isIpv4(bits) ? bits : bits >> hostBits).toString(16);
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
