import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Act, ACT_SCAN_MAX, type ActFilter, actRow, readActs } from "../../src/engine/acts.ts";
import { ObservedEngine } from "../support/observed_engine.ts";

function act(uid: string, action: string): Act {
  return { uid, kid: "key", action, target: {}, changes: {}, reason: "", at: 1 };
}

/** Opens a venue whose log has numbered `count` acts, with rows for some of them. */
async function openTrail(
  count: number,
  rows: Readonly<Record<number, Act>>,
): Promise<ObservedEngine> {
  const engine = await ObservedEngine.open();
  engine.engine.venue.counters.acts = count;
  for (const [id, row] of Object.entries(rows)) {
    await engine.engine.writeSidecar(actRow(Number(id), row));
  }
  return engine;
}

async function idsOf(
  { engine }: ObservedEngine,
  filter: ActFilter,
  offset: number,
  limit: number,
): Promise<{ ids: number[]; total: number | null; isScanLimited: boolean }> {
  const { items, total, isScanLimited } = await readActs(engine, filter, { offset, limit });
  return { ids: items.map(({ id }) => id), total, isScanLimited };
}

describe("readActs()", () => {
  it("returns nothing when nothing was done", async () => {
    await using trail = await openTrail(0, {});
    assertEquals(await idsOf(trail, {}, 0, 10), { ids: [], total: 0, isScanLimited: false });
    const filtered = await idsOf(trail, { uid: "op" }, 0, 10);
    assertEquals(filtered, { ids: [], total: null, isScanLimited: false });
  });

  it("returns each number once, with its row if there is one", async () => {
    await using trail = await openTrail(5, { 2: act("op", "two"), 4: act("op", "four") });
    const { items } = await readActs(trail.engine, {}, { offset: 1, limit: 3 });
    assertEquals(items.map(({ id, act }) => [id, act?.action ?? null]), [
      [4, "four"],
      [3, null],
      [2, "two"],
    ]);
    assertEquals((await idsOf(trail, {}, 4, 3)).ids, [1]);
    assertEquals((await idsOf(trail, {}, 5, 3)).ids, []);
  });

  it("leaves out what the published state does not include yet", async () => {
    await using trail = await openTrail(2, { 1: act("op", "one"), 3: act("op", "three") });
    assertEquals((await idsOf(trail, {}, 0, 10)).ids, [2, 1]);
    assertEquals((await idsOf(trail, { uid: "op" }, 0, 10)).ids, [1]);
  });

  it("searches without gaps, however many reads it takes", async () => {
    const ids = Array.from({ length: ACT_SCAN_MAX }, (_, i) => i + 1).filter((id) => id % 50 === 0);
    const rows = Object.fromEntries(ids.map((id) => [id, act("op", "some")]));
    await using trail = await openTrail(ACT_SCAN_MAX, rows);
    assertEquals((await idsOf(trail, { uid: "op" }, 0, ACT_SCAN_MAX)).ids, ids.reverse());
  });

  it("searches up to its bound, and says so", async () => {
    const count = ACT_SCAN_MAX + 10;
    const rows = { 5: act("op", "old"), 11: act("op", "old"), [count]: act("op", "new") };
    await using trail = await openTrail(count, rows);
    assertEquals(await idsOf(trail, { uid: "op" }, 0, 10), {
      ids: [count, 11],
      total: null,
      isScanLimited: true,
    });
    assertEquals((await idsOf(trail, { uid: "op" }, 0, 2)).isScanLimited, false);
    assertEquals((await idsOf(trail, { action: "old" }, 0, 1)).ids, [11]);
    assertEquals((await idsOf(trail, { uid: "op", action: "new" }, 0, 1)).ids, [count]);
  });
});
