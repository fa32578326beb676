import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { TwoGenerations } from "../../src/engine/two_generations.ts";

describe("a map of two generations", () => {
  it("keeps what was set since the turn before the last one", () => {
    const map = new TwoGenerations<number | null>();
    for (const key of ["a", "b"]) map.set(key, 1);
    map.turn();
    assertEquals(map.set("b", null), undefined);
    assertEquals(map.set("b", 2), null);
    assertEquals([map.get("a"), map.get("b"), map.size], [1, 2, 3]);
    map.turn();
    assertEquals([map.get("a"), map.get("b"), map.size], [undefined, 2, 1]);
    map.set("b", null);
    assertEquals(map.get("b"), null);
    map.turn();
    map.turn();
    assertEquals([map.get("b"), map.size], [undefined, 0]);
  });

  it("forgets everything when cleared", () => {
    const map = new TwoGenerations<number>();
    map.set("a", 1);
    map.turn();
    map.set("b", 1);
    map.clear();
    assertEquals([map.get("a"), map.get("b"), map.size], [undefined, undefined, 0]);
  });
});
