/** Numbers and names as nodes write them. What is anything else is the node's contradiction. */
import { EvmNodeError } from "./evm_node_error.ts";

const WORD_DIGITS = 64;
const ADDRESS_DIGITS = 40;

/** @throws {EvmNodeError} the value is no number of up to 256 bits */
export function readQuantity(value: unknown, what: string): bigint {
  return BigInt(matched(value, /^0x[0-9a-f]{1,64}$/i, what));
}

/** @throws {EvmNodeError} the value is no number, or too large to count with */
export function readCount(value: unknown, what: string): number {
  const count = Number(readQuantity(value, what));
  if (!Number.isSafeInteger(count)) throw unreadable(what);
  return count;
}

/** Returns 32 bytes in lower case. */
export function readHash(value: unknown, what: string): string {
  return matched(value, /^0x[0-9a-f]{64}$/i, what).toLowerCase();
}

/** Returns 20 bytes in lower case. */
export function readAddress(value: unknown, what: string): string {
  return matched(value, /^0x[0-9a-f]{40}$/i, what).toLowerCase();
}

/** Returns bytes in lower case. */
export function readBytes(value: unknown, what: string): string {
  return matched(value, /^0x(?:[0-9a-f]{2})*$/i, what).toLowerCase();
}

/** Returns an object of the node's. */
export function readFields(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw unreadable(what);
  return value as Record<string, unknown>;
}

/** Returns a list of the node's. */
export function readList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw unreadable(what);
  return value;
}

/** Returns a number as nodes want it. */
export function hexOf(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

/** Returns a number as 32 bytes of a call, without `0x`. */
export function wordOf(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, "0");
}

/** Returns an address as 32 bytes of a call, without `0x`. */
export function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(WORD_DIGITS, "0");
}

/** Returns the address in 32 bytes of a log, in lower case; null if there is more in them. */
export function addressOfWord(word: string): string | null {
  const digits = word.slice(-ADDRESS_DIGITS);
  return word === `0x${digits.padStart(WORD_DIGITS, "0")}` ? `0x${digits}` : null;
}

function matched(value: unknown, form: RegExp, what: string): string {
  if (typeof value !== "string" || !form.test(value)) throw unreadable(what);
  return value;
}

function unreadable(what: string): EvmNodeError {
  return new EvmNodeError("contradicting", `${what} can't be read`);
}
