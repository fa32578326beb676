/** Commits: what is written at once or not at all, and what came of it. */
import type { Key } from "./keys.ts";

/** One change of a commit; a null value deletes. */
export interface Mutation {
  readonly key: Key;
  readonly value: unknown;
}

/** A commit with exactly one check, so that only the log decides. */
export interface Commit {
  readonly check: { readonly key: Key; readonly versionstamp: string | null };
  readonly mutations: readonly Mutation[];
}

/**
 * The outcome of a commit. `refused`: the check failed; over a network, perhaps because the first
 * send of the same commit succeeded. `failed`: it did not happen. `unknown`: it may have happened,
 * or may still.
 */
export type CommitOutcome =
  | { readonly kind: "committed"; readonly versionstamp: string }
  | { readonly kind: "refused" }
  | { readonly kind: "failed"; readonly error: Error }
  | { readonly kind: "unknown" };
