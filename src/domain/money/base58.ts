/** Base58, in which older chains write their addresses: no letters that look alike. */

const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE = 58n;

/** Writes bytes in base58; each leading zero byte is a `1`. */
export function encodeBase58(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  let text = "";
  for (; value > 0n; value /= BASE) text = DIGITS.charAt(Number(value % BASE)) + text;
  return "1".repeat(leading(bytes, 0)) + text;
}

/** Reads base58; null if a character is none of its digits. */
export function decodeBase58(text: string): Uint8Array | null {
  const digits = Array.from(text, (character) => DIGITS.indexOf(character));
  if (digits.includes(-1)) return null;
  let value = 0n;
  for (const digit of digits) value = value * BASE + BigInt(digit);
  const bytes: number[] = [];
  for (; value > 0n; value /= 256n) bytes.push(Number(value % 256n));
  return Uint8Array.from([...new Array(leading(digits, 0)).fill(0), ...bytes.reverse()]);
}

/** Counts how often a list begins with an item. */
function leading(items: ArrayLike<number>, item: number): number {
  let count = 0;
  while (count < items.length && items[count] === item) count += 1;
  return count;
}
