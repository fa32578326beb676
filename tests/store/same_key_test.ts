import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isSameKey } from "../../src/store/same_key.ts";

describe("two keys", () => {
  it("are the same if all of their parts are", () => {
    assertEquals(isSameKey(["a", 1], ["a", 1]), true);
    assertEquals(isSameKey([], []), true);
    for (const other of [["a"], ["a", 2], ["a", "1"], ["b", 1], ["a", 1, 1], []]) {
      assertEquals([isSameKey(["a", 1], other), isSameKey(other, ["a", 1])], [false, false]);
    }
  });
});
