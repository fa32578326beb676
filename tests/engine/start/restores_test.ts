import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { branchOf, readRestores, restoresRow } from "../../../src/engine/start/restores.ts";
import type { NewRestore, Restores } from "../../../src/engine/start/restores.ts";
import { sidecarKey } from "../../../src/store/keys.ts";
import { RESTORES_KEY } from "../../../src/store/sidecar_keys.ts";
import type { Store } from "../../../src/store/store.ts";

/** In whole seconds. */
const SECOND = 1_800_000_000;

/** Returns what is known of restores after those given, behind a row of an older program. */
async function after(
  restores: readonly NewRestore[],
  older: unknown = null,
): Promise<Restores | null> {
  let value = older;
  const store = { get: () => Promise.resolve({ value, versionstamp: null }) } as unknown as Store;
  for (const restore of restores) {
    const row = await restoresRow(store, restore);
    assertEquals(row.key, sidecarKey(RESTORES_KEY));
    value = row.value;
  }
  return await readRestores({ readSidecar: () => Promise.resolve(value) });
}

function restore(ms: number, members: number, at: number = ms): NewRestore {
  return { at, now: ms, members };
}

describe("the branch of a member's keys", () => {
  it("is the first one as long as nothing was restored", async () => {
    const none = await after([]);
    assertEquals(none, null);
    assertEquals(branchOf(none, 7), 0);
  });

  it("is that of the last restore whose copy did not have the member", async () => {
    const restores = await after([
      restore(SECOND * 1_000 + 999, 3),
      restore((SECOND + 60) * 1_000, 5),
    ]);
    const branches = [2, 3, 4, 5, 99].map((member) => branchOf(restores, member));
    assertEquals(branches, [0, SECOND, SECOND, SECOND + 60, SECOND + 60]);
  });

  it("is another one for each restore, whatever the clock says and the log is stamped", async () => {
    const times = [SECOND, SECOND, SECOND - 5, SECOND + 60];
    const restores = await after(times.map((time) => restore(time * 1_000, 3, 1)));
    const branches = restores?.branches.map(({ branch }) => branch);
    assertEquals(branches, [SECOND, SECOND + 1, SECOND + 2, SECOND + 60]);
    assertEquals(branchOf(await after([restore(0, 3)]), 3), 2, "others have 0 and 1");
  });

  it("stays where it was after restores by older programs", async () => {
    for (const older of [{ at: 5 }, { at: 5, last: 9 }]) {
      const known = await after([], older);
      assertEquals(known, { first: 5, last: older.last ?? 5, branches: [] });
      assertEquals(branchOf(known, 99), 0);
      const next = await after([restore(SECOND * 1_000, 4)], older);
      const branches = [{ branch: SECOND, from: 4 }];
      assertEquals(next, { first: 5, last: SECOND * 1_000, branches });
    }
  });
});
