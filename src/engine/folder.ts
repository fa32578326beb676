/** Folds behind the log: windows of entries into rows, in small even steps, the watermark checked by each. */
import type { Entry } from "../store/entry_codec.ts";
import { rowKey } from "../store/keys.ts";
import { FOLD_STEP_BYTES_MAX, FOLD_STEP_MUTATIONS_MAX } from "../store/kv_limits.ts";
import type { Store, Versioned } from "../store/store.ts";
import { readEntries } from "../store/venue_log.ts";
import { foldCommit, readWatermark, type Watermark } from "../store/watermark.ts";
import { foldWindow } from "./fold_window.ts";
import type { PublishedState } from "./published_state.ts";
import { type RowChange, StoreRows } from "./row_source.ts";

/** Unfolded events that make a window worth while under load. */
const WINDOW_EVENTS_MIN = 12_000;
/** Events of one window. */
const WINDOW_EVENTS_MAX = 48_000;
/** How long an event may wait to be folded when the venue is quiet, in ms. */
const IDLE_MS = 200;
/** How often the folder looks, in ms. */
const TICK_MS = 50;

/** Moves the watermark after the head. */
export class Folder {
  readonly #store: Store;
  readonly #published: PublishedState;
  readonly #rows: StoreRows;
  readonly #isShared: boolean;
  readonly #onFault: (error: unknown) => void;
  #watermark: Versioned<Watermark>;
  #isStopping = false;
  #running: Promise<void> = Promise.resolve();
  #idleSince = { sequence: 0, at: 0 };

  constructor(
    store: Store,
    published: PublishedState,
    watermark: Versioned<Watermark>,
    isShared: boolean,
    onFault: (error: unknown) => void,
  ) {
    this.#store = store;
    this.#published = published;
    this.#watermark = watermark;
    this.#rows = new StoreRows(store);
    this.#isShared = isShared;
    this.#onFault = onFault;
  }

  /** Sequence that the rows are true at. */
  get sequence(): number {
    return this.#watermark.value.sequence;
  }

  /** Starts folding. */
  start(): void {
    this.#running = this.#run();
  }

  /** Stops after the step under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        if (!this.#isDue()) await sleep(TICK_MS);
        else if (!await this.#foldNext()) await sleep(TICK_MS);
      } catch (error) {
        this.#onFault(error);
        await sleep(1000);
        await this.#refresh().catch(this.#onFault);
      }
    }
  }

  /** A full window, or a quiet venue. */
  #isDue(): boolean {
    const { sequence } = this.#published;
    const unfolded = sequence - this.sequence;
    if (unfolded <= 0) return false;
    if (unfolded >= WINDOW_EVENTS_MIN) return true;
    const now = performance.now();
    if (this.#idleSince.sequence !== sequence) this.#idleSince = { sequence, at: now };
    return now - this.#idleSince.at >= IDLE_MS || this.#watermark.value.target > this.sequence;
  }

  /** Folds one window; answers whether it was this process that did. */
  async #foldNext(): Promise<boolean> {
    if (this.#isShared) await this.#refresh();
    const { value } = this.#watermark;
    const entries = this.#published.tail.entriesAfter(value.sequence, WINDOW_EVENTS_MAX);
    const window = value.target > value.sequence ? upTo(entries, value.target) : entries;
    if (window.length === 0) return false;
    const done = await this.#write(window, yieldToOthers);
    return done;
  }

  /** Somebody else may have folded: then nothing that was cached holds. */
  async #refresh(): Promise<void> {
    const watermark = await readWatermark(this.#store);
    if (watermark.versionstamp !== this.#watermark.versionstamp) this.#rows.forget();
    this.#watermark = watermark;
    this.#published.tail.release(this.sequence);
  }

  async #write(window: readonly Entry[], pause: () => Promise<void>): Promise<boolean> {
    const start = this.#watermark.value;
    const folded = await foldWindow(window, this.#rows, start, pause);
    const steps = cutIntoSteps(folded.changes);
    for (const [i, step] of steps.entries()) {
      const isLast = i === steps.length - 1;
      const next = isLast ? folded.watermark : { ...start, target: folded.watermark.target };
      const rows = step.map(({ table, place, bytes }) => ({
        key: rowKey(table, ...place),
        value: bytes,
      }));
      const outcome = await this.#store.commit(foldCommit(this.#watermark, next, rows), "fold");
      if (outcome.kind !== "committed") {
        // Another process folds, or the store is in trouble: what is written is written again.
        await sleep(TICK_MS);
        this.#rows.forget();
        await this.#refresh();
        return false;
      }
      this.#watermark = { value: next, versionstamp: outcome.versionstamp };
      if (!isLast) await pause();
    }
    this.#rows.note(folded.changes);
    this.#published.tail.release(this.sequence);
    return true;
  }

  /**
   * Folds from the store itself until nothing is left: a window that a crash
   * has cut short, or everything for a rebuild.
   */
  async finish(upToSequence: number): Promise<void> {
    while (this.sequence < upToSequence) {
      const { sequence, target, hash } = this.#watermark.value;
      const end = target > sequence ? target : upToSequence;
      const window: Entry[] = [];
      let events = 0;
      for await (const entry of readEntries(this.#store, sequence, end, hash)) {
        window.push(entry);
        events += entry.events.length;
        if (end === upToSequence && target <= sequence && events >= WINDOW_EVENTS_MAX) break;
      }
      await this.#write(window, () => Promise.resolve());
    }
  }
}

/** Entries that end at or before a sequence. */
function upTo(entries: readonly Entry[], sequence: number): Entry[] {
  return entries.filter((entry) => entry.first + entry.events.length - 1 <= sequence);
}

/** Steps of few mutations and bytes, so that no commit of the log waits for long. */
function cutIntoSteps(changes: readonly RowChange[]): RowChange[][] {
  const steps: RowChange[][] = [];
  let step: RowChange[] = [];
  let bytes = 0;
  for (const group of groupBlocks(changes)) {
    const size = group.reduce((sum, change) => sum + (change.bytes?.length ?? 0), 0);
    const isFull = step.length + group.length > FOLD_STEP_MUTATIONS_MAX ||
      bytes + size > FOLD_STEP_BYTES_MAX;
    if (step.length > 0 && isFull) {
      steps.push(step);
      step = [];
      bytes = 0;
    }
    step.push(...group);
    bytes += size;
  }
  steps.push(step);
  return steps;
}

/** Blocks of one history change together: half of a split would lose records to a reader. */
function groupBlocks(changes: readonly RowChange[]): RowChange[][] {
  const groups: RowChange[][] = [];
  for (const change of changes) {
    const last = groups[groups.length - 1]?.[0];
    const isHistory = change.place.length > 1 && last?.table === change.table &&
      last.place[0] === change.place[0];
    if (isHistory && change.table !== "candles") groups[groups.length - 1]?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function yieldToOthers(): Promise<void> {
  return sleep(0);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
