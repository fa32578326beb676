import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { WaitingPushes } from "../../../src/engine/shared/waiting_pushes.ts";

/** Returns pushes, and the names of those that were made. */
function noted(): { pushes: WaitingPushes; made: string[]; add(sequence: number): void } {
  const pushes = new WaitingPushes();
  const made: string[] = [];
  const add = (sequence: number) => pushes.add(sequence, () => made.push(`push ${sequence}`));
  return { pushes, made, add };
}

describe("a push", () => {
  it("waits until the watch has told of the log that far", () => {
    const { pushes, made, add } = noted();
    add(1);
    add(2);
    assertEquals(made, []);
    pushes.hear(2);
    assertEquals(made, ["push 1", "push 2"]);
  });

  it("is made at once if the watch has told before the commit's answer came", () => {
    const { pushes, made, add } = noted();
    pushes.hear(2);
    add(1);
    add(2);
    assertEquals(made, ["push 1", "push 2"]);
    add(3);
    assertEquals(made.length, 2);
  });

  it("is made with all that is published, for the watch leaves out most of what it sees", () => {
    const { pushes, made, add } = noted();
    add(1);
    add(2);
    pushes.hear(1);
    assertEquals(made, ["push 1", "push 2"]);
  });

  it("is made once, and what the watch has told is not forgotten for an older report", () => {
    const { pushes, made, add } = noted();
    add(1);
    pushes.hear(5);
    pushes.hear(1);
    pushes.makeAll();
    add(5);
    assertEquals(made, ["push 1", "push 5"]);
  });

  it("can be made before anything is told", () => {
    const { pushes, made, add } = noted();
    add(1);
    pushes.makeAll();
    add(2);
    assertEquals(made, ["push 1"]);
  });

  it("that throws keeps none of the others from being made, in their order", () => {
    const { pushes, made, add } = noted();
    add(1);
    pushes.add(2, () => {
      add(10);
      throw new Error("a fault");
    });
    add(3);
    assertThrows(() => pushes.hear(9), Error, "a fault");
    add(4);
    assertEquals(made, ["push 1"]);
    pushes.hear(9);
    assertEquals(made, ["push 1", "push 3", "push 10", "push 4"]);
  });
});
