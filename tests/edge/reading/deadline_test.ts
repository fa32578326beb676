import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Deadline } from "../../../src/edge/reading/deadline.ts";

class LateError extends Error {}

/** Orders in which four pieces of work end. */
const ORDERS = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 0, 3, 1]];

const late = () => new LateError("late");

/** Runs a test while a timer keeps the process alive, as a server does; waits alone do not. */
async function amidOthers(test: () => Promise<void>): Promise<void> {
  const alive = setInterval(() => {}, 1000);
  try {
    await test();
  } finally {
    clearInterval(alive);
  }
}

describe("a deadline", () => {
  it("lets work finish in time, in whatever order", async () => {
    const deadline = new Deadline(60_000);
    for (const order of ORDERS) {
      const works = order.map(() => Promise.withResolvers<number>());
      const waits = works.map(({ promise }) => deadline.within(promise, late));
      for (const i of order) {
        works[i]?.resolve(i);
        assertEquals(await waits[i], i);
      }
    }
  });

  it("has nothing left to wait for once all work has ended, in whatever order", async () => {
    const { setTimeout } = globalThis;
    const sweeps: (() => void)[] = [];
    // The oldest runtime runs the other tests of this file meanwhile: none has such a deadline.
    const deadlineMs = 60_070;
    const kept = (sweep: () => void, ms?: number) => {
      if (ms !== deadlineMs / 10) return setTimeout(sweep, ms);
      sweeps.push(sweep);
      return setTimeout(() => {}, 0);
    };
    globalThis.setTimeout = kept as typeof setTimeout;
    try {
      for (const order of ORDERS) {
        const deadline = new Deadline(deadlineMs);
        const works = order.map(() => Promise.withResolvers<number>());
        const waits = works.map(({ promise }) => deadline.within(promise, late));
        for (const i of order) {
          works[i]?.resolve(i);
          await waits[i];
        }
        assertEquals(sweeps.length, 1);
        sweeps.pop()?.();
        assertEquals(sweeps.length, 0, `after ${order} the deadline waits on`);
      }
    } finally {
      globalThis.setTimeout = setTimeout;
    }
  });

  it("passes on the error of failed work", async () => {
    const deadline = new Deadline(60_000);
    const failing = Promise.reject(new TypeError("broken"));
    await assertRejects(() => deadline.within(failing, late), TypeError, "broken");
  });

  it("ends late work and leaves the rest, whatever the order", async () => {
    await amidOthers(async () => {
      const deadline = new Deadline(40);
      const works = Array.from({ length: 6 }, () => Promise.withResolvers<number>());
      const waits = works.map(({ promise }) => deadline.within(promise, late));
      for (const i of [0, 2, 5]) works[i]?.resolve(i);
      const ends = await Promise.allSettled(waits);
      assertEquals(
        ends.map((end) => end.status === "fulfilled" ? end.value : end.reason instanceof LateError),
        [0, true, 2, true, true, 5],
      );
      // Late results change nothing, and the next wait has its own deadline.
      for (const i of [1, 3, 4]) works[i]?.resolve(i);
      assertEquals(await deadline.within(Promise.resolve(7), late), 7);
      await assertRejects(() => deadline.within(new Promise(() => {}), late), LateError);
    });
  });

  it("that gave up on one still waits for the others", async () => {
    await amidOthers(async () => {
      const deadline = new Deadline(40);
      const first = Promise.withResolvers<number>();
      await assertRejects(() => deadline.within(first.promise, late), LateError);
      const second = Promise.withResolvers<number>();
      const waiting = deadline.within(second.promise, late);
      first.resolve(1);
      await first.promise;
      second.resolve(2);
      assertEquals(await waiting, 2);
    });
  });
});
