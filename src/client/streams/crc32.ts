/** The checksum of books, CRC-32 as in ISO 3309. */

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ value >>> 1 : value >>> 1;
  return value;
});

/** Returns the checksum of a text of ASCII, as an unsigned number of 32 bits. */
export function crc32(text: string): number {
  let value = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    value = (TABLE[(value ^ text.charCodeAt(i)) & 0xff] ?? 0) ^ value >>> 8;
  }
  return (value ^ 0xffffffff) >>> 0;
}
