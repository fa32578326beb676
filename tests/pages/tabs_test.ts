/** Where keys lead among tabs. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { nextTab } from "../../src/pages/shared/next_tab.ts";

describe("tabs", () => {
  it("are walked by arrow keys, around the ends, and by Home and End", () => {
    assertEquals(nextTab("ArrowRight", 0, 3), 1);
    assertEquals(nextTab("ArrowRight", 2, 3), 0);
    assertEquals(nextTab("ArrowLeft", 0, 3), 2);
    assertEquals(nextTab("Home", 2, 3), 0);
    assertEquals(nextTab("End", 0, 3), 2);
    assertEquals(nextTab("Enter", 1, 3), 1);
  });
});
