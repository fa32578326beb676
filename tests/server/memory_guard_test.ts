import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  FIRST_BYTES_MAX,
  measureOutsideHeap,
  MemoryGuard,
  OUTSIDE_HEAP_BYTES_MAX,
} from "../../src/server/memory_guard.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import { itUnless } from "../support/unless.ts";

const MEBIBYTE = 1024 * 1024;

/** Returns whether the guard let go of all connections at each look, and what it logged. */
function looks(mebibytes: readonly number[], bytesMax?: number): [boolean[], unknown[]] {
  let now = 0;
  let relieved = 0;
  const told: unknown[] = [];
  const guard = new MemoryGuard({
    bytesOutsideHeap: () => now,
    relieve: () => (relieved += 1, "connections_dropped"),
    logger: { warn: (event, fields) => told.push([event, fields]) },
    ...(bytesMax === undefined ? {} : { bytesMax }),
  });
  const done = mebibytes.map((bytes) => {
    now = bytes * MEBIBYTE;
    const before = relieved;
    guard.look();
    return relieved > before;
  });
  return [done, told];
}

describe("the guard of the memory", () => {
  it("lets go of all connections above the limit, and says so", () => {
    const [done, told] = looks([99, 100, 101, 50, 100, 130, 40, 101], 100 * MEBIBYTE);
    // The first limit after that is what was left, and some more.
    assertEquals(done, [false, false, true, false, false, false, false, false]);
    assertEquals(told, [["connections_dropped", { mebibytes: 101 }]]);
    assertEquals(looks([1024, 1025, 100, 1024, 1025])[0], [false, true, false, false, true]);
    assertEquals([FIRST_BYTES_MAX, OUTSIDE_HEAP_BYTES_MAX], [768 * MEBIBYTE, 1024 * MEBIBYTE]);
  });

  it("does not do so again for memory that they did not hold", () => {
    const [done] = looks([1025, 1024, 1200, 1280, 1281, 1100, 1356, 1357]);
    assertEquals(done, [true, false, false, false, true, false, false, true]);
  });

  it("judges nothing while what was let go of may not be free yet", () => {
    let [bytes, isFreeing, relieved] = [0, false, 0];
    const guard = new MemoryGuard({
      bytesOutsideHeap: () => bytes * MEBIBYTE,
      isFreeing: () => isFreeing,
      relieve: () => (relieved += 1, "unsigned_sockets_dropped"),
      logger: { warn() {} },
    });
    const look = (now: number, isStillFreeing: boolean) => {
      [bytes, isFreeing] = [now, isStillFreeing];
      guard.look();
      return relieved;
    };
    assertEquals([look(1025, false), look(1500, true), look(1800, true)], [1, 1, 1]);
    // Nothing of it counts as somebody else's.
    assertEquals([look(100, false), look(1024, false), look(1025, false)], [1, 1, 2]);
  });

  it("lets less come when what others held is free", () => {
    const [done] = looks([1025, 1200, 1456, 900, 1157, 1024, 1281]);
    assertEquals(done, [true, false, false, false, true, false, true]);
  });
});

describe("what a process has outside of the heap", () => {
  it("leaves out what the heap has ever had, whose pages V8 may still keep", () => {
    let [now, large] = [{ rss: 0, heapTotal: 0 }, 0];
    const measured = measureOutsideHeap(() => now, () => large);
    const look = (rss: number, heapTotal: number, ofLarge = 0) => {
      [now, large] = [{ rss, heapTotal }, ofLarge];
      return measured();
    };
    assertEquals([look(150, 100), look(1600, 1500), look(1600, 300)], [50, 100, 100]);
    assertEquals([look(400, 300), look(2700, 300)], [-1100, 1200]);
    assertEquals([look(2900, 2000, 600), look(2900, 300)], [800, 1400]);
  });

  itUnless(IS_OLDEST_RUNTIME)("knows large objects, such as a long text", () => {
    const measured = measureOutsideHeap(() => ({ rss: 0, heapTotal: 1024 * MEBIBYTE }));
    const before = measured();
    const text = new TextDecoder().decode(new Uint8Array(64 * MEBIBYTE).fill(97));
    assertEquals([text.length, Math.round((before - measured()) / MEBIBYTE)], [64 * MEBIBYTE, 64]);
    const large = -measureOutsideHeap(() => ({ rss: 0, heapTotal: 0 }))();
    assert(large < Deno.memoryUsage().heapTotal, "not all objects are large");
  });
});
