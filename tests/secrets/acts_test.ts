import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type Act,
  ACT_SCAN_MAX,
  type ActFilter,
  actRows,
  readActs,
  readMemberActs,
} from "../../src/secrets/acts.ts";
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
    for (const written of actRows(Number(id), row)) await engine.engine.writeSidecar(written);
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

  it("tells keys of one operator apart", async () => {
    const other = { ...act("op", "two"), kid: "other" };
    await using trail = await openTrail(3, { 1: act("op", "one"), 2: other, 3: act("op", "3") });
    assertEquals((await idsOf(trail, { kid: "other" }, 0, 10)).ids, [2]);
    assertEquals((await idsOf(trail, { uid: "op", kid: "key" }, 0, 10)).ids, [3, 1]);
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

  it("finds the acts of a time, however many came later, although clocks differ", async () => {
    const last = 2 * ACT_SCAN_MAX;
    const rows: Record<number, Act> = {};
    for (const [id, at] of [[1, 0], [2, 900_000], [3, 1_000_000], [4, 990_000], [5, 2_000_000]]) {
      rows[id ?? 0] = { ...act("op", "some"), at: at ?? 0 };
    }
    for (const id of [last - 1, last]) rows[id] = { ...act("op", "some"), at: 9_000_000 };
    await using trail = await openTrail(last, rows);
    const found = async (filter: ActFilter) => (await idsOf(trail, filter, 0, 10)).ids;
    assertEquals(await found({ from: 990_000, to: 2_000_000 }), [4, 3]);
    assertEquals(await found({ to: 990_000 }), [2, 1]);
    assertEquals(await found({ from: 9_000_000 }), [last, last - 1]);
    assertEquals(await found({ from: 9_000_001 }), []);
    assertEquals(await found({ to: 0 }), []);
    assertEquals(await found({ to: 995_000 }), [4, 2, 1], "3 was noted by a faster clock");
  });

  it("goes on behind an act that a slower clock has noted", async () => {
    const [slow, fast] = [990_000, 1_000_000].map((at) => ({ ...act("op", "some"), at }));
    await using trail = await openTrail(600, { 50: fast ?? act("", ""), 600: slow ?? act("", "") });
    assertEquals((await idsOf(trail, { from: 995_000 }, 0, 10)).ids, [50]);
  });

  it("finds those that touched a member, also those of older versions", async () => {
    const [own, older] = [{ ...act("op", "a"), member: "M" }, {
      ...act("op", "b"),
      target: { uid: "M" },
    }];
    await using trail = await openTrail(3, { 1: older, 2: act("op", "c"), 3: own });
    assertEquals((await idsOf(trail, { member: "M" }, 0, 10)).ids, [3, 1]);
    assertEquals((await idsOf(trail, { member: "N" }, 0, 10)).ids, []);
  });

  it("tells a member of its own acts, but not what operators note for each other", async () => {
    const rows = Object.fromEntries(
      ["a", "addMemberNote", "b", "c"].map((
        action,
        i,
      ) => [i + 1, { ...act("op", action), member: action === "b" ? "N" : "M" }]),
    );
    await using trail = await openTrail(4, rows);
    const page = await readMemberActs(trail.engine, "M", { offset: 0, limit: 10 });
    assertEquals(page.items.map(({ id, act }) => [id, act?.action]), [[4, "c"], [1, "a"]]);
    assertEquals(page.total, 2);
    const next = await readMemberActs(trail.engine, "M", { offset: 1, limit: 1 });
    assertEquals(next.items.map(({ id }) => id), [1]);
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
