/** Enters the epoch of a store. */
import { InvariantError } from "../domain/assert.ts";
import type { Commit } from "../store/commit.ts";
import { epochRow } from "../store/epoch.ts";
import type { Head } from "../store/head_codec.ts";
import { epochKey, headKey } from "../store/keys.ts";
import type { Store, Versioned } from "../store/store.ts";
import { readHead } from "../store/venue_log.ts";

/** Tries to write the row of an epoch while others move the head. */
const TRIES_MAX = 100;

/**
 * Enters the epoch that the head names: from now on the store writes in no other. A store of an
 * older program gets the row for it.
 *
 * @returns the epoch
 */
export async function enterEpoch(store: Store): Promise<string> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const head = await readHead(store);
    const { epoch } = head.value;
    const key = epochKey(epoch);
    const { versionstamp } = await store.get(key);
    if (versionstamp !== null) {
      store.writeIn({ key, versionstamp });
      return epoch;
    }
    const outcome = await store.commit(addRowCommit(head), "log");
    if (outcome.kind === "failed" && tries === TRIES_MAX) throw outcome.error;
  }
  throw new InvariantError("The row of the epoch can't be written");
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
