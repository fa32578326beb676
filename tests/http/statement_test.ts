import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  measureStatement,
  parsePosition,
  type Position,
  positionText,
  startOf,
  type Statement,
  STATEMENT_PAGE,
  STATEMENT_SCAN_MAX,
  type StatementPart,
  statementStream,
} from "../../src/http/statement.ts";
import { Prng } from "../support/prng.ts";

interface Item {
  readonly history: number;
  readonly id: number;
  readonly at: number;
  readonly isMeant: boolean;
}

/** A statement of histories in arrays that counts its reads. */
class PlainStatement implements Statement<Item> {
  readonly columns = ["history", "id"];
  reads = 0;
  onRead: () => void = () => {};

  constructor(readonly lists: Item[][]) {}

  get histories() {
    return this.lists.map((list) => ({
      read: (after: number) => {
        this.reads += 1;
        this.onRead();
        const behind = list.filter(({ id }) => id > after);
        return Promise.resolve(behind.slice(0, STATEMENT_PAGE));
      },
      id: ({ id }: Item) => id,
      at: ({ at }: Item) => at,
    }));
  }

  isMeant(item: Item): boolean {
    return item.isMeant;
  }

  cells(items: readonly Item[]) {
    return Promise.resolve(items.map(({ history, id }) => [history, id]));
  }
}

/** Creates histories of the given sizes; some items have the same time. */
function randomLists(prng: Prng, sizes: readonly number[], share = 1): Item[][] {
  return sizes.map((size, history) => {
    let id = 0;
    let at = 0;
    return Array.from({ length: size }, () => {
      id += prng.between(1, 3);
      at += prng.below(3);
      return { history, id, at, isMeant: prng.chance(share) };
    });
  });
}

/** Returns the lines of all matching items, sorted by time. */
function linesOf(lists: readonly Item[][]): string[] {
  const all = lists.flat().filter(({ isMeant }) => isMeant);
  all.sort((a, b) => a.at - b.at || a.id - b.id || a.history - b.history);
  return all.map(({ history, id }) => `${history},${id}`);
}

async function textOf(statement: PlainStatement, after: Position, end: Position | null) {
  const text = await new Response(statementStream(statement, after, end)).text();
  const [columns, ...lines] = text.split("\r\n");
  assertEquals([columns, lines.pop()], ["history,id", ""]);
  return lines;
}

/** Returns all answers of a statement, in order. */
async function walkAll(
  statement: PlainStatement,
  limit: number,
  between: () => void = () => {},
): Promise<string[][]> {
  const answers: string[][] = [];
  let after: Position | null = startOf(statement);
  while (after !== null) {
    const { end, hasMore }: StatementPart = await measureStatement(statement, after, limit);
    between();
    answers.push(await textOf(statement, after, end));
    assert(end !== null || !hasMore);
    after = hasMore && end !== null ? parsePosition(statement, positionText(end)) : null;
  }
  return answers;
}

describe("a statement", () => {
  it("is complete however it is cut, of one history or two", async () => {
    const prng = new Prng(7);
    for (let round = 0; round < 60; round++) {
      const sizes = prng.pick([[0], [1], [1300], [0, 0], [700, 900], [3, 1200]]);
      const lists = randomLists(prng, sizes, prng.pick([1, 0.5, 0]));
      const limit = prng.pick([1, 7, STATEMENT_PAGE, 1000, 10_000]);
      if (limit === 1 && lists.flat().length > 10) continue;
      const answers = await walkAll(new PlainStatement(lists), limit);
      assertEquals(answers.flat(), linesOf(lists));
      assert(answers.every((lines) => lines.length <= limit));
      assert(answers.slice(0, -1).every((lines) => lines.length === limit));
    }
  });

  it("skips and repeats nothing while it grows, even within a millisecond", async () => {
    const prng = new Prng(8);
    for (let round = 0; round < 30; round++) {
      const lists = randomLists(prng, [60, 60]);
      const statement = new PlainStatement(lists);
      let isGrowing = true;
      const grow = () => {
        if (!isGrowing) return;
        const last = Math.max(...lists.map((list) => list.at(-1)?.at ?? 0));
        const history = prng.below(2);
        const list = lists[history] ?? [];
        const at = last + prng.below(2);
        list.push({ history, id: (list.at(-1)?.id ?? 0) + 1, at, isMeant: true });
        isGrowing = lists.flat().length < 300;
      };
      statement.onRead = grow;
      const told = (await walkAll(statement, prng.pick([5, 17, 50]), grow)).flat();
      assertEquals(new Set(told).size, told.length);
      assertEquals([...told].sort(), linesOf(lists).filter((line) => told.includes(line)).sort());
      const rest = linesOf(lists).filter((line) => !told.includes(line));
      const highest = lists.map((_, history) =>
        Math.max(
          ...told.map((line) => line.split(",").map(Number))
            .filter(([of]) => of === history).map(([_, id = 0]) => id),
        )
      );
      for (const line of rest) {
        const [history = 0, id = 0] = line.split(",").map(Number);
        assert(id > (highest[history] ?? 0), `${line} came after the end`);
      }
    }
  });

  it("ends an answer that scans too much, and continues in the next", async () => {
    const size = STATEMENT_SCAN_MAX + 5;
    const list = Array.from({ length: size }, (_, place) => ({
      history: 0,
      id: place + 1,
      at: place,
      isMeant: place === 3 || place === size - 1,
    }));
    const answers = await walkAll(new QuickStatement([list]), 10);
    assertEquals(answers, [["0,4"], [`0,${size}`]]);
  });

  it("is read only as it is taken", async () => {
    const statement = new PlainStatement(randomLists(new Prng(9), [5000]));
    const end = [Infinity];
    const reader = statementStream(statement, [0], end).getReader();
    for (let chunks = 0; chunks < 3; chunks++) await reader.read();
    assert(statement.reads <= 4, `${statement.reads} reads for two pages and the names`);
    await reader.cancel();
    const { reads } = statement;
    await new Promise((resolve) => setTimeout(resolve, 0));
    assertEquals(statement.reads, reads);
  });

  it("breaks off if its history cannot be read", async () => {
    const statement = new PlainStatement(randomLists(new Prng(10), [2000]));
    const { end } = await measureStatement(statement, [0], 2000);
    let left = 2;
    statement.onRead = () => {
      if (left-- === 0) throw new Error("no store");
    };
    const text = new Response(statementStream(statement, [0], end)).text();
    await assertRejects(() => text, Error, "no store");
  });

  it("knows only its own cursors", () => {
    const [one, two] = [new PlainStatement([[]]), new PlainStatement([[], []])];
    assertEquals(parsePosition(one, "12"), [12]);
    assertEquals(parsePosition(two, "12-0"), [12, 0]);
    for (const text of ["", "x", "-1", "1-2", "1.4", "1.55", "1e3", "1234567890123456"]) {
      assertEquals(parsePosition(one, text), null, text);
    }
    for (const text of ["1", "1-", "-1", "1-2-3", "1-x"]) {
      assertEquals(parsePosition(two, text), null);
    }
  });
});

/** A statement that finds its place without reading everything before it. */
class QuickStatement extends PlainStatement {
  override get histories() {
    return super.histories.map((history, place) => ({
      ...history,
      read: (after: number) =>
        Promise.resolve(this.lists[place]?.slice(after, after + STATEMENT_PAGE) ?? []),
    }));
  }
}
