/** Changes beside the log, many at once: each as if it were alone, in a few commits. */
import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { GatheredChanges } from "../../../src/store/kv/gathered_changes.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import {
  CHANGED_BYTES_MAX,
  CHANGES_AT_ONCE_REMOTE,
  COMMIT_CHECKS_LOCAL_MAX,
  COMMIT_CHECKS_MAX,
  COMMIT_LOCAL_MS_MAX,
  VALUE_BYTES_MAX,
} from "../../../src/store/kv/kv_limits.ts";
import { rowKey, sidecarKey } from "../../../src/store/keys.ts";
import { isFullFault, UnreadableError, UnwrittenError } from "../../../src/store/store.ts";
import { Scheduler } from "../../simulate/scheduler.ts";
import { withVirtualGlobals } from "../../simulate/virtual_globals.ts";
import { HeldFile } from "../../support/held_file.ts";
import { Prng } from "../../support/prng.ts";

/** Rows that one commit changes, since it checks the epoch as well. */
const FILE_ROWS = COMMIT_CHECKS_LOCAL_MAX - 1;
const NETWORK_ROWS = COMMIT_CHECKS_MAX - 1;

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
    const count = 3 * FILE_ROWS;
    const changes = numbers(count).map((i) => file.store.changeSidecar(["row", i], () => i));
    file.release();
    await first;
    assertEquals(await Promise.all(changes), numbers(count));
    assertEquals(file.commits.map((keys) => keys.length), [1, ...Array(3).fill(FILE_ROWS)]);
    const rows = await file.store.listSidecar(["row"], { limit: count });
    assertEquals(rows.map(({ value }) => value), numbers(count));
  });

  it("let the log's commit go before all that are not being written", async () => {
    using file = await HeldFile.open(true);
    const first = file.store.changeSidecar(["first"], next);
    await file.holding(1);
    const changes = numbers(50).map((i) => file.store.changeSidecar(["row", i], next));
    await file.hasRead();
    const mutations = [{ key: rowKey("members", 0), value: 1 }];
    const commit = file.store.commit(
      { check: { key: ["absent"], versionstamp: null }, mutations },
      "log",
    );
    assertEquals(file.waiting, 2);
    file.release();
    assertEquals((await commit).kind, "committed");
    await Promise.all([first, ...changes]);
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
      file.store.changeSidecar(["n"], () => 10),
      file.store.changeSidecar(["n"], next),
      file.store.changeSidecar(["gone"], () => null),
      file.store.changeSidecar(["refused"], refuse),
    ];
    const settled = Promise.allSettled(changed);
    file.release();
    await first;
    assertEquals(
      (await settled).map((one) => one.status === "fulfilled" ? one.value : one.reason.message),
      [1, "Not after 1", 2, 10, 11, null, "Not after null"],
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
    let refusals = 0;
    const refused = file.store.changeSidecar(["refused"], () => {
      throw new RangeError(`${refusals += 1}`);
    });
    file.next();
    await first;
    await assertRejects(() => refused, RangeError, "1");
    await file.holding(1);
    await file.write(sidecarKey(["b"]), 10);
    file.release();
    assertEquals(await Promise.all(changes), [1, 11, 1]);
    assertEquals(file.commits.map((keys) => keys.length), [1, 3, 1, 1, 1]);
    assertEquals(refusals, 1);
  });

  it("that all throw take no commit", async () => {
    using file = await HeldFile.open(true);
    const first = file.store.changeSidecar(["first"], next);
    await file.holding(1);
    const refuse = () => {
      throw new RangeError("Not this one");
    };
    const refused = ["a", "b"].map((name) =>
      assertRejects(() => file.store.changeSidecar([name], refuse), RangeError)
    );
    file.next();
    await Promise.all([first, ...refused]);
    assertEquals(file.commits.length, 1);
  });

  it("fail alone where one is at fault, and all where the file is", async () => {
    using file = await HeldFile.open(true);
    const first = file.store.changeSidecar(["first"], next);
    await file.holding(1);
    // One of them has no room beside others.
    const refused = Promise.all([200_000, 70_000].map((bytes) => {
      const large = file.store.changeSidecar(["large", bytes], () => new Uint8Array(bytes));
      return assertRejects(() => large, TypeError);
    }));
    const long = file.store.changeSidecar(["long".repeat(1_000)], next);
    const tooLong = assertRejects(() => long, TypeError);
    const changes = ["a", "b"].map((name) => file.store.changeSidecar([name], next));
    await file.hasRead();
    assertEquals(file.commits.map((keys) => keys.length), [1, 1]);
    file.release();
    await Promise.all([first, refused, tooLong]);
    assertEquals(await Promise.all(changes), [1, 1]);
    file.fault = new Error("database or disk is full");
    const failing = ["a", "b", "c"].map((name) => file.store.changeSidecar([name], next));
    for (const one of failing) {
      assert(isFullFault(await assertRejects(() => one, UnwrittenError)));
    }
    file.fault = null;
    const rows = ["a", "b", "c"].map((name) => file.store.changeSidecar([name], next));
    assertEquals(await Promise.all(rows), [2, 2, 1]);
  });

  it("take a few commits at a time over a network, none of them for a row that another has", async () => {
    using file = await HeldFile.open(true, true);
    const firstOf = (i: number) => file.store.changeSidecar(["first", i], next);
    const first = numbers(CHANGES_AT_ONCE_REMOTE - 1).map(firstOf);
    await file.holding(CHANGES_AT_ONCE_REMOTE - 1);
    const again = firstOf(0);
    await file.hasRead();
    assertEquals(file.waiting, CHANGES_AT_ONCE_REMOTE - 1);
    first.push(firstOf(CHANGES_AT_ONCE_REMOTE));
    await file.holding(CHANGES_AT_ONCE_REMOTE);
    const count = 3 * NETWORK_ROWS;
    const changes = numbers(count).map((i) => file.store.changeSidecar(["row", i], next));
    await file.hasRead();
    assertEquals(file.waiting, CHANGES_AT_ONCE_REMOTE);
    file.release();
    assertEquals(await Promise.all(first), Array(CHANGES_AT_ONCE_REMOTE).fill(1));
    assertEquals(await Promise.all([again, ...changes]), [2, ...Array(count).fill(1)]);
    const sizes = file.commits.slice(CHANGES_AT_ONCE_REMOTE).map((keys) => keys.length);
    assertEquals(Math.max(...sizes), NETWORK_ROWS);
    assert(sizes.length <= 5, `${sizes.length} commits`);
  });

  it("are all of unknown outcome over a network where their commit is", async () => {
    using file = await HeldFile.open(true, true);
    const first = numbers(CHANGES_AT_ONCE_REMOTE).map((i) =>
      file.store.changeSidecar(["first", i], next)
    );
    await file.holding(CHANGES_AT_ONCE_REMOTE);
    const changes = numbers(5).map((i) => file.store.changeSidecar(["row", i], next));
    const settled = Promise.allSettled(changes);
    file.next();
    await file.holding(CHANGES_AT_ONCE_REMOTE);
    file.fault = new Error("failed to read response body");
    file.release();
    const errors = (await settled).map((one) => one.status === "rejected" ? one.reason : one);
    for (const error of errors) assertInstanceOf(error, UnreadableError);
    assertEquals(file.commits.length, CHANGES_AT_ONCE_REMOTE + 1);
    // Which of the first comes first is up to how fast their rows are read.
    assertEquals((await Promise.allSettled(first)).map(({ status }) => status).toSorted(), [
      "fulfilled",
      ...Array(CHANGES_AT_ONCE_REMOTE - 1).fill("rejected"),
    ]);
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
    rowsMax: FILE_ROWS,
    roundsMax: 1,
    isUnwritten: () => true,
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

  it("is left to others for 50 ms at most", async () => {
    const notes = await noted(async (note) => {
      const make = slowChanges(note, () => sleep(300));
      await Promise.all(["a", "b", "c"].map(make));
      await make("d");
    });
    assertEquals(notes, [[0, "a"], [300, "2 rows"], [650, "d"]]);
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

  it("makes those for which a round that was given up has no room", async () => {
    const bytes = new Uint8Array(VALUE_BYTES_MAX);
    const notes = await noted(async (note) => {
      let readMs = COMMIT_LOCAL_MS_MAX + 500;
      const changes = new GatheredChanges({
        rowsMax: FILE_ROWS,
        roundsMax: 1,
        isUnwritten: () => true,
        read: async (keys) => {
          const ms = readMs;
          readMs = 0;
          await sleep(ms);
          return keys.map(() => ({ value: null, versionstamp: null }));
        },
        write: (rows) => {
          note(`${rows.length} rows`);
          return Promise.resolve(true);
        },
      });
      const make = (name: string) =>
        changes.make({ key: [name], next: () => bytes, alone: () => Promise.resolve(bytes) });
      await Promise.race([Promise.all(["first", "a", "b", "c", "d"].map(make)), sleep(10_000)]);
    });
    const readAt = COMMIT_LOCAL_MS_MAX + 500;
    assertEquals(notes.map(([, what]) => what), ["2 rows", "2 rows"]);
    assertEquals(notes[0]?.[0], readAt);
  });
});
