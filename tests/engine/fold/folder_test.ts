import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Venue } from "../../../src/domain/venue.ts";
import { type Folding, LocalFolding } from "../../../src/engine/fold/folding.ts";
import { FoldWriter } from "../../../src/engine/fold/fold_writer.ts";
import { Folder, type FolderDeps } from "../../../src/engine/fold/folder.ts";
import { PublishedState } from "../../../src/engine/published_state.ts";
import { GENESIS_HASH } from "../../../src/store/log/entry_codec.ts";
import { openStore } from "../../../src/store/store.ts";
import { readWatermark } from "../../../src/store/rows/watermark.ts";
import { eventually } from "../../support/eventually.ts";
import { logEntries } from "../../support/logged_entries.ts";

/** More than the events at which a segment of the tail is full. */
const EVENTS = 10_000;
const LEVELS = { deposit: 1, withdraw: 3, trading: 2 };

/** Publishes that many changes of the levels, each in an entry of its own. */
function publishedEvents(count: number): PublishedState {
  const state = new PublishedState(new Venue({ nonceWindowMs: 5000, undo: null }), GENESIS_HASH);
  const hash = new Uint8Array(32);
  const batchId = new Uint8Array(16);
  for (let first = 1; first <= count; first++) {
    state.take({ first, at: 1, batchId, events: [{ kind: "levels_set", levels: LEVELS }], hash });
  }
  return state;
}

/** A writer that never gets done, and tells whether it is waited for. */
class EndlessWriter extends FoldWriter {
  isWaitedFor: (() => boolean) | null = null;
  end: () => void = () => {};

  override write(...[_window, _pause, orders]: Parameters<FoldWriter["write"]>): Promise<boolean> {
    this.isWaitedFor = orders?.isWaitedFor ?? null;
    return new Promise((resolve) => this.end = () => resolve(true));
  }
}

/** Returns a folder that nobody waits for, unless `deps` say otherwise. */
function folderOf(
  deps: Pick<FolderDeps, "published" | "writer"> & Partial<FolderDeps>,
): Folder {
  return new Folder({
    isShared: false,
    settledSequence: () => EVENTS,
    isWaitedFor: () => false,
    onWaiting: () => {},
    openThread: null,
    catchUp: () => Promise.resolve(),
    onFault: (error) => {
      throw error;
    },
    ...deps,
  });
}

describe("a window amid a stop", () => {
  it("makes haste", async () => {
    const store = await openStore(":memory:");
    const writer = new EndlessWriter(store, await readWatermark(store));
    const folder = folderOf({ published: publishedEvents(1), writer });
    folder.start();
    const isWaitedFor = await eventually("a window", () => writer.isWaitedFor);
    assertEquals(isWaitedFor(), false);
    const stopping = folder.stop();
    assertEquals(isWaitedFor(), true);
    writer.end();
    await stopping;
    store.close();
  });
});

describe("what is folded", () => {
  it("stays in memory until the matching state has taken it, too", async () => {
    const store = await openStore(":memory:");
    const published = publishedEvents(EVENTS);
    await logEntries(store, published.tail.entriesAfter(0));
    let settledSequence = EVENTS / 2;
    const writer = new FoldWriter(store, await readWatermark(store));
    const folder = folderOf({ published, writer, settledSequence: () => settledSequence });
    folder.start();
    await folder.reached(EVENTS);
    const released = () => published.tail.releasedSequence;
    await eventually("a release", () => released() > 0);
    assertEquals(published.tail.entriesAfter(settledSequence).length, EVENTS / 2);
    settledSequence = EVENTS;
    await eventually("the rest released", () => released() === EVENTS);
    await folder.stop();
    store.close();
  });
});

describe("a thread for the fold", () => {
  const EVENTS_OF_WINDOWS = 300_000;

  /** Folds several windows, which orders wait for or not; returns the threads started and ended. */
  async function threadsFor(isWaitedFor: boolean): Promise<{ started: number; ended: number }> {
    const store = await openStore(":memory:");
    const threads = { started: 0, ended: 0 };
    const openThread = (): Folding => {
      threads.started += 1;
      const folding = new LocalFolding(store);
      folding.close = () => {
        threads.ended += 1;
        return Promise.resolve();
      };
      return folding;
    };
    const published = publishedEvents(EVENTS_OF_WINDOWS);
    await logEntries(store, published.tail.entriesAfter(0));
    const folder = folderOf({
      published,
      writer: new FoldWriter(store, await readWatermark(store)),
      settledSequence: () => EVENTS_OF_WINDOWS,
      isWaitedFor: () => isWaitedFor,
      openThread,
    });
    folder.start();
    await folder.reached(EVENTS_OF_WINDOWS);
    await folder.stop();
    store.close();
    return threads;
  }

  it("is started if orders wait for it, once, and ended with the folder", async () => {
    assertEquals(await threadsFor(false), { started: 0, ended: 0 });
    assertEquals(await threadsFor(true), { started: 1, ended: 1 });
  });
});
