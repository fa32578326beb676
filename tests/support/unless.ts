/** Registers tests that can't run everywhere: elsewhere they are shown as ignored. */
import { describe, it } from "@std/testing/bdd";

/** Returns what registers a suite; `why` it can't run here, or whether it can't. */
export function describeUnless(why: string | boolean): (name: string, body: () => void) => void {
  return why === false ? describe : describe.skip;
}

/** Returns what registers a test; `why` it can't run here, or whether it can't. */
export function itUnless(
  why: string | boolean,
): (name: string, body: () => void | Promise<void>) => void {
  return why === false ? it : it.skip;
}
