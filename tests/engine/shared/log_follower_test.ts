import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { headKey, type Key, lastEntryKey, logKey } from "../../../src/store/keys.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { type Hint, UnreadableError } from "../../../src/store/store.ts";
import { Turns } from "../../../src/engine/shared/turns.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";
import { eventually } from "../../support/eventually.ts";
import { FaultyStore } from "../../support/faulty_store.ts";

const ORDER = { side: "buy", amount: "1", price: "1" } as const;
/** Orders of one request whose entry is too long for the watch. */
const LONG_ENTRY = Array.from({ length: 800 }, () => ORDER);
const LONG_ENTRY_LIMITS = {
  openOrdersMax: LONG_ENTRY.length + 9,
  bulkOrdersMax: LONG_ENTRY.length,
};
const UNREADABLE = new UnreadableError("The log cannot be read");

/** How long a store that is far away takes to tell its head, in ms. */
const FAR_MS = 40;

/** A watch that tells what the test has it tell. */
class HeldWatch {
  tell: (hints: readonly Hint[]) => void = () => {};
  readonly prepare = (store: EngineVenue["store"]) => {
    store.watch = (_keys, _signal, wake) => {
      this.tell = wake;
      return new Promise(() => {});
    };
  };
}

/** Returns what a watch tells of the log: its head, and the last entry. */
function wordOf({ store }: EngineVenue): Promise<Hint[]> {
  return Promise.all([headKey(), lastEntryKey()].map((key) => store.get(key)));
}

function isOfLog(key: Key): boolean {
  // Rows begin with the same part; those of a fold may be read meanwhile.
  return logKey().every((part, at) => key[at] === part);
}

function dropWatch(store: EngineVenue["store"]): void {
  store.isWatchDropped = true;
}

/** Resolves with the id of the next published order. */
function nextOrder({ engine }: EngineVenue): Promise<number> {
  return new Promise((resolve) =>
    engine.onEvent((event) => {
      if (event.kind === "order_accepted") resolve(event.id);
    })
  );
}

describe("catching up with the log", () => {
  it("reads the head again for a caller who comes during another read", async () => {
    await using file = await VenueFile.create();
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({
      path: file.path,
      isShared: true,
      prepare: dropWatch,
    });
    await writer.addUsual();
    await reader.engine.fresh();

    const read = reader.store.getTogether.bind(reader.store);
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const started = new Promise<void>((start) => {
      reader.store.getTogether = async (...args) => {
        const answer = await read(...args);
        start();
        await answered;
        return answer;
      };
    });
    const before = reader.engine.fresh();
    await started;
    const order = await writer.placed("alice", ORDER);
    const behind = reader.engine.fresh();
    resolve();
    await before;
    await behind;
    assert(reader.venue.orders.get(order) !== undefined);
  });

  it("reads several ranges at once where the store is far", async () => {
    await using file = await VenueFile.create();
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    const ranges: Key[] = [];
    const prepare = (store: FaultyStore) => {
      dropWatch(store);
      store.getTogether = async (...args) => {
        await sleep(FAR_MS);
        return await FaultyStore.prototype.getTogether.apply(store, args);
      };
      store.list = (start, end, options) => {
        if (isOfLog(start)) ranges.push(start);
        return FaultyStore.prototype.list.call(store, start, end, options) as never;
      };
    };
    await writer.addUsual();
    await writer.must({ kind: "change_member", uid: "alice", changes: LONG_ENTRY_LIMITS });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    // What the opening noted, and up to eight answers, are the way to the store.
    for (let i = 0; i < 8; i++) await reader.engine.fresh();
    ranges.length = 0;
    await writer.must(writer.placing("alice", ...LONG_ENTRY));
    await reader.engine.fresh();
    assertEquals(reader.venue.orders.size, LONG_ENTRY.length);
    assertEquals(ranges.length, Math.ceil(LONG_ENTRY.length / 128));
  });
});

describe("the outcome of a commit", () => {
  it("is learned from the log if no answer comes", async () => {
    await using file = await VenueFile.create();
    await using test = await EngineVenue.open({ path: file.path, isShared: true });
    await test.addUsual();
    test.store.plan = (purpose) => purpose === "log" ? "keep_answer" : "none";
    const { get, getTogether } = test.store;
    test.store.get = () => Promise.reject(UNREADABLE);
    test.store.getTogether = () => Promise.reject(UNREADABLE);
    const orders = [];
    for (let i = 0; i < 3; i++) orders.push(await test.placed("alice", ORDER));
    assert(orders.every((id) => test.venue.orders.get(id) !== undefined));
    assertEquals(test.engine.metrics().unknown_commits, 0);
    Object.assign(test.store, { get, getTogether });
  });

  it("is learned from another's entry in its place", async () => {
    await using file = await VenueFile.create();
    await using one = await EngineVenue.open({ path: file.path, isShared: true });
    await using two = await EngineVenue.open({ path: file.path, isShared: true });
    await one.addUsual();
    await two.engine.fresh();
    const before = one.store.commits.log;
    one.store.plan = (purpose, count) =>
      purpose === "log" && count === before + 1 ? "hold" : "none";
    const placing = one.placed("alice", ORDER);
    await one.store.holding();
    const first = await two.placed("bob", ORDER);
    const second = await placing;
    assertEquals([one.store.held, second], [1, first + 1]);
    one.store.release();
    await two.engine.fresh();
    assertEquals(two.venue.orders.size, 2);
  });

  it("is not learned from an entry before it, which is read late", async () => {
    await using file = await VenueFile.create();
    const watch = new HeldWatch();
    const { prepare } = watch;
    await using one = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    await using two = await EngineVenue.open({ path: file.path, isShared: true });
    await two.addUsual();
    await one.engine.fresh();
    const { promise: reading, resolve: readEntry } = Promise.withResolvers<void>();
    const { promise: late, resolve: goOn } = Promise.withResolvers<void>();
    one.store.onListed = () => {
      readEntry();
      return late;
    };
    const first = await two.placed("bob", ORDER);
    const caughtUp = one.engine.fresh();
    await reading;
    watch.tell(await wordOf(two));
    assertEquals(one.venue.orders.size, 1);
    const before = one.store.commits.log;
    one.store.plan = (purpose, count) =>
      purpose === "log" && count === before + 1 ? "hold" : "none";
    const placing = one.placed("alice", ORDER);
    await one.store.holding();
    goOn();
    await caughtUp;
    one.store.release();
    assertEquals(await placing, first + 1);
    assertEquals([one.store.commits.log, one.venue.orders.size], [before + 1, 2]);
  });

  it("is learned from reading the log if the watch is silent", async () => {
    await using file = await VenueFile.create();
    await using one = await EngineVenue.open({
      path: file.path,
      isShared: true,
      prepare: dropWatch,
    });
    await using two = await EngineVenue.open({ path: file.path, isShared: true });
    await one.addUsual();
    await two.engine.fresh();
    one.store.plan = (purpose) => purpose === "log" ? "keep_answer" : "none";
    const placing = one.placed("alice", ORDER);
    while (two.venue.orders.size === 0) await two.engine.fresh();
    const second = await two.placed("bob", ORDER);
    assertEquals(await placing, second - 1);
    await one.engine.fresh();
    assertEquals(one.venue.orders.size, 2);
  });
});

describe("what the watch reports", () => {
  it("is used without asking again for the head or its entry", async () => {
    await using file = await VenueFile.create();
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true });
    await writer.addUsual();
    await reader.engine.fresh();
    const { get, getTogether, list } = reader.store;
    reader.store.get = () => Promise.reject(UNREADABLE);
    reader.store.getTogether = () => Promise.reject(UNREADABLE);
    reader.store.list = () => {
      throw UNREADABLE;
    };
    const heard = nextOrder(reader);
    const order = await writer.placed("alice", ORDER);
    assertEquals(await heard, order);
    Object.assign(reader.store, { get, getTogether, list });
  });

  it("is told to who takes turns before it is read: others have written", async () => {
    await using file = await VenueFile.create();
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true });
    await writer.addUsual();
    await reader.engine.fresh();
    const { noteOthers } = Turns.prototype;
    const ordersThen: number[] = [];
    Turns.prototype.noteOthers = function () {
      ordersThen.push(reader.venue.orders.size);
      noteOthers.call(this);
    };
    try {
      await writer.placed("alice", ORDER);
      await eventually("the note", () => ordersThen.length > 0);
    } finally {
      Turns.prototype.noteOthers = noteOthers;
    }
    assertEquals(ordersThen[0], 0);
  });

  it("omits a long entry, which is read at once", async () => {
    await using file = await VenueFile.create();
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true });
    await writer.addUsual();
    await writer.must({ kind: "change_member", uid: "alice", changes: LONG_ENTRY_LIMITS });
    await reader.engine.fresh();
    const { get, getTogether } = reader.store;
    reader.store.get = () => Promise.reject(UNREADABLE);
    reader.store.getTogether = () => Promise.reject(UNREADABLE);
    const heard = nextOrder(reader);
    await writer.must(writer.placing("alice", ...LONG_ENTRY));
    assertEquals(typeof await heard, "number");
    Object.assign(reader.store, { get, getTogether });
  });

  it("is pushed once it is read, and not only when the timer has read it, too", async () => {
    await using file = await VenueFile.create();
    const watch = new HeldWatch();
    const { prepare } = watch;
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    await writer.addUsual();
    await reader.engine.fresh();
    const { getTogether } = reader.store;
    reader.store.getTogether = () => Promise.reject(UNREADABLE);
    let pushes = 0;
    reader.engine.onEvent(() => reader.engine.whenHeard(() => pushes += 1));
    await writer.placed("alice", ORDER);
    const [head] = await wordOf(writer);
    watch.tell([head as Hint]);
    await eventually("the push", () => pushes > 0);
    assertEquals(reader.venue.orders.size, 1);
    reader.store.getTogether = getTogether;
  });

  it("is read again later if it can't be read", async () => {
    await using file = await VenueFile.create();
    const watch = new HeldWatch();
    const { prepare } = watch;
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    await writer.addUsual();
    await reader.engine.fresh();
    const { list } = reader.store;
    reader.store.list = () => {
      throw UNREADABLE;
    };
    await writer.placed("alice", ORDER);
    const [head] = await wordOf(writer);
    watch.tell([head as Hint]);
    await eventually("the fault", () => reader.faults.includes(UNREADABLE));
    reader.store.list = list;
    await eventually("the order", () => reader.venue.orders.size === 1);
    assertEquals(reader.engine.health().isReady, true);
  });

  it("may omit or reorder entries, yet nothing is missed", async () => {
    await using file = await VenueFile.create();
    const words: (readonly Hint[])[] = [];
    let tell = (_: readonly Hint[]) => {};
    const prepare = (store: EngineVenue["store"]) => {
      store.watch = (_keys, _signal, wake) => {
        tell = wake;
        return new Promise(() => {});
      };
    };
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    await writer.addUsual();
    await writer.must({ kind: "change_member", uid: "alice", changes: LONG_ENTRY_LIMITS });
    await reader.engine.fresh();
    for (const orders of [[ORDER], LONG_ENTRY, [ORDER], [ORDER]]) {
      await writer.must(writer.placing("alice", ...orders));
      const keys = [headKey(), lastEntryKey()];
      words.push(await Promise.all(keys.map((key) => writer.store.get(key))));
    }
    const [first, long, , last] = words as [Hint[], Hint[], Hint[], Hint[]];
    assertEquals(long[1], first[1], "a long one is not told");
    // The watch may deliver the head of one entry together with another entry.
    for (const word of [[long[0], first[1]], [last[0], first[1]], last, first]) {
      tell(word as Hint[]);
      await reader.engine.fresh();
    }
    assertEquals(reader.venue.orders.size, LONG_ENTRY.length + 3);
    assertEquals(reader.venue.sequence, writer.venue.sequence);
    assertEquals(reader.faults, []);
  });

  it("may be outdated or empty", async () => {
    await using file = await VenueFile.create();
    let tell = (_: Hint) => {};
    const prepare = (store: EngineVenue["store"]) => {
      store.watch = (_keys, _signal, wake) => {
        tell = (head) => wake([head]);
        return new Promise(() => {});
      };
    };
    await using writer = await EngineVenue.open({ path: file.path, isShared: true });
    await using reader = await EngineVenue.open({ path: file.path, isShared: true, prepare });
    const before = await reader.store.get<Uint8Array>(headKey());
    await writer.addUsual();
    await reader.engine.fresh();
    tell(before);
    tell({ value: null, versionstamp: null });
    tell(before);
    const order = await writer.placed("alice", ORDER);
    await reader.engine.fresh();
    assert(reader.venue.orders.get(order) !== undefined);
    assertEquals(reader.faults, []);
    assertEquals(reader.engine.health().isReady, true);
  });
});
