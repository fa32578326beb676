import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  JSON_VALUES_MAX,
  parseAsGiven,
  parseExactly,
  parseShallow,
  RepeatedKeyError,
} from "../../../src/edge/reading/exact_json.ts";

const PARSERS = { parseShallow, parseExactly, parseAsGiven };

/** JSON as its writer has it in mind: objects as lists of pairs, which may repeat a key. */
type Written = null | string | number | Written[] | { readonly pairs: [string, Written][] };

const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 1, -0.5, "", ":", '"a":1', "{", '\\"', "a\n:"),
    fc.array(tie("written"), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom("a", "b", ":", "é", '"', "1"), tie("written")), {
      maxLength: 3,
    }).map((pairs) => ({ pairs })),
  ),
}));

function textOf(value: Written): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(", ")}]`;
  return `{${value.pairs.map(([key, item]) => `${JSON.stringify(key)} : ${textOf(item)}`).join()}}`;
}

function repeats(value: Written): boolean {
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.some(repeats);
  const keys = value.pairs.map(([key]) => key);
  return new Set(keys).size < keys.length || value.pairs.some(([, item]) => repeats(item));
}

describe("a key that an object has twice", () => {
  it("is found wherever it is, and nothing else is taken for one", () => {
    fc.assert(
      fc.property(written, (value) => {
        const text = textOf(value);
        for (const parse of Object.values(PARSERS)) {
          if (repeats(value)) assertThrows(() => parse(text), RepeatedKeyError);
          else parse(text);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("is named as it reads, however it is written", () => {
    const cases = [
      ['{"a":1,"a":1}', "a"],
      ['{"a":"1","\\u0061":"2"}', "a"],
      ['[{"b":{"c":":","c" : null}}]', "c"],
      ['{"__proto__":"1","__proto__":"2"}', "__proto__"],
      ['{"x\\"y":"1","x\\"y":"2"}', 'x"y'],
      ['{"":"1","":"2"}', ""],
    ] as const;
    for (const [text, key] of cases) {
      for (const parse of Object.values(PARSERS)) {
        assertEquals(assertThrows(() => parse(text), RepeatedKeyError).key, key);
      }
    }
  });

  it("may be the key of another object", () => {
    const text = '{"a":{"a":{"a":"1"}},"b":[{"a":"1"},{"a":"1"}],"c":"\\"a\\":"}';
    for (const parse of Object.values(PARSERS)) assertEquals(parse(text), JSON.parse(text));
  });
});

describe("JSON with very many values", () => {
  it("is refused, whatever they are, before they are parsed", () => {
    for (const parse of Object.values(PARSERS)) {
      const most = Array(JSON_VALUES_MAX).fill("null").join(",");
      assertEquals((parse(`[${most}]`) as unknown[]).length, JSON_VALUES_MAX);
      for (const item of ["{}", "[]", "1", "null", '"a"', '{"a":1}']) {
        const text = `[${Array(2 * JSON_VALUES_MAX).fill(item).join(",")}]`;
        assertThrows(() => parse(text), RangeError, "too many values", item);
        assertThrows(() => parse(text.slice(0, -1)), RangeError, "too many values", item);
      }
    }
  });
});
