import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { likePattern } from "../../src/http/like_pattern.ts";

/** Judges by definition, in exponential time. */
function isLike(pattern: string, text: string): boolean {
  if (pattern === "") return text === "";
  const [first = "", rest] = [pattern[0], pattern.slice(1)];
  if (first === "%") {
    return isLike(rest, text) || (text !== "" && isLike(pattern, text.slice(1)));
  }
  if (text === "") return false;
  if (first === "_") return isLike(rest, text.slice(1));
  const isEscape = first === "\\" && /^[\\%_]/.test(rest);
  const [literal, after] = isEscape ? [rest[0], rest.slice(1)] : [first, rest];
  return literal === text[0] && isLike(after, text.slice(1));
}

describe("a pattern of LIKE", () => {
  it("matches what its definition says", () => {
    const patterns = fc.array(fc.constantFrom("a", "b", "%", "_", "\\"), { maxLength: 7 });
    const texts = fc.array(fc.constantFrom("a", "b", "%", "_", "\\"), { maxLength: 8 });
    fc.assert(
      fc.property(patterns, texts, (parts, letters) => {
        const [pattern, text] = [parts.join(""), letters.join("")];
        const hasWildcard = /^(?:[^\\%_]|\\[\\%_]|\\(?![\\%_]))*[%_]/.test(pattern);
        const judged = hasWildcard ? isLike(pattern, text) : isLike(`%${pattern}%`, text);
        // A backslash at the end would escape the wildcard that is added to it.
        if (!hasWildcard && pattern.endsWith("\\")) return;
        assertEquals(likePattern(pattern)(text), judged, `${pattern} ${text}`);
      }),
      { numRuns: 5_000 },
    );
  });

  it("matches whole texts if it has a wildcard, else parts, in any case", () => {
    const cases: [pattern: string, text: string, isMatch: boolean][] = [
      ["b%", "btc", true],
      ["b%", "abc", false],
      ["_tc", "BTC", true],
      ["_", "btc", false],
      ["%", "", true],
      ["tc", "btc", true],
      ["TC", "btc", true],
      ["\\%", "5% off", true],
      ["\\%", "5 off", false],
      ["\\_a", "x_a", true],
      ["\\\\", "a\\b", true],
      ["a\\", "a\\", true],
      ["_", "\u{1F600}", true],
      ["É%", "éa", true],
    ];
    for (const [pattern, text, isMatch] of cases) {
      assertEquals(likePattern(pattern)(text), isMatch, `${pattern} ${text}`);
    }
  });

  it("is matched in bounded time, whatever it is", () => {
    const text = "a".repeat(500);
    const patterns = ["%a".repeat(250) + "b", "%".repeat(1_000) + "b", "%a_".repeat(160) + "b"];
    const start = performance.now();
    for (const pattern of patterns) assertEquals(likePattern(pattern)(text), false);
    // Milliseconds; one that tries all ways would not end.
    assert(performance.now() - start < 2_000);
  });
});
