/**
 * Addresses of Bitcoin Cash in CashAddr, the form of their own
 * (https://reference.cash/protocol/blockchain/encoding/cashaddr), beside the legacy one, which looks
 * like Bitcoin's.
 */
import { decodeBase58 } from "./base58.ts";

/** What an address names: the hash of a public key, or of a script. */
export interface CashAddress {
  /** The network; `bitcoincash` is the real one. */
  readonly prefix: string;
  /** 0 for a public key, 1 for a script; 2 and 3 are the same for wallets that know tokens. */
  readonly type: number;
  readonly hash: Uint8Array;
}

/** The networks, of which an address may leave out the name. */
export const CASH_PREFIXES = ["bitcoincash", "bchtest", "bchreg"] as const;
/** First bytes of legacy addresses, by type: on the real network, and on the two others. */
export const LEGACY_VERSIONS = [[0x00, 0x05], [0x6f, 0xc4]] as const;

const DIGITS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const CHECKSUM_DIGITS = 8;
/** Bytes of a hash by the code of its size. */
const HASH_BYTES = [20, 24, 28, 32, 40, 48, 56, 64];
const TYPE_MAX = 15;
/** Characters of the longest address, with its prefix: others are not even looked at. */
const TEXT_LENGTH_MAX = 128;
const GENERATORS = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];
/** Bytes of a legacy address: its version, a hash and a checksum. */
const LEGACY_BYTES = 25;
const LEGACY_HASH_BYTES = 20;

/** Writes an address, with its prefix. */
export function encodeCashAddress({ prefix, type, hash }: CashAddress): string {
  const size = HASH_BYTES.indexOf(hash.length);
  if (size < 0 || type < 0 || type > TYPE_MAX) throw new RangeError("No address is like this");
  const payload = regroup([type * 8 + size, ...hash], 8, 5);
  const sum = checksum([
    ...prefixDigits(prefix),
    ...payload,
    ...new Array(CHECKSUM_DIGITS).fill(0),
  ]);
  for (let i = CHECKSUM_DIGITS - 1; i >= 0; i--) payload.push(Number((sum >> BigInt(5 * i)) & 31n));
  return `${prefix}:${payload.map((digit) => DIGITS[digit]).join("")}`;
}

/** Reads an address, in either case; null if it is none. */
export function decodeCashAddress(text: string): CashAddress | null {
  const lower = text.toLowerCase();
  if (lower !== text && text.toUpperCase() !== text) return null;
  const colon = lower.indexOf(":");
  const payload = Array.from(lower.slice(colon + 1), (character) => DIGITS.indexOf(character));
  if (payload.length <= CHECKSUM_DIGITS || payload.includes(-1)) return null;
  const prefixes = colon < 0 ? CASH_PREFIXES : [lower.slice(0, colon)];
  const prefix = prefixes.find((one) => checksum([...prefixDigits(one), ...payload]) === 0n);
  if (prefix === undefined) return null;
  const digits = payload.slice(0, -CHECKSUM_DIGITS);
  const [version = 0xff, ...hash] = regroup(digits, 5, 8);
  const isWhole = version < 0x80 && hash.length === HASH_BYTES[version & 7] &&
    isSameList(regroup([version, ...hash], 8, 5), digits);
  return isWhole ? { prefix, type: version >> 3, hash: Uint8Array.from(hash) } : null;
}

/**
 * Returns a name that all forms of an address share; null if it is no address. The checksum of a
 * legacy address is not verified: one that is wrong names nothing else either.
 */
export function cashName(text: string): string | null {
  const address = decodeEitherForm(text);
  const version = address === null ? null : legacyVersion(address);
  if (address === null || version === null) return null;
  const hex = Array.from([version, ...address.hash], (byte) => byte.toString(16).padStart(2, "0"));
  return `cash:${hex.join("")}`;
}

/**
 * Reads an address in either form; null if it is none. The checksum of a legacy one is not verified,
 * and of the two test networks, which share theirs, it is taken for the public one's.
 */
export function decodeEitherForm(text: string): CashAddress | null {
  if (text.length > TEXT_LENGTH_MAX) return null;
  const address = decodeCashAddress(text);
  if (address !== null) return address;
  const bytes = decodeBase58(text);
  if (bytes?.length !== LEGACY_BYTES) return null;
  const hash = bytes.subarray(1, 1 + LEGACY_HASH_BYTES);
  for (const [network, versions] of LEGACY_VERSIONS.entries()) {
    const type = versions.findIndex((version) => version === bytes[0]);
    if (type >= 0) return { prefix: CASH_PREFIXES[network] ?? "", type, hash };
  }
  return null;
}

/** Returns a legacy address without its checksum: a version and a hash; null if there is none. */
export function legacyPayload(address: CashAddress): Uint8Array | null {
  const version = legacyVersion(address);
  if (version === null || address.hash.length !== LEGACY_HASH_BYTES) return null;
  return Uint8Array.of(version, ...address.hash);
}

/** Addresses for wallets that know tokens have the versions of the others. */
function legacyVersion({ prefix, type }: CashAddress): number | null {
  const versions = LEGACY_VERSIONS[prefix === CASH_PREFIXES[0] ? 0 : 1];
  return type > 3 ? null : versions[type & 1] ?? null;
}

function prefixDigits(prefix: string): number[] {
  return [...Array.from(prefix, (character) => character.charCodeAt(0) & 31), 0];
}

function checksum(digits: readonly number[]): bigint {
  let sum = 1n;
  for (const digit of digits) {
    const top = sum >> 35n;
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(digit);
    GENERATORS.forEach((generator, bit) => {
      if ((top >> BigInt(bit)) & 1n) sum ^= generator;
    });
  }
  return sum ^ 1n;
}

/** Splits a row of bits anew; to larger groups, what is left over is dropped. */
function regroup(groups: readonly number[], from: number, to: number): number[] {
  const result: number[] = [];
  let bits = 0;
  let value = 0;
  for (const group of groups) {
    value = (value << from | group) & 0xfff;
    bits += from;
    for (; bits >= to; bits -= to) result.push((value >> (bits - to)) & ((1 << to) - 1));
  }
  if (to < from && bits > 0) result.push((value << (to - bits)) & ((1 << to) - 1));
  return result;
}

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
