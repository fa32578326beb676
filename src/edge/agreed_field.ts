/** Fields that have two names, or two places. */
import { ApiError } from "./errors.ts";

/**
 * Returns what a call gives under either of two names of a field: nobody can tell which of two
 * values is meant.
 *
 * @throws {ApiError} 422 it gives both, and they differ
 */
export function agreedField<T>(
  identifier: string,
  field: string,
  first: T | undefined,
  second: T | undefined,
): T | undefined {
  const isAgreed = first === undefined || second === undefined || textOf(first) === textOf(second);
  if (isAgreed) return first ?? second;
  throw new ApiError(422, identifier, { details: { field, rule: "unique" } });
}

/** Returns the same text for equal values; words have no order. */
function textOf(value: unknown): string {
  return value instanceof Set ? [...value].sort().join() : String(value);
}
