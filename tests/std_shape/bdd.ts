/**
 * `@std/testing/bdd` as JSR has it, written by hand: of its names those that `node:test` has, too,
 * which stands in for it here. Types only: `deno task check` holds the tests against them.
 */

/** The options of a test or a suite. */
export interface TestOptions {
  readonly ignore?: boolean;
  readonly only?: boolean;
  readonly permissions?: Deno.PermissionOptions;
  readonly sanitizeExit?: boolean;
  readonly sanitizeOps?: boolean;
  readonly sanitizeResources?: boolean;
}

type TestBody = (context: Deno.TestContext) => void | Promise<void>;

interface Registers<F, R> {
  (name: string, body: F): R;
  (name: string, options: TestOptions, body: F): R;
}

/** Registers a test or a suite, and in other ways. */
export interface Registering<F, R> extends Registers<F, R> {
  readonly only: Registers<F, R>;
  readonly skip: Registers<F, R>;
}

/** A suite that later tests may be added to. */
export interface TestSuite {
  readonly symbol: symbol;
}

type Hook = (body: () => void | Promise<void>) => void;

export declare const describe: Registering<() => void, TestSuite>;
export declare const it: Registering<TestBody, void>;
export declare const test: Registering<TestBody, void>;
export declare const before: Hook;
export declare const after: Hook;
export declare const beforeEach: Hook;
export declare const afterEach: Hook;
