import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnavailableError } from "../../src/engine/engine.ts";
import {
  ReadingQueue,
  READINGS_WAITING_MAX,
  ROWS_AT_ONCE,
} from "../../src/engine/reading_queue.ts";
import { RowReads } from "../support/row_reads.ts";

/** Reads that end under the test's control. */
class Readings {
  readonly #ends: (() => void)[] = [];
  /** In the order in which they started. */
  readonly begun: string[] = [];

  constructor(readonly turns: ReadingQueue) {}

  ask(member: number | undefined, name: string): Promise<string> {
    return this.turns.run(member, () => {
      this.begun.push(name);
      const { promise, resolve } = Promise.withResolvers<string>();
      this.#ends.push(() => resolve(name));
      return promise;
    });
  }

  /** Ends the read that has been running longest. */
  async end(): Promise<void> {
    this.#ends.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

describe("turns of readings", () => {
  it("come one at a time for a member, in order, and independently of others", async () => {
    const readings = new Readings(new ReadingQueue());
    const asked = ["a", "b", "c"].map((name) => readings.ask(7, name));
    const others = [readings.ask(8, "other"), readings.ask(undefined, "all")];
    assertEquals(readings.begun, ["a", "other", "all"]);
    await readings.end();
    assertEquals(readings.begun.at(-1), "b");
    for (let i = 0; i < 4; i++) await readings.end();
    assertEquals(await Promise.all([...asked, ...others]), ["a", "b", "c", "other", "all"]);
  });

  it("continue after a failure, and after all have ended", async () => {
    const turns = new ReadingQueue();
    const fail = () => turns.run(7, () => Promise.reject(new TypeError("no")));
    await Promise.all([assertRejects(fail, TypeError), assertRejects(fail, TypeError)]);
    const readings = new Readings(turns);
    for (const name of ["a", "b"]) {
      const asked = readings.ask(7, name);
      assertEquals(readings.begun.at(-1), name);
      await readings.end();
      assertEquals(await asked, name);
    }
  });

  it("are refused if too many of the member's own wait", async () => {
    const readings = new Readings(new ReadingQueue());
    const count = 1 + READINGS_WAITING_MAX;
    const asked = Array.from({ length: count }, (_, i) => readings.ask(7, String(i)));
    await assertRejects(() => readings.ask(7, "late"), UnavailableError);
    const other = readings.ask(8, "other");
    assertEquals(readings.begun.at(-1), "other");
    for (let i = 0; i <= count; i++) await readings.end();
    assertEquals((await Promise.all([...asked, other])).length, count + 1);
  });

  it("read rows for many items a few at a time, one member's requests in sequence", async () => {
    const turns = new ReadingQueue();
    const rows = new RowReads();
    const items = Array.from({ length: 3 * ROWS_AT_ONCE + 1 }, (_, i) => i);
    const asked = [7, 7].map((member) => turns.each(member, items, (item) => rows.read(item)));
    assertEquals(await Promise.all(asked), [items, items]);
    assertEquals(rows.atOnceMax, ROWS_AT_ONCE);
  });

  it("run as many at once as configured, and no more after some have ended", async () => {
    const readings = new Readings(new ReadingQueue({ atOnce: 2, waitingMax: 1 }));
    const asked = ["a", "b", "c"].map((name) => readings.ask(7, name));
    assertEquals(readings.begun, ["a", "b"]);
    await assertRejects(() => readings.ask(7, "late"), UnavailableError);
    await readings.end();
    await readings.end();
    asked.push(readings.ask(7, "d"), readings.ask(7, "e"));
    assertEquals(readings.begun, ["a", "b", "c", "d"]);
    for (let i = 0; i < 3; i++) await readings.end();
    assertEquals(await Promise.all(asked), ["a", "b", "c", "d", "e"]);
  });

  it("do not hold up anybody who reads few rows", async () => {
    const turns = new ReadingQueue();
    const readings = new Readings(turns);
    const asked = readings.ask(7, "a");
    const rows = new RowReads();
    assertEquals(await turns.each(7, [1, 2], (item) => rows.read(item)), [1, 2]);
    await readings.end();
    await asked;
  });
});
