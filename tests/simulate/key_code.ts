/** Encodes keys as strings that sort in the order of Deno KV. */

const STRING_TAG = "\x02";
const NUMBER_TAG = "\x21";
const PART_END = "\x00";
const TEXTS_KEPT_MAX = 10_000;

const FLOAT = new DataView(new ArrayBuffer(8));
const TEXTS = new Map<string, string>();

/** Encodes a key; each character is a byte. */
export function keyCode(key: Deno.KvKey): string {
  let code = "";
  for (const part of key) {
    if (typeof part === "string") code += textCode(part);
    else if (typeof part === "number") code += numberCode(part);
    else throw new TypeError("The keys of a venue are made of texts and numbers");
  }
  return code;
}

function textCode(text: string): string {
  let code = TEXTS.get(text);
  if (code === undefined) {
    if (TEXTS.size >= TEXTS_KEPT_MAX) TEXTS.clear();
    let bytes = "";
    for (const byte of new TextEncoder().encode(text)) {
      bytes += byte === 0 ? "\x00\xff" : String.fromCharCode(byte);
    }
    code = STRING_TAG + bytes + PART_END;
    TEXTS.set(text, code);
  }
  return code;
}

/** Encodes a number big-endian with the sign flipped, or all bits if it is negative. */
function numberCode(value: number): string {
  FLOAT.setFloat64(0, value);
  const isNegative = FLOAT.getUint8(0) >= 0x80;
  const high = FLOAT.getUint32(0) ^ (isNegative ? 0xffffffff : 0x80000000);
  const low = FLOAT.getUint32(4) ^ (isNegative ? 0xffffffff : 0);
  return NUMBER_TAG + String.fromCharCode(
    high >>> 24,
    high >>> 16 & 255,
    high >>> 8 & 255,
    high & 255,
    low >>> 24,
    low >>> 16 & 255,
    low >>> 8 & 255,
    low & 255,
  );
}
