import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { slowestReaders } from "../../src/sockets/slowest_readers.ts";
import { BURST_MS_MAX } from "../../src/sockets/limits.ts";

const PROMPT = BURST_MS_MAX - 1;
const SLOW = BURST_MS_MAX;

/** What waits for a reader, for how long, and for how long because of the reader. */
type Figures = readonly [waiting: number, waitedMs: number, stalledMs?: number];

/** Returns readers named by address and number. */
function readersOf(address: string, ...backlogs: readonly Figures[]) {
  return backlogs.map(([waiting, waitedMs, stalledMs = waitedMs], i) => {
    return { name: `${address}${i}`, address, waiting, waitedMs, stalledMs };
  });
}

function namesOf(readers: readonly { readonly name: string }[]): string[] {
  return readers.map(({ name }) => name);
}

describe("the readers that have to go", () => {
  it("are none while no more waits than may", () => {
    assertEquals(slowestReaders(readersOf("a", [50, SLOW], [50, 9 * SLOW]), 100), []);
  });

  it("are those for whom the most has waited the longest, and no more than needed", () => {
    const readers = readersOf("a", [10, 2 * SLOW], [40, SLOW], [10, 9 * SLOW], [41, SLOW]);
    assertEquals(namesOf(slowestReaders(readers, 100)), ["a2"]);
    assertEquals(namesOf(slowestReaders(readers, 90)), ["a2", "a3"]);
    assertEquals(namesOf(slowestReaders(readers, 49)), ["a2", "a3", "a1"]);
  });

  it("are last those that take what they are sent, but for whom much has waited long", () => {
    const readers = readersOf("a", [60, 9 * SLOW, 1], [10, 2 * SLOW], [60, SLOW, 0]);
    assertEquals(namesOf(slowestReaders(readers, 125)), ["a1"]);
    assertEquals(namesOf(slowestReaders(readers, 60)), ["a1", "a0"]);
  });

  it("are never prompt ones, however much waits for them", () => {
    const readers = readersOf("a", [1_000, PROMPT], [1, SLOW], [1_000, 0]);
    assertEquals(namesOf(slowestReaders(readers, 100)), ["a1"]);
  });

  it("are of the address for which the most waits, until it is another", () => {
    const readers = [
      ...readersOf("a", [30, 99 * SLOW]),
      ...readersOf("b", ...Array.from({ length: 10 }, () => [10, SLOW] as const)),
      ...readersOf("c", [50, 9 * SLOW], [10, SLOW]),
    ];
    const countsFor = (bytesMax: number) => {
      const names = namesOf(slowestReaders(readers, bytesMax));
      return ["a", "b", "c"].map((address) => names.filter((name) => name[0] === address).length);
    };
    assertEquals(countsFor(150), [0, 4, 0]);
    assertEquals(countsFor(100), [0, 5, 1]);
    assertEquals(countsFor(30), [1, 8, 1]);
  });

  it("count prompt readers with their address", () => {
    const readers = [...readersOf("a", [60, SLOW]), ...readersOf("b", [50, PROMPT], [20, SLOW])];
    assertEquals(namesOf(slowestReaders(readers, 110)), ["b1"]);
  });
});
