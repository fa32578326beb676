import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { SidecarRow } from "../../../src/engine/engine.ts";
import {
  SIDECAR_BYTES_MAX,
  SIDECAR_ROWS_MAX,
  VALUE_BYTES_MAX,
} from "../../../src/store/kv/kv_limits.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { stateText } from "../../support/state_text.ts";

const CHANGE = { kind: "change_member", uid: "alice", changes: { level: 7 } } as const;

function rowsOf(count: number, length: number): SidecarRow[] {
  const value = "x".repeat(length);
  return Array.from({ length: count }, (_, i) => ({ key: ["test", i], value }));
}

describe("a command with rows beside the log", () => {
  for (
    const [what, rows] of [
      ["one row is too long", () => rowsOf(1, VALUE_BYTES_MAX)],
      ["all are too long", () => rowsOf(4, SIDECAR_BYTES_MAX / 4)],
      ["there are too many", () => rowsOf(SIDECAR_ROWS_MAX + 1, 1)],
      ["they cannot be made", () => {
        throw new RangeError("no rows");
      }],
    ] as const
  ) {
    it(`fails alone and leaves no trace if they do not fit: ${what}`, async () => {
      await using test = await EngineVenue.open();
      await test.addUsual();
      const before = stateText(test.venue);
      const asked = [
        test.engine.submit({ ...CHANGE, changes: { level: 5 } }, null),
        test.engine.submit(CHANGE, null, rows),
        test.engine.submit({ ...CHANGE, uid: "bob" }, null, () => rowsOf(2, 100)),
      ] as const;
      await assertRejects(() => asked[1], RangeError);
      for (const outcome of await Promise.all([asked[0], asked[2]])) {
        assertEquals("kind" in outcome && outcome.kind, "member_set");
      }
      const levels = ["alice", "bob"].map((uid) => test.venue.holderByUid.get(uid)?.member.level);
      assertEquals(levels, [5, 7]);
      assertEquals(await test.engine.readSidecar(["test", 1]), "x".repeat(100));
      assertEquals(stateText(test.venue) === before, false);
      assertEquals(test.engine.health(), { isReady: true, reason: "" });
      await test.placed("alice", { amount: "1", price: "10" });
    });
  }

  it("is accepted if they just fit", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const rows = rowsOf(2, VALUE_BYTES_MAX - 100);
    const outcome = await test.engine.submit(CHANGE, null, () => rows);
    assertEquals("kind" in outcome && outcome.kind, "member_set");
    assertEquals(await test.engine.readSidecar(["test", 1]), rows[1]?.value);
  });
});

describe("a command that holds a row", () => {
  it("does not happen if another one of the same batch rewrites the row", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const key = ["test", "held"];
    await test.engine.writeSidecar({ key, value: "before" });
    const held = await test.engine.holdSidecar(key);
    const credit = (value: string | null) =>
      test.engine.submit(
        { kind: "adjust_balance", uid: "alice", currency: "btc", amount: 1n },
        null,
        () => [{ key, value }],
        held,
      ).then(() => "done", (error: Error) => error.name);
    const before = test.venue.holderByUid.get("alice")?.accounts[0]?.available ?? 0n;
    const other = test.engine.submit({ ...CHANGE, uid: "bob" }, null);
    const told = await Promise.all([credit(null), credit("again"), credit(null)]);
    assertEquals(told, ["done", "RowChangedError", "RowChangedError"]);
    assertEquals("kind" in await other, true);
    assertEquals(test.venue.holderByUid.get("alice")?.accounts[0]?.available, before + 1n);
    assertEquals(await test.engine.readSidecar(key), null);
  });

  it("happens beside others that hold it and leave it as it is", async () => {
    await using test = await EngineVenue.open();
    await test.addUsual();
    const held = await test.engine.holdSidecar(["test", "held"]);
    const change = (level: number) =>
      test.engine.submit({ ...CHANGE, changes: { level } }, null, undefined, held);
    const outcomes = await Promise.all([change(1), change(2), change(3)]);
    assertEquals(outcomes.map((outcome) => "kind" in outcome && outcome.kind), [
      "member_set",
      "member_set",
      "member_set",
    ]);
  });
});
