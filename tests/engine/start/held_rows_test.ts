import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection, type Outcome } from "../../../src/domain/command.ts";
import { type HeldRow, RowChangedError, UnavailableError } from "../../../src/engine/engine.ts";
import { HELD_ROWS_MAX } from "../../../src/store/kv/kv_limits.ts";
import { EngineVenue } from "../../support/engine_venue.ts";

const KEY = ["sessions", "IDALICE", "s"];

/** Submits a command that depends on a row, with a row of its own. */
function raise({ engine }: EngineVenue, name: string, level: number, held: HeldRow) {
  const row = { key: ["of", name, level], value: level };
  const command = { kind: "change_member", uid: uidOf(name), changes: { level } } as const;
  return engine.submit(command, null, () => [row], held);
}

function uidOf(name: string): string {
  return `ID${name.toUpperCase()}`;
}

function levelOf({ venue }: EngineVenue, name: string): number | undefined {
  return venue.holderByUid.get(uidOf(name))?.member.level;
}

async function openVenue(): Promise<EngineVenue> {
  const test = await EngineVenue.open();
  for (const name of ["alice", "bob"]) {
    const uid = uidOf(name);
    const member = { uid, emailDigest: name, level: 0, group: "vip-0" } as const;
    const command = { kind: "create_member", ...member } as const;
    assertEquals(isRejection(await test.engine.submit(command, null)), false);
  }
  await test.engine.writeSidecar({ key: KEY, value: 1 });
  return test;
}

function kindOf(outcome: Outcome): string {
  return isRejection(outcome) ? outcome.rejected : outcome.kind;
}

describe("a command that holds a row", () => {
  it("happens while the row is as it was read, also if there is none", async () => {
    await using test = await openVenue();
    for (const [place, key] of [KEY, ["sessions", "none"]].entries()) {
      const held = await test.engine.holdSidecar(key);
      assertEquals(kindOf(await raise(test, "alice", place + 2, held)), "member_set");
      assertEquals(levelOf(test, "alice"), place + 2);
    }
  });

  for (const [how, value] of [["is gone", null], ["was written again", 1]] as const) {
    it(`does not happen once the row ${how}, but others of its batch do`, async () => {
      await using test = await openVenue();
      const held = await test.engine.holdSidecar(KEY);
      test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
      const busy = raise(test, "bob", 4, held);
      await test.store.holding();
      const stale = raise(test, "alice", 5, held);
      const refused = assertRejects(() => stale, RowChangedError);
      const other = raise(test, "bob", 6, await test.engine.holdSidecar(["sessions", "none"]));
      await test.engine.writeSidecar({ key: KEY, value });
      test.store.release();
      await assertRejects(() => busy, UnavailableError);
      await refused;
      assertEquals(kindOf(await other), "member_set");
      assertEquals([levelOf(test, "alice"), levelOf(test, "bob")], [0, 6]);
      assertEquals(await test.engine.readSidecar(["of", "alice", 5]), null);
      assertEquals(test.engine.health().isReady, true);
    });
  }

  it("is tried again where only another entry came first, or an answer was lost", async () => {
    for (const fault of ["refuse", "lose", "lose_answer"] as const) {
      await using test = await openVenue();
      const held = await test.engine.holdSidecar(KEY);
      const before = test.store.commits.log;
      test.store.plan = (purpose, count) =>
        purpose === "log" && count === before + 1 ? fault : "none";
      assertEquals(kindOf(await raise(test, "alice", 2, held)), "member_set", fault);
      assertEquals(levelOf(test, "alice"), 2);
    }
  });

  it("shares a commit with no more of them than the platform takes", async () => {
    await using test = await openVenue();
    const held = await test.engine.holdSidecar(KEY);
    test.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const count = 3 * HELD_ROWS_MAX;
    const raised = Array.from({ length: count }, (_, i) => raise(test, "alice", i + 1, held));
    await test.store.holding();
    const checks: number[] = [];
    test.store.release();
    test.store.plan = (purpose, _, commit) => {
      if (purpose === "log") checks.push(commit.held?.length ?? 0);
      return "none";
    };
    for (const outcome of await Promise.all(raised)) assertEquals(kindOf(outcome), "member_set");
    assertEquals(Math.max(...checks), HELD_ROWS_MAX);
    assertEquals(levelOf(test, "alice"), count);
  });
});
