/** Folds after the log, in windows: when enough events are there, or when the venue is quiet. */
import { assert } from "../../domain/assert.ts";
import { isSameBytes } from "../../store/byte_strings.ts";
import { endOf, type Entry } from "../../store/log/entry_codec.ts";
import { sleep } from "../../store/kv/in_time.ts";
import { UnreadableError } from "../../store/store.ts";
import { type NotReadyReason, UnavailableError } from "../engine.ts";
import type { Folding } from "./folding.ts";
import type { FoldWriter, OrdersBeside } from "./fold_writer.ts";
import { InterruptibleSleep } from "../interruptible_sleep.ts";
import type { PublishedState } from "../published_state.ts";
import { yieldToOthers } from "../yield_to_others.ts";

/** Unfolded events that make a window worthwhile under load. */
const WINDOW_EVENTS_MIN = 72_000;
/** Events waiting after the current window from which on the fold does not rest. */
const PRESSED_EVENTS = WINDOW_EVENTS_MIN / 3;
/** How long an event may wait to be folded when the venue is quiet, in ms. */
const IDLE_MS = 200;
/** How often the folder checks, in ms: normally, and while another process folds. */
const TICK_MS = 50;
const OTHERS_TICK_MS = 250;
/** Pause after a fault, in ms. */
const FAULT_MS = 1000;
/** Consecutive faults that do not yet count as failing: the store may have had a bad moment. */
const FAULTS_BORNE = 1;
/** How long a caller may wait for the rows, in ms. */
const WAIT_MS_MAX = 10_000;

/** What the folder works with. */
export interface FolderDeps extends OrdersBeside {
  readonly published: PublishedState;
  readonly writer: FoldWriter;
  /** Whether several processes share the store. */
  readonly isShared: boolean;
  /** Sequence up to which the matching state needs no entries; later ones stay in memory. */
  readonly settledSequence: () => number;
  /** Starts a thread that computes rows; null where there can be none. */
  readonly openThread: (() => Folding) | null;
  /** Brings the published state up to the head of the log. */
  readonly catchUp: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

interface Waiting {
  readonly sequence: number;
  /** When it gives up, on the monotonic clock. */
  readonly until: number;
  resolve(): void;
  reject(error: UnavailableError): void;
}

/** Moves the watermark towards the head. */
export class Folder {
  readonly #deps: FolderDeps;
  readonly #turn = new FoldShift();
  /** Why nothing is folded any more; empty while it is. */
  #ended: NotReadyReason | "" = "";
  #running: Promise<void> = Promise.resolve();
  #quiet = { sequence: 0, at: 0 };
  /** Number of consecutive faults, and the sequence of the rows. */
  #faults = { sequence: -1, count: 0 };
  #waiting: Waiting[] = [];
  readonly #pause = new InterruptibleSleep();
  /** Null once it was called: a thread that was lost is not started again. */
  #openThread: FolderDeps["openThread"];

  constructor(deps: FolderDeps) {
    this.#deps = deps;
    this.#openThread = deps.openThread;
  }

  /** Number of events not yet folded. */
  get unfoldedEvents(): number {
    return this.#deps.published.sequence - this.#deps.writer.watermark.sequence;
  }

  /** Whether the rows have members' funds from the first on. */
  get hasFunds(): boolean {
    return this.#deps.writer.watermark.hasFunds;
  }

  /** How long the oldest of them has waited at a time (ms), in ms. */
  unfoldedMs(now: number): number {
    const { published, writer } = this.#deps;
    const [oldest] = published.tail.entriesAfter(writer.watermark.sequence, 1);
    return oldest === undefined ? 0 : Math.max(0, now - oldest.at);
  }

  /** Whether the rows stand still because folding fails. */
  get isFailing(): boolean {
    const { sequence, count } = this.#faults;
    return count > FAULTS_BORNE && sequence === this.#deps.writer.watermark.sequence;
  }

  /** Starts folding. */
  start(): void {
    this.#running = this.#run();
  }

  /** Stops after the current window, which no longer rests. */
  async stop(): Promise<void> {
    this.halt("closing");
    await this.#running;
    await this.#deps.writer.close();
  }

  /** Folds no more, for a reason that those who wait for the rows are told. */
  halt(reason: NotReadyReason): void {
    this.#ended ||= reason;
    this.#pause.wake();
    this.#refuseWaiting(this.#ended);
  }

  /**
   * Waits until the rows hold everything up to a sequence, whichever process folds it.
   *
   * @throws {UnavailableError} if it can't be folded now
   */
  reached(sequence: number): Promise<void> {
    if (this.#deps.writer.watermark.sequence >= sequence) return Promise.resolve();
    if (this.#ended !== "") return Promise.reject(new UnavailableError(this.#ended));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sequence, until: performance.now() + WAIT_MS_MAX, resolve, reject });
      this.#pause.wake();
    });
  }

  #answerWaiting(): void {
    const { sequence } = this.#deps.writer.watermark;
    const now = performance.now();
    this.#waiting = this.#waiting.filter((one) => {
      if (one.sequence <= sequence) one.resolve();
      else if (one.until <= now) one.reject(new UnavailableError("fold_behind"));
      else return true;
      return false;
    });
  }

  #refuseWaiting(reason: string): void {
    const refused = this.#waiting;
    this.#waiting = [];
    for (const { reject } of refused) reject(new UnavailableError(reason));
  }

  async #run(): Promise<void> {
    const { onFault, writer } = this.#deps;
    while (this.#ended === "") {
      try {
        const isDue = this.#isDue();
        if (!isDue) this.#turn.rest();
        const isDone = isDue && await this.#foldNext();
        this.#answerWaiting();
        this.#release();
        if (!isDone) await this.#rest();
      } catch (error) {
        this.#countFault();
        onFault(error);
        // Once may be a bad moment, which those who wait can wait for.
        if (this.isFailing) this.#refuseWaiting("fold_failing");
        await sleep(FAULT_MS);
        await writer.refresh().catch(onFault);
      }
    }
  }

  #countFault(): void {
    const { sequence } = this.#deps.writer.watermark;
    const count = this.#faults.sequence === sequence ? this.#faults.count + 1 : 1;
    this.#faults = { sequence, count };
  }

  /** Sleeps for a moment, or until somebody waits for the rows. */
  #rest(): Promise<void> {
    const isNear = this.#turn.isOwn || this.#waiting.length > 0;
    return this.#pause.sleep(isNear ? TICK_MS : OTHERS_TICK_MS);
  }

  /** Whether a window is full or cut short, somebody waits for the rows, or the venue is quiet. */
  #isDue(): boolean {
    const { sequence } = this.#deps.published;
    const { watermark } = this.#deps.writer;
    // Rows may be a moment ahead of what this process knows of the log, but no longer.
    if (sequence < watermark.target) return true;
    if (sequence === watermark.sequence) return false;
    if (sequence - watermark.sequence >= WINDOW_EVENTS_MIN) return true;
    if (this.#waiting.length > 0) return true;
    const now = performance.now();
    if (this.#quiet.sequence !== sequence) this.#quiet = { sequence, at: now };
    return now - this.#quiet.at >= IDLE_MS || watermark.target > watermark.sequence;
  }

  /** Folds one window; returns whether it was this process that did. */
  async #foldNext(): Promise<boolean> {
    const { isShared, isWaitedFor, onWaiting, published, writer } = this.#deps;
    const hasMoved = isShared && await writer.refresh();
    if (hasMoved) this.#turn.pass();
    await this.#checkRows();
    const { sequence, target } = writer.watermark;
    // Another process folds it: two that take a window from each other would never finish.
    if (hasMoved && target > sequence) return false;
    if (!this.#turn.isOwn && this.#waiting.length === 0) return false;
    const window = target > sequence
      ? upTo(published.tail.entriesAfter(sequence), target)
      : published.tail.entriesAfter(sequence, writer.windowEventsMax);
    const last = window[window.length - 1];
    if (last === undefined || window[0]?.first !== sequence + 1) return false;
    // Its rows may already be those of its end, so folding only a part of it would not do.
    if (target > sequence && endOf(last) !== target) return false;
    const end = endOf(last);
    const pace = new FoldPace(() =>
      this.#ended !== "" || this.#waiting.length > 0 || published.sequence - end > PRESSED_EVENTS
    );
    if (isWaitedFor()) this.#useThread();
    const orders = { isWaitedFor: () => this.#ended !== "" || isWaitedFor(), onWaiting };
    const isDone = await writer.write(window, () => pace.pause(), orders);
    if (isDone) this.#turn.take();
    else if (await writer.refresh()) this.#turn.pass();
    else throw new UnreadableError("Nobody knows what became of the fold's commit");
    return isDone;
  }

  /** Asserts that the rows are of this log, and not ahead of it. */
  async #checkRows(): Promise<void> {
    const { catchUp, isShared, published, writer } = this.#deps;
    const { hash, sequence, target } = writer.watermark;
    if (isShared && published.sequence < target) await catchUp();
    assert(
      target <= published.sequence,
      `the rows, at ${target}, are not ahead of the log, at ${published.sequence}: stop all ` +
        'processes, and run "deno task rebuild"',
    );
    const known = published.tail.hashAt(sequence);
    assert(
      known === null || isSameBytes(known, hash),
      `the rows at ${sequence} are those of the log: if not, stop all processes, and run ` +
        '"deno task rebuild"',
    );
  }

  /**
   * Leaves the computing to a thread, once the fold can't keep up beside the orders. It costs memory,
   * and processor time that orders would have had as well.
   */
  #useThread(): void {
    const open = this.#openThread;
    this.#openThread = null;
    if (open !== null) this.#deps.writer.foldIn(open());
  }

  /** Releases from memory what the rows hold and the matching state no longer needs. */
  #release(): void {
    const { settledSequence, published, writer } = this.#deps;
    published.tail.release(Math.min(writer.watermark.sequence, settledSequence()));
  }
}

/** Returns the entries that end at or before a sequence. */
function upTo(entries: readonly Entry[], sequence: number): Entry[] {
  return entries.filter((entry) => endOf(entry) <= sequence);
}

/** Length of a slice, in ms: an order waits for a few of them at most. */
const SLICE_MS = 0.5;
/** Length of the rest after a slice, in ms. */
const REST_MS = 1;

/** Paces the fold. */
export class FoldPace {
  readonly #isPressed: () => boolean;
  #sliceStart = 0;

  /** @param isPressed whether there is too much to fold for a rest */
  constructor(isPressed: () => boolean) {
    this.#isPressed = isPressed;
  }

  /** Ends the slice if it has been long enough; called often. */
  async pause(): Promise<void> {
    if (performance.now() - this.#sliceStart < SLICE_MS) return;
    await (this.#isPressed() ? yieldToOthers() : sleep(REST_MS));
    this.#sliceStart = performance.now();
  }
}

/**
 * How long rows stand still before another process takes over, in ms: longer than it takes to fold a
 * window up to the first step that is written. Random, so that not all take over at once.
 */
const STILL_MS = 2000;
const STILL_MS_MAX = 2 * STILL_MS;

/** Tells whether it is this process's turn to fold. */
export class FoldShift {
  readonly #now: () => number;
  /** When this process takes over from another; null if it folded last, or nobody has. */
  #takesOverAt: number | null = null;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether this process may fold now. */
  get isOwn(): boolean {
    return this.#takesOverAt === null || this.#now() >= this.#takesOverAt;
  }

  /** Notes that this process has folded. */
  take(): void {
    this.#takesOverAt = null;
  }

  /** Notes that another process has folded. */
  pass(): void {
    this.#takesOverAt = this.#now() + STILL_MS + Math.random() * (STILL_MS_MAX - STILL_MS);
  }

  /** Notes that there is nothing to fold, so that the rows do not stand still. */
  rest(): void {
    if (this.#takesOverAt !== null) this.pass();
  }
}
