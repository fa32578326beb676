import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { assertEquals } from "@std/assert";
import { countItems } from "../../src/api/item_count.ts";

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
