import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ReadingQueue } from "../../src/realtime/reading_queue.ts";

describe("ReadingQueue", () => {
  it("lets so many work at once, the others in the order of their coming", async () => {
    const queue = new ReadingQueue(2);
    const begun: number[] = [];
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
    const works = ends.map(({ promise }, i) =>
      queue.run(() => {
        begun.push(i);
        return promise;
      })
    );
    assertEquals(begun, [0, 1]);
    for (const i of [1, 0, 3, 2, 4]) {
      ends[i]?.resolve(i);
      assertEquals(await works[i], i);
    }
    assertEquals(begun, [0, 1, 2, 3, 4]);
  });

  it("goes on behind one that fails", async () => {
    const queue = new ReadingQueue(1);
    const failed = queue.run(() => Promise.reject(new TypeError("unreadable")));
    const next = queue.run(() => Promise.resolve("read"));
    await assertRejects(() => failed, TypeError, "unreadable");
    assertEquals(await next, "read");
    assertEquals(await queue.run(() => Promise.resolve("again")), "again");
  });
});
