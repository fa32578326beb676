/** Enters the epoch of a store, or begins its first one. */
import { InvariantError } from "../../domain/assert.ts";
import type { Commit } from "../../store/kv/commit.ts";
import { epochRow } from "../../store/log/epoch.ts";
import type { Head } from "../../store/log/head_codec.ts";
import { sleep } from "../../store/kv/in_time.ts";
import { epochKey, headKey } from "../../store/keys.ts";
import type { Store, Versioned } from "../../store/store.ts";
import { LOG_FORMAT } from "../../store/stored_formats.ts";
import {
  createHeadCommit,
  emptyHead,
  raisedHeadCommit,
  readHead,
} from "../../store/log/venue_log.ts";

/** The most tries to write the first head, and the pause between two, in ms. */
const OPEN_TRIES_MAX = 20;
const OPEN_PAUSE_MS = 20;
/** Without a database, Deno Deploy gives an app memory instead, separate for each handle. */
const NO_DATABASE =
  "what one handle writes, another does not find; is a Deno KV database attached to the app?";
/** Tries to write the row of an epoch, and the head's format, while others move the head. */
const TRIES_MAX = 100;

/**
 * Enters the epoch that the head names: from now on the store writes in no other. An empty log gets
 * its first head, and a store of an older program the row for its epoch. The head of an older format
 * gets this one at once: until then an older process would go on beside this one, by its own rules.
 *
 * @returns the epoch
 */
export async function enterEpoch(store: Store): Promise<string> {
  await openLog(store);
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const head = await readHead(store);
    const { epoch } = head.value;
    const key = epochKey(epoch);
    const { versionstamp } = await store.get(key);
    if (versionstamp !== null && head.value.format === LOG_FORMAT) {
      store.writeIn({ key, versionstamp });
      return epoch;
    }
    const commit = versionstamp === null ? addRowCommit(head) : raisedHeadCommit(head);
    const outcome = await store.commit(commit, "log");
    if (outcome.kind === "failed" && tries === TRIES_MAX) throw outcome.error;
  }
  throw new InvariantError("The row of the epoch, or the format of the head, can't be written");
}

/** Creates the first head if there is none; another process may be doing the same. */
async function openLog(store: Store): Promise<void> {
  for (let tries = 1; (await store.get(headKey())).value === null; tries++) {
    const outcome = await store.commit(createHeadCommit(emptyHead(crypto.randomUUID())), "log");
    if (tries >= OPEN_TRIES_MAX && outcome.kind !== "unknown") {
      throw outcome.kind === "failed" ? outcome.error : new Error(NO_DATABASE);
    }
    if (outcome.kind !== "committed") await sleep(OPEN_PAUSE_MS);
  }
}

/** Returns the commit that adds the row of the head's epoch, unless another epoch has begun. */
function addRowCommit({ value, versionstamp }: Versioned<Head>): Commit {
  const row = epochRow(value.epoch, 0);
  return {
    check: { key: headKey(), versionstamp },
    // Two that add it must not both do so: each adopts the version that there is.
    held: [{ key: row.key, versionstamp: null }],
    mutations: [row],
  };
}
