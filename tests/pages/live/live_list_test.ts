/** Lists that are read while streams tell what changes, whatever order the answers come in. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnreachableError, VenueError } from "../../../src/client/client.ts";
import { LiveList, newestFirst, retryLists } from "../../../src/pages/live/live_list.ts";
import { PastList } from "../../../src/pages/live/past_list.ts";
import { Shown } from "../../../src/pages/shared/shown.ts";
import { askedFrames, drawFrame } from "../../support/frames.ts";

interface Row {
  readonly id: number;
  readonly state: string;
}

type Reply = PromiseWithResolvers<readonly Row[]>;

/** A list whose readings are answered when a test wants. */
function heldList(): { list: LiveList<Row>; readings: Reply[] } {
  askedFrames();
  const readings: Reply[] = [];
  const list = new LiveList<Row>({
    keyOf: ({ id }) => id,
    read: () => {
      const reading = Promise.withResolvers<readonly Row[]>();
      readings.push(reading);
      return reading.promise;
    },
    rowOf: (row) => row.state === "open" ? row : null,
    arrange: newestFirst,
  });
  return { list, readings };
}

const open = (...ids: number[]): readonly Row[] => ids.map((id) => ({ id, state: "open" }));
const idsOf = (list: LiveList<Row>) => list.rows.value?.map(({ id }) => id);

describe("a list that is read while a stream tells", () => {
  it("takes no answer of an older reading, whichever comes last", async () => {
    const { list, readings } = heldList();
    const first = list.load();
    const second = list.load();
    readings[1]?.resolve(open(2));
    await second;
    readings[0]?.resolve(open(1, 2));
    await first;
    assertEquals(idsOf(list), [2]);
    const [third, fourth] = [list.load(), list.load()];
    readings[2]?.resolve(open(1));
    await third;
    assertEquals([idsOf(list), list.state.value], [[2], "reading"]);
    readings[3]?.resolve(open(3));
    await fourth;
    assertEquals([idsOf(list), list.state.value], [[3], "known"]);
  });

  it("takes what was told since the reading began for newer than its answer", async () => {
    const { list, readings } = heldList();
    const reading = list.load();
    list.tell({ id: 1, state: "done" }, { id: 3, state: "open" });
    assertEquals(list.rows.value, null);
    readings[0]?.resolve(open(1, 2));
    await reading;
    assertEquals(idsOf(list), [3, 2]);
    const again = list.load();
    readings[1]?.resolve(open(2));
    await again;
    assertEquals(idsOf(list), [2]);
  });

  it("reads again by itself what could not be read, and at once when it is told to", async () => {
    const { list, readings } = heldList();
    const reading = list.load();
    readings[0]?.reject(new UnreachableError("no way"));
    await reading;
    assertEquals([list.state.value, list.isKnown], ["failed", false]);
    retryLists();
    assertEquals(readings.length, 2);
    readings[1]?.reject(new VenueError(403, { errors: ["waf.blocked"] }));
    await Promise.resolve();
    while (list.state.value !== "failed") await Promise.resolve();
    // Two failures: by itself after two seconds.
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    assertEquals(readings.length, 3);
    readings[2]?.resolve(open(5));
    while (!list.isKnown) await Promise.resolve();
    assertEquals(idsOf(list), [5]);
    retryLists();
    assertEquals(readings.length, 3);
  });

  it("reads nothing for an ended session until the connection is back", async () => {
    const { list, readings } = heldList();
    const reading = list.load();
    readings[0]?.reject(new VenueError(401, { errors: ["authz.invalid_session"] }));
    await reading;
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    assertEquals([readings.length, list.state.value], [1, "failed"]);
    list.clear();
    retryLists();
    assertEquals(readings.length, 1);
  });

  it("doesn't take a call's answer for newer than what was told while it was on its way", async () => {
    const { list, readings } = heldList();
    const reading = list.load();
    readings[0]?.resolve([]);
    await reading;
    const [late, early] = [Promise.withResolvers<Row>(), Promise.withResolvers<Row>()];
    const calls = [list.noted(() => late.promise), list.noted(() => early.promise)];
    list.tell({ id: 1, state: "done" });
    late.resolve({ id: 1, state: "open" });
    early.resolve({ id: 2, state: "open" });
    await Promise.all(calls);
    assertEquals(idsOf(list), [2]);
  });

  it("leaves out what was taken out while it was read", async () => {
    const { list, readings } = heldList();
    const reading = list.load();
    list.remove(1);
    readings[0]?.resolve(open(1, 2));
    await reading;
    assertEquals(idsOf(list), [2]);
    list.remove(2);
    assertEquals(idsOf(list), []);
  });

  it("reads what a message alone does not say", async () => {
    askedFrames();
    const answers = [open(1), open(2, 1)];
    let readings = 0;
    const list = new LiveList<Row, Partial<Row> & { readonly id: number }>({
      keyOf: ({ id }) => id,
      read: () => Promise.resolve(answers[readings++] ?? []),
      rowOf: (told, before) => before === undefined ? undefined : { ...before, ...told },
    });
    await list.load();
    list.tell({ id: 1, state: "paid" });
    assertEquals([list.rows.value, readings], [[{ id: 1, state: "paid" }], 1]);
    list.tell({ id: 2 });
    while (!list.isKnown) await Promise.resolve();
    assertEquals([list.rows.value?.length, readings], [2, 2]);
    // One that even the list does not have is not asked for again and again.
    list.tell({ id: 9 });
    while (!list.isKnown) await Promise.resolve();
    assertEquals(readings, 3);
  });
});

const PAGE = 3;

/** A list of what has happened, at a venue that has rows of all ids up to one. */
function past(venue: { newest: number }, most = 12): PastList<Row> {
  askedFrames();
  const readPage = (toId = venue.newest) => {
    const from = Math.min(toId, venue.newest);
    const ids = Array.from({ length: PAGE }, (_, index) => from - index).filter((id) => id > 0);
    return Promise.resolve(open(...ids));
  };
  return new PastList<Row>({ readPage, pageSize: PAGE, most });
}

/** The ids from one down to another. */
function down(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index);
}

describe("a list of what has happened", () => {
  it("has no hole after a gap of more than a page", async () => {
    const venue = { newest: 20 };
    const fills = past(venue);
    await fills.list.load();
    await fills.loadMore();
    assertEquals(idsOf(fills.list), down(20, 16));
    venue.newest = 24;
    await fills.list.load();
    const shown = idsOf(fills.list) ?? [];
    assertEquals(shown, down(24, shown.at(-1) ?? 0));
    assertEquals(shown.includes(16), true);
  });

  it("ends above the hole where the gap is too wide, and reads on from there", async () => {
    const venue = { newest: 20 };
    const fills = past(venue);
    await fills.list.load();
    venue.newest = 90;
    await fills.list.load();
    const shown = idsOf(fills.list) ?? [];
    assertEquals(shown, down(90, shown.at(-1) ?? 0));
    assertEquals(shown.length <= 12 + PAGE, true);
    await fills.loadMore();
    const more = idsOf(fills.list) ?? [];
    assertEquals(more, down(90, more.at(-1) ?? 0));
    assertEquals(more.length > shown.length, true);
  });

  it("reads on from where it was read, not from what was told below", async () => {
    const venue = { newest: 20 };
    const ended = past(venue);
    await ended.list.load();
    ended.list.tell({ id: 2, state: "open" });
    await ended.loadMore();
    assertEquals(idsOf(ended.list), [...down(20, 16), 2]);
    for (let i = 0; i < 9; i++) await ended.loadMore();
    assertEquals(idsOf(ended.list), down(20, 1));
    assertEquals(ended.hasMore, false);
  });

  it("keeps a bounded number of rows, however much is told", async () => {
    const venue = { newest: 20 };
    const fills = past(venue);
    await fills.list.load();
    for (let id = 21; id < 1000; id++) fills.list.tell({ id, state: "open" });
    assertEquals(idsOf(fills.list), down(999, 988));
    venue.newest = 999;
    await fills.loadMore();
    assertEquals(idsOf(fills.list), down(999, 986));
    assertEquals(fills.hasMore, true);
  });
});

describe("state that pages show", () => {
  it("waits for one frame while the tab is hidden, and is right when it is shown again", () => {
    askedFrames();
    drawFrame(0);
    const shown = new Shown(0);
    const seen: number[] = [];
    shown.subscribe(() => seen.push(shown.value));
    for (let value = 1; value <= 1000; value++) shown.set(value);
    assertEquals([askedFrames(), seen], [1, []]);
    drawFrame(5000);
    assertEquals(seen, [1000]);
  });
});
