/** A broken invariant. Whoever catches it stops writing; it never means a bad request. */
export class InvariantError extends Error {
  override name = "InvariantError";
}

/**
 * Stops the caller when a fact that must hold does not. Always on: a venue that
 * guesses loses money, a venue that stops loses a minute.
 *
 * @throws {InvariantError} if `condition` is false
 */
export function assert(condition: boolean, fact: string): asserts condition {
  if (!condition) throw new InvariantError(`Broken invariant: ${fact}`);
}

/** Marks a branch that the type checker proves unreachable. */
export function unreachable(value: never): never {
  throw new InvariantError(`Broken invariant: unexpected ${JSON.stringify(value)}`);
}

/** Returns the value, whose absence would be a broken invariant. */
export function present<T>(value: T | null | undefined, fact: string): T {
  if (value === undefined || value === null) {
    throw new InvariantError(`Broken invariant: ${fact}`);
  }
  return value;
}
