/** Compares actual with expected values. */

/** The venue did not do what it must. */
export class OracleError extends Error {
  override name = "OracleError";
}

/** Describes the first difference of two values; null if there is none. */
export function difference(actual: unknown, expected: unknown, path: string = ""): string | null {
  if (Object.is(actual, expected)) return null;
  if (!isRecord(actual) || !isRecord(expected)) {
    return `${path || "value"} is ${show(actual)}, not ${show(expected)}`;
  }
  let count = 0;
  for (const name in expected) {
    if (expected[name] === undefined) continue;
    count += 1;
    if (actual[name] === expected[name]) continue;
    const found = difference(actual[name], expected[name], path === "" ? name : `${path}.${name}`);
    if (found !== null) return found;
  }
  for (const name in actual) {
    if (actual[name] !== undefined) count -= 1;
  }
  return count === 0 ? null : `${path || "value"} is ${show(actual)}, not ${show(expected)}`;
}

/** Throws if two values differ. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const found = difference(actual, expected);
  if (found !== null) throw new OracleError(`${what}: ${found}`);
}

/** Throws if a condition does not hold. */
export function must(condition: boolean, fact: () => string): asserts condition {
  if (!condition) throw new OracleError(fact());
}

/** Formats a value as one line. */
export function show(value: unknown): string {
  return JSON.stringify(value, (_, one) => typeof one === "bigint" ? `${one}n` : one) ??
    String(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
