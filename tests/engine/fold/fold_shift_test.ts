import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { FoldShift } from "../../../src/engine/fold/folder.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";

const STILL_MS = 2000;
const ORDER = { side: "buy", price: "1", amount: "1" } as const;

/** Returns first the one of two engines that keeps folding, then the other. */
async function inOrderOfFolding(
  one: EngineVenue,
  two: EngineVenue,
): Promise<[EngineVenue, EngineVenue]> {
  const commits: number[] = [];
  for (let round = 0; round < 2; round++) {
    await one.placed("alice", ORDER);
    for (const test of [one, two]) await test.folded();
    commits.push(two.store.commits.fold);
  }
  return commits[0] === commits[1] ? [one, two] : [two, one];
}

describe("a process's turn to fold", () => {
  it("is its own until another process folds, and again after it folds itself", () => {
    const turn = new FoldShift(() => 0);
    assert(turn.isOwn);
    turn.rest();
    assert(turn.isOwn);
    turn.pass();
    assert(!turn.isOwn);
    turn.take();
    assert(turn.isOwn);
  });

  it("comes when another's rows stand still while there is something to fold", () => {
    let now = 0;
    const turn = new FoldShift(() => now);
    turn.pass();
    now += STILL_MS - 1;
    assert(!turn.isOwn);
    turn.rest();
    now += STILL_MS - 1;
    assert(!turn.isOwn);
    now += STILL_MS + 1;
    assert(turn.isOwn);
    turn.rest();
    assert(!turn.isOwn, "the others may fold again");
  });

  it("is not taken by all processes at once", () => {
    let now = 0;
    const turns = Array.from({ length: 64 }, () => new FoldShift(() => now));
    for (const turn of turns) turn.pass();
    now = 1.5 * STILL_MS;
    const early = turns.filter(({ isOwn }) => isOwn).length;
    assert(early < turns.length);
    now = 2 * STILL_MS;
    assert(turns.every(({ isOwn }) => isOwn));
  });
});

describe("folding by two processes", () => {
  it("is done by one of them until it is gone", async () => {
    await using file = await VenueFile.create();
    const one = await EngineVenue.open({ path: file.path, isShared: true });
    await one.addUsual();
    const two = await EngineVenue.open({ path: file.path, isShared: true });
    const [first, other] = await inOrderOfFolding(one, two);
    for (const writer of [other, first]) {
      first.store.plan = (purpose) => purpose === "fold" ? "hold" : "none";
      const before = other.store.commits.fold;
      await writer.placed("alice", ORDER);
      await first.store.holding();
      await sleep(STILL_MS * 0.4);
      first.store.release();
      for (const test of [first, other]) await test.folded();
      assertEquals(other.store.commits.fold, before);
    }
    await first.close();
    await other.placed("alice", ORDER);
    await other.folded();
    await other.close();
    assertEquals((await runAudit(file.path)).differences, []);
  });
});
