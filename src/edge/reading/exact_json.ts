/** Parses JSON: exactly, within a depth, and without a key that an object has twice. */
import { hasMoreValues } from "./item_count.ts";
import { isSameDecimal } from "./plain_decimal.ts";

/** Maximum depth of nested values; no call needs more than half of it. */
const JSON_DEPTH_MAX = 8;
/**
 * Maximum number of values, each of which costs time to parse: more than the longest bulk of orders
 * with all their fields has.
 */
export const JSON_VALUES_MAX = 20_000;
/** Length of text that may have more, in characters: each takes two, but for the last. */
const MANY_VALUES_LENGTH = 2 * JSON_VALUES_MAX;

/** A key that an object has twice: which of its values is meant, parsers do not agree on. */
export class RepeatedKeyError extends Error {
  override name = "RepeatedKeyError";
  constructor(readonly key: string) {
    super(`An object has the key ${JSON.stringify(key)} twice`);
  }
}

/** What a JSON value holds. */
interface Content {
  /** Number of keys of all objects. */
  keys: number;
  hasNumber: boolean;
}

/**
 * Parses JSON text whose depth functions may safely recurse.
 *
 * @throws {SyntaxError} if it is not JSON
 * @throws {RangeError} if it is too deep, or has too many values, which is known before
 * @throws {RepeatedKeyError} if an object has a key twice
 */
export function parseShallow(text: string): unknown {
  const value = parseBounded(text);
  contentOf(text, value);
  return value;
}

/**
 * Parses JSON text, with each number as the text that it was written as.
 *
 * @param asGiven name of a field whose numbers stay numbers
 * @throws as {@linkcode parseShallow}
 */
export function parseExactly(text: string, asGiven?: string): unknown {
  const value = parseBounded(text);
  // Only texts that hold a number pay for a second parse.
  if (!contentOf(text, value).hasNumber) return value;
  const exact = withExactNumbers(text);
  const isGiven = asGiven !== undefined && typeof exact === "object" && exact !== null &&
    Object.hasOwn(exact, asGiven);
  if (!isGiven) return exact;
  const given = withKeptNumbers(text) as Readonly<Record<string, unknown>>;
  return { ...exact, [asGiven]: given[asGiven] };
}

/**
 * Parses JSON text, with its numbers as numbers; those that would lose digits become the text that
 * they were written as.
 *
 * @throws as {@linkcode parseShallow}
 */
export function parseAsGiven(text: string): unknown {
  parseShallow(text);
  return withKeptNumbers(text);
}

function parseBounded(text: string): unknown {
  if (text.length > MANY_VALUES_LENGTH && hasMoreValues(text, JSON_VALUES_MAX)) {
    throw new RangeError("The JSON has too many values");
  }
  return JSON.parse(text);
}

/** Parses text that is known to be JSON, with each number as the text that it was written as. */
export function withExactNumbers(text: string): unknown {
  return JSON.parse(withNumbers(text, quoted));
}

function withKeptNumbers(text: string): unknown {
  return JSON.parse(withNumbers(text, keptNumber));
}

/** Returns whether a JSON value that is not too deep holds a number. */
export function holdsNumber(value: unknown): boolean {
  const content: Content = { keys: 0, hasNumber: false };
  look(value, JSON_DEPTH_MAX, content);
  return content.hasNumber;
}

function contentOf(text: string, value: unknown): Content {
  const content: Content = { keys: 0, hasNumber: false };
  look(value, JSON_DEPTH_MAX, content);
  // Each key has a colon; others stand in texts, and make the closer look necessary.
  if (content.keys !== colonCount(text)) refuseRepeatedKey(text);
  return content;
}

/** Visits the whole value, even after finding a number, since the rest may be too deep. */
function look(value: unknown, depth: number, content: Content): void {
  if (typeof value === "number") content.hasNumber = true;
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) throw new RangeError("The JSON is too deep");
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (items !== value) content.keys += items.length;
  for (const item of items) look(item, depth - 1, content);
}

function colonCount(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) count += 1;
  return count;
}

/** Matches texts, with the colon behind those that are keys, and the braces of objects. */
const TEXT_OR_BRACE = /"(?:[^"\\]+|\\.)*"(\s*:)?|[{}]/g;

/**
 * Looks at each key of text that is known to be JSON.
 *
 * @throws {RepeatedKeyError} if an object has a key twice
 */
function refuseRepeatedKey(text: string): void {
  const objects: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TEXT_OR_BRACE)) {
    if (token === "{") objects.push(new Set());
    else if (token === "}") objects.pop();
    else if (colon !== undefined) {
      const key: string = JSON.parse(token.slice(0, -colon.length));
      const keys = objects.at(-1);
      if (keys?.has(key)) throw new RepeatedKeyError(key);
      keys?.add(key);
    }
  }
}

/** Matches numbers in JSON, and strings, which may hold digits. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/** Returns JSON text with its numbers rewritten; a reviver would take seven times as long. */
function withNumbers(json: string, written: (number: string) => string): string {
  return json.replace(STRING_OR_NUMBER, (text) => text.startsWith('"') ? text : written(text));
}

function quoted(number: string): string {
  return `"${number}"`;
}

function keptNumber(number: string): string {
  return isSameDecimal(String(Number(number)), number) ? number : quoted(number);
}
