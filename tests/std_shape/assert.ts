/**
 * `@std/assert` as JSR has it, written by hand: of its names those that are used here. What stands in
 * for it has no types. Types only: `deno task check` holds the code against them.
 */

// deno-lint-ignore no-explicit-any -- any class, whatever it is constructed with
type Class<T> = abstract new (...parameters: any[]) => T;

export declare class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions);
}

export declare function assert(value: unknown, message?: string): asserts value;
export declare function fail(message?: string): never;

export declare function assertEquals<T>(actual: T, expected: T, message?: string): void;
export declare function assertNotEquals<T>(actual: T, expected: T, message?: string): void;
export declare function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T;
export declare function assertNotStrictEquals<T>(actual: T, expected: T, message?: string): void;
export declare function assertLess<T>(actual: T, expected: T, message?: string): void;
export declare function assertMatch(actual: string, expected: RegExp, message?: string): void;
export declare function assertStringIncludes(
  actual: string,
  expected: string,
  message?: string,
): void;
export declare function assertInstanceOf<C extends Class<unknown>>(
  actual: unknown,
  expected: C,
  message?: string,
): asserts actual is InstanceType<C>;

export declare function assertThrows(run: () => unknown, message?: string): unknown;
export declare function assertThrows<E extends Error = Error>(
  run: () => unknown,
  expected: Class<E>,
  included?: string,
  message?: string,
): E;
export declare function assertRejects(
  run: () => PromiseLike<unknown>,
  message?: string,
): Promise<unknown>;
export declare function assertRejects<E extends Error = Error>(
  run: () => PromiseLike<unknown>,
  expected: Class<E>,
  included?: string,
  message?: string,
): Promise<E>;
