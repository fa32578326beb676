/** Commits: what is written at once or not at all, and what came of it. */
import type { Key } from "../keys.ts";

/** One change of a commit; a null value deletes. */
export interface Mutation {
  readonly key: Key;
  readonly value: unknown;
}

/** A row that must not have changed since it was read; without a versionstamp there was none. */
export interface Check {
  readonly key: Key;
  readonly versionstamp: string | null;
}

/** What is committed together with an entry of the log. */
export interface Beside {
  readonly mutations: readonly Mutation[];
  /** Rows on which a command of the entry depends: they have not changed, or nothing happens. */
  readonly held: readonly Check[];
}

/** Nothing beside an entry. */
export const NOTHING_BESIDE: Beside = { mutations: [], held: [] };

/** A commit. One check decides about all of it, so that only the log does. */
export interface Commit {
  readonly check: Check;
  /**
   * Rows on which it depends: those beside the log that its commands hold, an entry of the log, and
   * that of the epoch, without which the store is no longer the one that was opened.
   */
  readonly held?: readonly Check[];
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
