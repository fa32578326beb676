import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { firstOpen, pageOfOpen } from "../../../src/engine/read/history_queries.ts";

/** Creates records 1 to 9 with ascending times, and a list of those that were read. */
function open() {
  const looked: number[] = [];
  function* records() {
    for (let id = 1; id < 10; id++) {
      looked.push(id);
      yield { id, createdAt: id * 1000 };
    }
  }
  return { looked, records: records() };
}

const isOdd = ({ id }: { readonly id: number }) => id % 2 === 1;
const REQUEST = { direction: "asc", offset: 1, limit: 2, isMatch: isOdd } as const;

describe("open records", () => {
  it("are searched only as far as the page needs", () => {
    const { looked, records } = open();
    assertEquals(firstOpen(records, REQUEST).map(({ id }) => id), [1, 3, 5]);
    assertEquals(looked.at(-1), 6);
    assertEquals(firstOpen(open().records, { ...REQUEST, limit: 0, offset: 0 }), []);
  });

  it("are limited to those after an id and within a time range", () => {
    const request = { ...REQUEST, after: 3, from: 2000, to: 9000 };
    assertEquals(firstOpen(open().records, request).map(({ id }) => id), [5, 7]);
    const { items, total } = pageOfOpen(open().records, request);
    assertEquals([items.map(({ id }) => id), total], [[7], 3]);
  });
});
