import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { assertEquals } from "@std/assert";
import { countItems, hasMoreValues } from "../../../src/edge/reading/item_count.ts";

describe("countItems()", () => {
  it("counts the items of a list, whatever they hold", () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), (items) => {
      assertEquals(countItems(JSON.stringify(items)), items.length);
      assertEquals(countItems(JSON.stringify(items, null, 2)), items.length);
    }));
  });

  it("counts those of all lists that are so deep", () => {
    fc.assert(fc.property(fc.array(fc.array(fc.jsonValue())), (lists) => {
      assertEquals(countItems(JSON.stringify(lists), 2), lists.flat().length);
    }));
  });

  it("is not misled by what strings hold", () => {
    assertEquals(countItems(String.raw`["a,b]", "\"],[", "\\", "{"]`), 4);
  });

  it("ends on text that is no JSON", () => {
    for (const text of ["", "7", '"', '["', "]]]", "[[[", '["\\', "a,b", "[,,"]) {
      const count = countItems(text);
      assertEquals(count >= 0 && count <= text.length + 1, true, text);
    }
  });
});

describe("hasMoreValues()", () => {
  /** Returns how many values lists and objects hold, counting one for each empty one. */
  function valuesIn(value: unknown): number {
    if (typeof value !== "object" || value === null) return 0;
    const items = Object.values(value);
    return Math.max(1, items.length) + items.reduce((sum, item) => sum + valuesIn(item), 0);
  }

  it("counts the values of every list and object", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const count = valuesIn(value);
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
        assertEquals(hasMoreValues(text, count), false);
        if (count > 0) assertEquals(hasMoreValues(text, count - 1), true);
      }
    }));
  });

  it("ends on text that is no JSON", () => {
    for (const text of ["", '"', '["\\', "[[[", "]]", ",,,"]) {
      assertEquals(hasMoreValues(text, text.length), false, text);
    }
  });
});
