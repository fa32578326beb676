/** Frames of websockets, as they are on the wire. */

/** A frame, unparsed. */
export interface Frame {
  readonly bytes: Uint8Array;
  /** 1 for text. */
  readonly opcode: number;
  readonly payload: Uint8Array;
}

const TEXT = 1;
const FINAL = 0x80;
const MASKED = 0x80;
const MASK_BYTES = 4;
/** Lengths that say how many bytes the real length has. */
const LENGTH_BYTES: Readonly<Record<number, number>> = { 126: 2, 127: 8 };

/** Returns the frame at the beginning of what was read; null if it is not whole. */
export function nextFrame(read: Uint8Array): Frame | null {
  const [first, second] = read;
  if (first === undefined || second === undefined) return null;
  const short = second & 0x7f;
  const lengthBytes = LENGTH_BYTES[short] ?? 0;
  const maskBytes = (second & MASKED) === 0 ? 0 : MASK_BYTES;
  const start = 2 + lengthBytes + maskBytes;
  if (read.length < start) return null;
  let length = lengthBytes === 0 ? short : 0;
  for (const byte of read.subarray(2, 2 + lengthBytes)) length = 256 * length + byte;
  if (read.length < start + length) return null;
  const mask = read.subarray(start - maskBytes, start);
  const payload = read.slice(start, start + length);
  if (maskBytes > 0) payload.forEach((byte, i) => payload[i] = byte ^ (mask[i % MASK_BYTES] ?? 0));
  if ((first & FINAL) === 0) throw new Error("frames of several parts are not read here");
  return { bytes: read.slice(0, start + length), opcode: first & 0x0f, payload };
}

/** Returns a frame's text; null if it has none. */
export function textOf({ opcode, payload }: Frame): string | null {
  return opcode === TEXT ? new TextDecoder().decode(payload) : null;
}
