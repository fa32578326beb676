import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RoundRobin } from "../../src/domain/round_robin.ts";

describe("taking turns", () => {
  it("goes round everybody in order, including newcomers", () => {
    const turns = new RoundRobin();
    assertEquals([0, 1, 1, 2, 3, 4, 3, 3].map((count) => turns.next(count)), [
      0,
      0,
      0,
      1,
      2,
      3,
      0,
      1,
    ]);
  });
});
