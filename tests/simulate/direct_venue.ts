import type { Outcome } from "../../src/domain/command.ts";
import { isRejection } from "../../src/domain/command.ts";
import { decide } from "../../src/domain/decide.ts";
import { runTimers } from "../../src/domain/trading/decide_timers.ts";
import type { VenueEvent } from "../../src/domain/event.ts";
import { runMarket } from "../../src/domain/trading/matching.ts";
import { UndoLog } from "../../src/domain/undo_log.ts";
import { Venue } from "../../src/domain/venue.ts";
import { ByteReader } from "../../src/store/byte_reader.ts";
import { ByteWriter } from "../../src/store/byte_writer.ts";
import { readEvent, writeEvent } from "../../src/store/log/event_codec.ts";
import { LOG_FORMAT } from "../../src/store/stored_formats.ts";
import type { Prng } from "../support/prng.ts";
import { TestSink } from "../support/test_sink.ts";
import { Oracle } from "./oracle.ts";
import type { Submission } from "./submission.ts";
import { Workload } from "./workload.ts";

const START = Date.UTC(2030, 0, 31, 22);
const NONCE_WINDOW_MS = 5000;
const COMMANDS_PER_BATCH = 5;
/** Maximum lengths of rare jumps of the clock, in ms: the longest exceeds every window of time. */
const LONG_JUMPS_MS = [1, 5, 40].map((days) => days * 86_400_000);

/** A recorded call of the oracle, for replaying it. */
export type Told =
  | { readonly kind: "submitted"; readonly submission: Submission }
  | {
    readonly kind: "entry";
    readonly events: readonly VenueEvent[];
    readonly first: number;
    readonly at: number;
  }
  | {
    readonly kind: "answered";
    readonly submission: Submission;
    readonly outcome: Outcome | Error;
    readonly sequence: number;
    readonly now: number;
  };

/** Makes a recorded call of an oracle. */
export function tell(oracle: Oracle, told: Told): void {
  switch (told.kind) {
    case "submitted":
      return oracle.submitted(told.submission, 0);
    case "entry":
      return oracle.entry(told.events, told.first, told.at);
    case "answered":
      return oracle.answered(told.submission, told.outcome, told.sequence, told.now);
  }
}

/** A call of which only a first part is in the log. */
interface Unfinished {
  readonly submission: Submission;
  readonly ids: readonly number[];
}

/** The domain without store and engine: it decides batches and tells the oracle immediately. */
export class DirectVenue {
  readonly venue: Venue;
  readonly oracle = new Oracle({ nonceWindowMs: NONCE_WINDOW_MS });
  readonly workload: Workload;
  readonly outcomes = new Map<string, number>();
  readonly #random: Prng;
  readonly #sink: TestSink;
  /** All calls of the oracle, if they are recorded. */
  readonly #tape: Told[] | null;
  readonly #writer = new ByteWriter(1024 * 1024);
  #unfinished: Unfinished[] = [];
  #now = START;

  /**
   * @param capacity maximum number of events in a batch
   * @param tape records the calls of the oracle
   */
  constructor(random: Prng, capacity: number = Infinity, tape: Told[] | null = null) {
    const undo = new UndoLog();
    this.venue = new Venue({ nonceWindowMs: NONCE_WINDOW_MS, undo });
    this.#sink = new TestSink(this.venue, undo, capacity);
    this.#random = random;
    this.#tape = tape;
    this.workload = new Workload(random, this.oracle);
    const setup = [...this.workload.setup()];
    while (setup.length > 0) this.#batch(setup);
    this.#finish();
  }

  /** Runs `commands` calls of the workload. */
  run(commands: number): void {
    const random = this.#random;
    for (let done = 0; done < commands;) {
      this.#pass();
      const count = Math.min(commands - done, random.between(1, COMMANDS_PER_BATCH));
      const queue = Array.from({ length: count }, () => this.workload.next(this.#now));
      done += count;
      while (queue.length > 0) this.#batch(queue);
      if (random.chance(0.001)) this.check();
    }
    this.check();
  }

  /** Compares the venue with the oracle once nothing is in flight. */
  check(): void {
    this.#finish();
    if (!this.oracle.compare(this.venue, this.venue.sequence)) {
      throw new Error(`The oracle is not at ${this.venue.sequence}`);
    }
    this.oracle.settled(this.#now);
  }

  #pass(): void {
    const random = this.#random;
    this.#now += random.below(4);
    if (random.chance(0.001)) this.#now += random.below(70_000);
    if (random.chance(0.001)) this.#now += random.below(random.pick(LONG_JUMPS_MS));
  }

  #finish(): void {
    while (this.#unfinished.length > 0 || this.#isBusy()) this.#batch([]);
  }

  #isBusy(): boolean {
    return this.venue.books.some((book) => book.hasWork()) ||
      this.venue.timers.soonest <= this.#now;
  }

  /** Decides one batch: first pending work of earlier entries, then as many calls as fit. */
  #batch(queue: Submission[]): void {
    const { venue } = this;
    const sink = this.#sink;
    sink.at = Math.max(this.#now, venue.time);
    sink.nextBatch();
    const mark = sink.mark();
    const answers: [Submission, Outcome][] = [];
    let isRoom = true;
    for (const book of venue.books) isRoom = runMarket(venue, book, sink) && isRoom;
    if (isRoom) runTimers(venue, sink);
    const waiting = this.#unfinished;
    this.#unfinished = [];
    while (isRoom && !sink.isFull() && waiting.length + queue.length > 0) {
      isRoom = this.#decide(waiting.shift() ?? this.#submit(queue), answers);
    }
    this.#unfinished.push(...waiting);
    this.#tellEntry(sink.events.slice(mark).map(({ event }) => event), sink.at);
    for (const [submission, outcome] of answers) this.#tellAnswer(submission, outcome);
    sink.events.length = 0;
    sink.forget();
    venue.endedOrders.length = 0;
    venue.endedDeposits.length = 0;
    venue.endedWithdraws.length = 0;
  }

  #submit(queue: Submission[]): Unfinished & { readonly isNew: true } {
    const submission = queue.shift() as Submission;
    this.#tell({ kind: "submitted", submission });
    return { submission, ids: [], isNew: true };
  }

  /** Decides a call; returns whether the batch has room for another. */
  #decide(
    { submission, ids, ...more }: Unfinished & { readonly isNew?: true },
    answers: [Submission, Outcome][],
  ): boolean {
    const { command } = submission;
    const signature = more.isNew ? submission.signature : null;
    const { outcome, complete } = decide(this.venue, signature, command, this.#sink);
    const isCancel = !isRejection(outcome) && outcome.kind === "orders_cancelled";
    const allIds = isCancel ? [...ids, ...outcome.ids] : ids;
    if (!complete) {
      this.#unfinished.push({ submission, ids: allIds });
      return false;
    }
    answers.push([submission, isCancel ? { ...outcome, ids: allIds } : outcome]);
    if (command.kind !== "place_orders") return true;
    let isRoom = true;
    for (const market of new Set(command.orders.map((order) => order.market))) {
      const book = this.venue.books[market];
      if (book !== undefined) isRoom = runMarket(this.venue, book, this.#sink) && isRoom;
    }
    return isRoom;
  }

  /** Tells the oracle of an entry, encoded and decoded as for every reader of the log. */
  #tellEntry(events: readonly VenueEvent[], at: number): void {
    if (events.length === 0) return;
    this.#writer.reset();
    for (const event of events) writeEvent(this.#writer, event, at);
    const reader = new ByteReader(this.#writer.view());
    const read = events.map(() => readEvent(reader, at, LOG_FORMAT));
    const first = this.venue.sequence - events.length + 1;
    this.#tell({ kind: "entry", events: read, first, at });
  }

  #tellAnswer(submission: Submission, outcome: Outcome): void {
    const name = isRejection(outcome) ? outcome.rejected : outcome.kind;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
    const { sequence } = this.venue;
    this.#tell({ kind: "answered", submission, outcome, sequence, now: this.#now });
  }

  #tell(told: Told): void {
    this.#tape?.push(told);
    tell(this.oracle, told);
  }
}
