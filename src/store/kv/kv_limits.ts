/** Limits of Deno KV, each a little below the platform's, and this store's own sizes. */

/** Bytes of one value (platform: 65,536 after serialising). */
export const VALUE_BYTES_MAX = 64_000;
/** Mutations of one commit (platform: 1,000). */
export const COMMIT_MUTATIONS_MAX = 900;
/** Checks of one commit (platform: 100, but 10 over a network). */
export const COMMIT_CHECKS_MAX = 10;
export const COMMIT_CHECKS_LOCAL_MAX = 100;
/** Bytes of the rows beside the log after which a commit changes no further one. */
export const CHANGED_BYTES_MAX = 128 * 1024;
/** Commits over a network that change them at once. */
export const CHANGES_AT_ONCE_REMOTE = 4;
/** Deletions of one commit, where many rows go: their keys have room in it. */
export const DELETIONS_PER_COMMIT = 500;
/** Bytes of one commit, its keys counted twice (platform: 819,200). */
export const COMMIT_BYTES_MAX = 800_000;
/** Bytes of the keys of one commit (platform: 81,920). */
export const COMMIT_KEY_BYTES_MAX = 80_000;
/**
 * Entries of one list batch. A KV server's answer is held in memory as a whole, so it can't be
 * large; but its end may come 40 ms late, so there must not be many.
 */
export const LIST_BATCH_LOCAL = 500;
export const LIST_BATCH_REMOTE = 128;
/** Keys of one `getMany` (platform: 10). */
export const GET_MANY_KEYS_MAX = 10;
/** Concurrent `getMany` calls: a few save time, many would hold up other reads. */
export const GET_MANY_AT_ONCE = 8;
/** Bytes of events after which a batch takes no further command. */
export const BATCH_BYTES_MAX = 192 * 1024;
/** Rows of the sidecar, and their bytes, after which a batch takes no further command. */
export const SIDECAR_ROWS_MAX = 256;
export const SIDECAR_BYTES_MAX = 128 * 1024;
/** Rows on which a batch depends, after which it takes no further command, besides head and epoch. */
export const HELD_ROWS_MAX = COMMIT_CHECKS_MAX - 2;
/** Bytes of an entry up to which the watch delivers it, since it goes to every process. */
export const LAST_ENTRY_BYTES_MAX = 16 * 1024;
/** What a step of the fold takes of a commit, or may take at most. */
export interface StepSize {
  readonly mutations: number;
  /** As the platform counts them: those of keys count twice. */
  readonly bytes: number;
  readonly keyBytes: number;
}
/** So little that no commit of the log waits for long … */
export const FOLD_STEP: StepSize = { mutations: 32, bytes: 192 * 1024, keyBytes: 64_000 };
/** … or more, where there are so many orders that what each step costs outweighs that wait … */
export const FOLD_STEP_BUSY: StepSize = { mutations: 128, bytes: 400 * 1024, keyBytes: 64_000 };
/** … unless it is the log that waits for the fold, which large steps let go faster. */
export const FOLD_STEP_LARGE: StepSize = { mutations: 256, bytes: 600 * 1024, keyBytes: 64_000 };
/** How long a commit to a local database may take before its outcome is looked up, in ms. */
export const COMMIT_LOCAL_MS_MAX = 2_000;
/** How long any call over a network may take before it is given up on, in ms. */
export const CALL_REMOTE_MS_MAX = 5_000;
