/**
 * Digests of names: 96 bits that stand for a text in a table. They are keyed, so that nobody can
 * choose names that meet, and they are never stored. That any two of a million names meet by chance
 * has a probability of 10⁻¹⁷.
 */

/** Words of a digest, of 32 bits each. */
export const NAME_DIGEST_WORDS = 3;

/** What digests depend on: words of 32 bits. */
export type DigestKey = readonly [number, number, number, number];

/** The key where nothing has to be secret. */
export const PLAIN_DIGEST_KEY: DigestKey = [0x6b76656e, 0x75652e6e, 0x616d6573, 0x2e696473];

/**
 * Writes the digest of a text into `digest`. This is HalfSipHash 1-3 of Aumasson and Bernstein,
 * which takes two characters at a time, and ends once more for each further word.
 */
export function digestName(text: string, [k0, k1, k2, k3]: DigestKey, digest: Uint32Array): void {
  const { length } = text;
  let a = k0;
  let b = k1;
  let c = k2 ^ 0x6c796765;
  let d = k3 ^ 0x74656462;
  // The last word has the length, so that no text begins like another.
  for (let at = 0; at <= length; at += 2) {
    const low = at < length ? text.charCodeAt(at) : length;
    const high = at + 1 < length ? text.charCodeAt(at + 1) : length;
    const word = low | (high << 16);
    d ^= word;
    a = (a + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ a;
    a = (a << 16) | (a >>> 16);
    c = (c + d) | 0;
    d = ((d << 8) | (d >>> 24)) ^ c;
    a = (a + d) | 0;
    d = ((d << 7) | (d >>> 25)) ^ a;
    c = (c + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ c;
    c = (c << 16) | (c >>> 16);
    a ^= word;
  }
  // The same round once more: a function for both would take twice the time.
  for (let place = 0; place < NAME_DIGEST_WORDS; place++) {
    c ^= 0xee + place;
    for (let round = 0; round < 3; round++) {
      a = (a + b) | 0;
      b = ((b << 5) | (b >>> 27)) ^ a;
      a = (a << 16) | (a >>> 16);
      c = (c + d) | 0;
      d = ((d << 8) | (d >>> 24)) ^ c;
      a = (a + d) | 0;
      d = ((d << 7) | (d >>> 25)) ^ a;
      c = (c + b) | 0;
      b = ((b << 13) | (b >>> 19)) ^ c;
      c = (c << 16) | (c >>> 16);
    }
    digest[place] = b ^ d;
  }
}
