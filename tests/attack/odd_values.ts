/** Unexpected values, and their JSON. */
import type { Prng } from "../support/prng.ts";

/** JSON text to be used unchanged, such as a number that no float can represent. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Numbers that parsers disagree about. */
export const ODD_NUMBERS: readonly string[] = [
  "0",
  "-0",
  "-1",
  "1e-18",
  "1e30",
  "1E5",
  "1e400",
  "-1e-400",
  "0.1e1",
  "9007199254740993",
  "18446744073709551615",
  "18446744073709551616",
  "1234567890123456789012345678901234567890",
  "0.1234567890123456789012345678901234567890",
  "0.00000000000000001",
  "0.0000000000000001",
  "2147483648",
  "1.0",
  "0.0",
];

/** Texts that are not valid numbers, names, ids or times. */
export const ODD_TEXTS: readonly string[] = [
  ...ODD_NUMBERS,
  "",
  " ",
  "+1",
  " 1",
  "1 ",
  "01",
  "1.",
  ".5",
  "1,5",
  "1_000",
  "0x10",
  "0b11",
  "NaN",
  "Infinity",
  "-Infinity",
  "١٢",
  "１２",
  "null",
  "undefined",
  "true",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "client:",
  "client:__proto__",
  "client:x",
  "any",
  "all",
  "\u0000",
  "a\u0000b",
  "\r\nX-Injected: 1",
  "\ud800",
  "\u202eabc",
  "\ufeffbtc",
  "BTC",
  "ßẞıİ",
  "e\u0301",
  "💥",
  "../../etc/passwd",
  "%00",
  "%2e%2e%2f",
  "=1+1",
  "' OR 1=1 --",
  "<script>",
  "${7*7}",
  "a".repeat(65),
  "a".repeat(257),
  "9".repeat(400),
  "é".repeat(1200),
  "b436163d-5c73-81ea-be71-1831bf9834b0",
  "00000000-0000-0000-0000-000000000000",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
];

const DEPTHS = [5, 9, 100, 3000, 12_000, 31_000] as const;

/** Returns a value of any kind, which seldom fits. */
export function oddValue(prng: Prng): unknown {
  switch (prng.below(9)) {
    case 0:
    case 1:
      return new RawJson(prng.pick(ODD_NUMBERS));
    case 2:
    case 3:
    case 4:
      return prng.pick(ODD_TEXTS);
    case 5:
      return prng.pick([null, true, false]);
    case 6:
      return prng.pick([[], [[]], [null], ["a", 1], [{}], new Array(150).fill("a")]);
    case 7:
      return prng.pick([
        {},
        { a: 1 },
        { length: 1 },
        new RawJson('{"__proto__":{"x":1}}'),
        new RawJson('{"toString":1,"valueOf":null}'),
      ]);
    default:
      return new RawJson(nested(prng.pick(DEPTHS), prng.chance(0.5)));
  }
}

/** Returns arrays or objects nested to a depth. */
export function nested(depth: number, isArray: boolean): string {
  return isArray
    ? "[".repeat(depth) + "]".repeat(depth)
    : '{"a":'.repeat(Math.floor(depth / 3)) + "1" + "}".repeat(Math.floor(depth / 3));
}

/** Returns the JSON of a value that may contain {@linkcode RawJson}. */
export function jsonOf(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([name, one]) =>
      `${JSON.stringify(name)}:${jsonOf(one)}`
    );
    return `{${fields.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** Formats a value as a text for a form or a query. */
export function formText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(formText).join(",");
  return jsonOf(value);
}
