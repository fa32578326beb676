/** Changes beside the log, many at once: each as if it were alone, in a few commits. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { GatheredChanges } from "../../../src/store/kv/gathered_changes.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import {
  CHANGED_BYTES_MAX,
  CHANGED_ROWS_MAX,
  COMMIT_LOCAL_MS_MAX,
  VALUE_BYTES_MAX,
} from "../../../src/store/kv/kv_limits.ts";
import { rowKey, sidecarKey } from "../../../src/store/keys.ts";
import { Scheduler } from "../../simulate/scheduler.ts";
import { withVirtualGlobals } from "../../simulate/virtual_globals.ts";
import { HeldFile } from "../../support/held_file.ts";
import { Prng } from "../../support/prng.ts";

const next = (old: unknown) => Number(old ?? 0) + 1;

/** Numbers from 0. */
function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

describe("changes of many rows at once", () => {
  it("take a commit for as many rows as one checks", async () => {
    using file = await HeldFile.open(true);
    const first = file.store.changeSidecar(["first"], next);
    await file.holding(1);
    const count = 3 * CHANGED_ROWS_MAX;
    const changes = numbers(count).map((i) => file.store.changeSidecar(["row", i], () => i));
    file.release();
    await first;
    assertEquals(await Promise.all(changes), numbers(count));
    assertEquals(file.commits.map((keys) => keys.length), [1, ...Array(3).fill(CHANGED_ROWS_MAX)]);
    const rows = await file.store.listSidecar(["row"], { limit: count });
    assertEquals(rows.map(({ value }) => value), numbers(count));
  });

  it("let the log's commit go before all that are not being written", async () => {
    using file = await HeldFile.open(true);
    const first = file.store.changeSidecar(["first"], next);
    await file.holding(1);
    const changes = numbers(50).map((i) => file.store.changeSidecar(["row", i], next));
    const writes = numbers(50).map((i) => file.store.writeSidecar(["written", i], i));
    await file.hasRead();
    const mutations = [{ key: rowKey("members", 0), value: 1 }];
    const commit = file.store.commit(
      { check: { key: ["absent"], versionstamp: null }, mutations },
      "log",
    );
    assertEquals(file.waiting, 2);
    file.release();
    assertEquals((await commit).kind, "committed");
    await Promise.all([first, ...changes, ...writes]);
  });

  it("follow each other where they are of one row, and one that throws changes nothing", async () => {
    using file = await HeldFile.open(true);
    const first = file.store.changeSidecar(["first"], next);
    await file.holding(1);
    const refuse = (old: unknown) => {
      throw new RangeError(`Not after ${old}`);
    };
    const changed = [
      file.store.changeSidecar(["n"], next),
      file.store.changeSidecar(["n"], refuse),
      file.store.changeSidecar(["n"], next),
      file.store.writeSidecar(["n"], 10),
      file.store.changeSidecar(["n"], next),
      file.store.changeSidecar(["gone"], () => null),
      file.store.changeSidecar(["refused"], refuse),
    ];
    const settled = Promise.allSettled(changed);
    file.release();
    await first;
    assertEquals(
      (await settled).map((one) => one.status === "fulfilled" ? one.value : one.reason.message),
      [1, "Not after 1", 2, undefined, 11, null, "Not after null"],
    );
    assertEquals(file.commits.map((keys) => keys.length), [1, 2]);
    const rows = await file.store.getMany([sidecarKey(["n"]), sidecarKey(["refused"])]);
    assertEquals(rows, [11, null]);
  });

  it("are made one by one if another process has changed one of the rows", async () => {
    using file = await HeldFile.open(true);
    const first = file.store.changeSidecar(["first"], next);
    await file.holding(1);
    const changes = ["a", "b", "c"].map((name) => file.store.changeSidecar([name], next));
    file.next();
    await first;
    await file.holding(1);
    await file.write(sidecarKey(["b"]), 10);
    file.release();
    assertEquals(await Promise.all(changes), [1, 11, 1]);
    assertEquals(file.commits.map((keys) => keys.length), [1, 3, 1, 1, 1]);
  });

  it("fail alone where one is at fault, and all where the file is", async () => {
    using file = await HeldFile.open(true);
    const first = file.store.changeSidecar(["first"], next);
    await file.holding(1);
    const large = file.store.changeSidecar(["large"], () => new Uint8Array(70_000));
    const refused = assertRejects(() => large, TypeError);
    const changes = ["a", "b"].map((name) => file.store.changeSidecar([name], next));
    file.release();
    await Promise.all([first, refused]);
    assertEquals(await Promise.all(changes), [1, 1]);
    file.fault = new Error("database or disk is full");
    const failing = ["a", "b", "c"].map((name) => file.store.changeSidecar([name], next));
    for (const one of failing) await assertRejects(() => one, Error, "disk is full");
    file.fault = null;
    const rows = ["a", "b", "c"].map((name) => file.store.changeSidecar([name], next));
    assertEquals(await Promise.all(rows), [2, 2, 1]);
  });

  it("have room in their commits, however large they are", async () => {
    using file = await HeldFile.open(true);
    const first = file.store.changeSidecar(["first"], next);
    await file.holding(1);
    const bytes = new Uint8Array(VALUE_BYTES_MAX - 1_000);
    const changes = numbers(20).map((i) => file.store.changeSidecar(["row", i], () => bytes));
    const long = numbers(40).map((i) => file.store.changeSidecar(["x".repeat(1_900), i], () => i));
    file.release();
    await Promise.all([first, ...changes, ...long]);
    const largest = Math.floor(CHANGED_BYTES_MAX / bytes.length);
    assertEquals(file.commits.slice(1, 11).map((keys) => keys.length), Array(10).fill(largest));
    assert(file.commits.length < 11 + 40 / 10, `${file.commits.length} commits`);
    assertEquals((await file.store.listSidecar([], { limit: 100 })).length, 61);
  });
});

/** Runs in virtual time; returns what `note` was called with, and when. */
async function noted(
  run: (note: (what: string) => void) => Promise<unknown>,
): Promise<(readonly [number, string])[]> {
  const scheduler = new Scheduler();
  const notes: (readonly [number, string])[] = [];
  return await withVirtualGlobals(scheduler, new Prng(1), async () => {
    let isOver = false;
    scheduler.after(0, { name: "caller", isAlive: true, pausedUntil: 0 }, "run", () => {
      run((what) => notes.push([scheduler.now, what])).finally(() => isOver = true);
    });
    await scheduler.advance(() => isOver);
    return notes;
  });
}

/** Changes that take 10 ms to be written, together or alone. */
function slowChanges(note: (what: string) => void, write = () => sleep(10)) {
  const changes = new GatheredChanges({
    read: (keys) => Promise.resolve(keys.map(() => ({ value: null, versionstamp: null }))),
    write: async (rows) => {
      note(`${rows.length} rows`);
      await write();
      return true;
    },
  });
  const make = (name: string) =>
    changes.make({
      key: [name],
      isRead: true,
      next: () => name,
      alone: async () => {
        note(name);
        await write();
        return name;
      },
    });
  return make;
}

describe("the file, between changes beside the log,", () => {
  it("is left to others after a crowd, for as long as that had it", async () => {
    const notes = await noted(async (note) => {
      const make = slowChanges(note);
      for (const name of ["a", "b", "c"]) await make(name);
      await sleep(5);
      const crowd = ["d", "e", "f"].map(async (name) => {
        await make(name);
        await make(`${name} again`);
      });
      await Promise.all(crowd);
      await make("g");
    });
    assertEquals(notes.map(([ms, what]) => `${ms} ${what}`), [
      "0 a",
      "10 b",
      "20 c",
      "35 d",
      "45 3 rows",
      "65 2 rows",
      "85 g",
    ]);
  });

  it("goes on to the next when a call hangs", async () => {
    const notes = await noted(async (note) => {
      let isHanging = true;
      const make = slowChanges(note, () => isHanging ? new Promise<void>(() => {}) : sleep(10));
      make("hangs");
      const later = ["a", "b"].map(make);
      await sleep(1);
      isHanging = false;
      await Promise.all(later);
      note("made");
    });
    assertEquals(notes, [[0, "hangs"], [COMMIT_LOCAL_MS_MAX, "2 rows"], [
      COMMIT_LOCAL_MS_MAX + 10,
      "made",
    ]]);
  });
});
