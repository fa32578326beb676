/**
 * The sequencer: takes commands from the queue, decides a batch on the matching state, makes it
 * durable, publishes it and answers. One commit is in flight at a time; commands that arrive
 * meanwhile form the next batch.
 */
import { apply } from "../../domain/apply.ts";
import { assert } from "../../domain/assert.ts";
import type { Command } from "../../domain/command.ts";
import type { UndoLog } from "../../domain/undo_log.ts";
import type { Venue } from "../../domain/venue.ts";
import { encodeEntry } from "../../store/log/entry_codec.ts";
import { LOG_FORMAT } from "../../store/stored_formats.ts";
import { sleep } from "../../store/kv/in_time.ts";
import { sidecarKey } from "../../store/keys.ts";
import { type Store, UnreadableError, type Versioned } from "../../store/store.ts";
import { lastEntryRows, readHead } from "../../store/log/venue_log.ts";
import type { Head } from "../../store/log/head_codec.ts";
import type { Batch } from "./batch.ts";
import { BatchPace } from "./batch_pace.ts";
import { BatchDecider } from "./batch_decider.ts";
import { CommandQueue } from "./command_queue.ts";
import { commitEntry, type EntryOutcome, moveHead } from "./commit_entry.ts";
import type { CommitMeter } from "./commit_meter.ts";
import { dropEnded } from "../ended_records.ts";
import { CLOCK_AHEAD_MS_MAX, type NotReadyReason, RowChangedError } from "../engine.ts";
import type { LogFollower } from "../shared/log_follower.ts";
import type { PublishedState } from "../published_state.ts";
import { OUTCOME_MS_MAX, type QueuedCommand } from "./queued_command.ts";
import { Standstill } from "./standstill.ts";
import { tellResults } from "./told_results.ts";
import { TimerWatch } from "./timer_watch.ts";
import type { Turns } from "../shared/turns.ts";
import { yieldToOthers } from "../yield_to_others.ts";

/** The most commands that may wait in the queue. */
export const COMMANDS_QUEUED_MAX = 20_000;
/** Pause before a batch is decided again, in ms; random, doubled by each further conflict. */
const CONFLICT_MS = 1;
const CONFLICT_MS_MAX = 50;
/** Consecutive conflicts from which on others are asked to wait, and this process pauses. */
const CONFLICTS_BORNE = 2;
/** Turns of the event loop in which calls on their way may join a batch, … */
const GATHERING_TURNS = 2;
/** … if the last one had more commands than this: then the venue is under load. */
const GATHERING_COMMANDS = 4;
/** Pause after the store has failed, in ms. */
const FAILED_MS = 100;

/** What the sequencer works with. */
export interface SequencerDeps {
  readonly store: Store;
  readonly matching: Venue;
  readonly undo: UndoLog;
  readonly published: PublishedState;
  readonly follower: LogFollower;
  readonly turns: Turns;
  readonly meter: CommitMeter;
  /** Whether several processes share the store. */
  readonly isShared: boolean;
  readonly now: () => number;
  readonly lookedNow: () => number;
  /** Number of events not yet folded. */
  readonly unfoldedEvents: () => number;
  /** Called once, when this process may write no more. */
  readonly onBroken: () => void;
  /** Called with a broken invariant, and once whenever the store starts to fail. */
  readonly onFault: (error: unknown) => void;
}

/** Commands in, durable entries out. */
export class Sequencer {
  readonly #deps: SequencerDeps;
  readonly #queue = new CommandQueue();
  readonly #pace: BatchPace;
  #taken: QueuedCommand[] = [];
  readonly #decider: BatchDecider;
  readonly #timers: TimerWatch;
  /** Whether commands have waited for long while none got into the log. */
  readonly standstill: Standstill;
  #wake: (() => void) | null = null;
  #isStopping = false;
  #isBroken = false;
  #conflicts = 0;
  /** Number of events of the last batch, and of its commands. */
  #lastEvents = 0;
  #lastCommands = 0;
  #storeFault: NotReadyReason | "" = "";
  /** Sequence that the matching state falls back to if the batch in flight does not land. */
  #settledSequence: number;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: SequencerDeps) {
    this.#deps = deps;
    this.#decider = new BatchDecider(deps);
    this.#timers = new TimerWatch(deps);
    this.standstill = new Standstill(() => deps.turns.trip.ms);
    this.#pace = new BatchPace(deps.unfoldedEvents, this.#queue);
    this.#settledSequence = deps.matching.sequence;
  }

  /** Sequence up to which the matching state needs no entries any more: all if it is given up. */
  get settledSequence(): number {
    return this.#isBroken ? Infinity : this.#settledSequence;
  }

  /** Why nothing can be written now; empty if all is well. */
  get fault(): NotReadyReason | "" {
    if (this.#isBroken) return "invariant_broken";
    if (this.#isClockBehind()) return "clock_behind";
    return this.#storeFault;
  }

  /** Whether batches are slowed because the fold is behind. */
  get isSlowed(): boolean {
    return this.#pace.isSlowed;
  }

  /** Number of commands waiting or in flight. */
  get size(): number {
    return this.#queue.size + this.#taken.length;
  }

  /** Starts the loop. */
  start(): void {
    this.#running = this.#run();
    this.#timers.start(() => this.wake());
  }

  /** Adds a command to the queue. */
  add(command: QueuedCommand): void {
    if (this.#queue.add(command)) this.#pace.wake();
    this.wake();
  }

  /** Whether one member's commands fill its part of the queue, so that it may add no more. */
  isFullFor(command: Command): boolean {
    return this.#queue.isFullFor(command);
  }

  /** Makes the loop look for work: a command, or what the log has left unfinished. */
  wake(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  /** Lets a slowed batch go at once: the fold waits for the store, and the thread is free. */
  advance(): void {
    this.#pace.advance();
  }

  /** Tells the callers whose deadline has passed; called regularly. */
  expire(now: number): void {
    for (const command of this.#taken) {
      if (now >= command.deadline) command.giveUp();
    }
    for (const command of this.#queue.values()) {
      if (now >= command.deadline) command.drop("timed_out");
    }
    if (this.#storeFault !== "") this.wake();
  }

  /** Finishes what is queued, then stops. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#timers.stop();
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isBroken && !(this.#isStopping && this.size === 0)) {
        if (!this.#hasWork()) {
          this.standstill.end();
          // Otherwise memory would keep the entries that the matching state has not applied.
          this.#syncMatching();
          await new Promise<void>((resolve) => this.#wake = resolve);
          if (this.#storeFault !== "" && this.#queue.size === 0 && !this.#isBroken) {
            await this.#probe();
          }
          continue;
        }
        await this.#pace.slowDown(this.#lastEvents);
        await this.#step().catch((error) => this.#survive(error));
      }
    } catch (error) {
      this.stopWriting(error);
    }
  }

  /** Stops writing for good: what is in memory can no longer be trusted, and the venue says so. */
  stopWriting(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#deps.store.stopWriting();
    this.#deps.onBroken();
    for (const command of [...this.#taken, ...this.#queue.clear()]) {
      if (command.decided === null) command.drop("invariant_broken");
      else command.giveUp();
    }
    this.#taken = [];
    this.#deps.onFault(error);
  }

  /** Survives a store that can't be read for a while, which breaks no invariant. */
  async #survive(error: unknown): Promise<void> {
    if (!(error instanceof UnreadableError)) throw error;
    this.#undo();
    await this.#failStore(error);
  }

  /** Tries a write of its own: a venue that says it is not ready may get no more commands. */
  async #probe(): Promise<void> {
    const { follower, store } = this.#deps;
    const { kind } = await moveHead(store, follower.head);
    if (kind === "failed" || kind === "unknown") return;
    await follower.catchUp().then(() => this.#storeFault = "", (error) => this.#survive(error));
  }

  #hasWork(): boolean {
    if (this.#queue.size > 0) return true;
    // Those who are nearer to the store have done it before this process could.
    if (this.#deps.turns.isOutpaced) return false;
    if (this.#timers.isDue()) return true;
    return this.#deps.published.venue.books.some((book) => book.hasWork());
  }

  #isClockBehind(): boolean {
    return this.#deps.follower.head.value.at > this.#deps.now() + CLOCK_AHEAD_MS_MAX;
  }

  /** Lets more commands come under load: the more a batch has, the less of its commit is each's. */
  async #gather(): Promise<void> {
    if (this.#lastCommands <= GATHERING_COMMANDS) return;
    for (let turn = 0; turn < GATHERING_TURNS; turn++) await yieldToOthers();
  }

  /** Handles one batch, from deciding to answering. */
  async #step(): Promise<void> {
    const { follower, isShared, lookedNow, turns } = this.#deps;
    this.standstill.begin();
    if (isShared) await turns.giveWay().then(() => follower.heard());
    await this.#gather();
    if (this.#isClockBehind()) return await this.#fail("clock_behind");
    if (follower.head.versionstamp === null) await follower.catchUp();
    // Writing may have been stopped during the waits.
    if (this.#isBroken) return;
    this.#syncMatching();
    const { versionstamp } = follower.head;
    const at = Math.max(lookedNow(), follower.head.value.at);
    this.#queue.startBatch(this.#pace.areLanesResting);
    const { batch, taken } = this.#decider.decide(at, this.#queue);
    this.#taken = taken;
    this.#deps.meter.take(taken);
    this.#lastEvents = batch.events.length;
    this.#lastCommands = taken.length;
    if (batch.events.length === 0) return await this.#confirm(versionstamp);
    const outcome = await this.#commit(batch);
    if (outcome.kind !== "failed") this.#storeFault = "";
    if (outcome.kind === "committed") return this.#publish(batch, outcome.head);
    if (outcome.kind === "row_changed") return await this.#dropChanged();
    this.#undo();
    if (outcome.kind === "failed" && this.#isBroken) return;
    if (outcome.kind === "failed") return await this.#failStore(outcome.error);
    await this.#decideAgain(versionstamp);
  }

  /** Brings the matching state up to the published state. */
  #syncMatching(): void {
    const { matching, published } = this.#deps;
    if (matching.sequence === published.sequence) return;
    for (const entry of published.tail.entriesAfter(matching.sequence)) {
      for (const event of entry.events) apply(matching, event, entry.at);
      // None of it is undone, and there may be far more of it than a batch.
      this.#deps.undo.clear(entry.at);
      dropEnded(matching);
    }
    assert(matching.sequence === published.sequence, "both states are at the same sequence");
    this.#settledSequence = matching.sequence;
  }

  async #commit(batch: Batch): Promise<EntryOutcome> {
    const { follower, isShared, meter, store, turns } = this.#deps;
    const current = follower.head;
    const first = current.value.sequence + 1;
    const batchId = turns.ring.batchId();
    const count = batch.events.length;
    const { bytes, hash } = encodeEntry(
      { first, at: batch.at, batchId, count },
      batch.bytes(),
      current.value.hash,
    );
    const sequence = first + count - 1;
    const { epoch } = current.value;
    // From here on, an older program's log is in this format.
    const next: Head = { format: LOG_FORMAT, epoch, sequence, at: batch.at, hash, batchId };
    const lastEntry = isShared ? lastEntryRows(bytes) : [];
    const mutations = [...batch.sidecar, ...turns.deletions(), ...lastEntry];
    const beside = { mutations, held: batch.held };
    const sentAt = performance.now();
    const onUnknown = () => meter.unknown += 1;
    const fate = isShared ? follower.fateOf(batchId) : null;
    const outcome = await commitEntry(store, current, next, bytes, beside, fate, onUnknown);
    const [commands, ms] = [this.#taken.length, performance.now() - sentAt];
    if (outcome.kind === "committed") turns.trip.note(ms);
    meter.note({ commands, events: count, sequence, outcome: outcome.kind, ms }, this.#taken);
    return outcome;
  }

  #publish(batch: Batch, head: Versioned<Head>): void {
    const { follower, isShared, matching, published, turns, undo } = this.#deps;
    undo.clear(matching.time);
    dropEnded(matching);
    this.#settledSequence = matching.sequence;
    this.#conflicts = 0;
    turns.settle();
    const { hash, batchId, sequence } = head.value;
    const { at, events } = batch;
    const first = sequence - events.length + 1;
    published.take({ first, at, batchId, events, hash });
    // The follower may have read the entry, and later ones, before the answer came.
    if (follower.head.value.sequence < sequence) {
      follower.head = head;
      if (isShared) turns.ring.note(batchId);
    }
    tellResults(this.#taken, { first, at, events }, published.venue);
    this.#answer();
  }

  /** Answers the commands of the batch; one that is not complete goes first in the next batch. */
  #answer(): void {
    this.standstill.end();
    const unfinished = this.#taken.filter((command) => !command.conclude());
    this.#taken = [];
    this.#queue.putBack(unfinished);
  }

  /**
   * Answers a batch without events if the head has not moved since its commands came, and decides
   * it again if it has.
   */
  async #confirm(versionstamp: string | null): Promise<void> {
    const { follower, isShared, store, turns } = this.#deps;
    const isOlder = ({ deadline }: QueuedCommand) =>
      deadline - OUTCOME_MS_MAX <= follower.caughtUpAt;
    if (isShared && !this.#taken.every(isOlder)) {
      const { epoch } = follower.head.value;
      const head = await readHead(store);
      if (head.versionstamp !== versionstamp || head.value.epoch !== epoch) {
        this.#undo();
        return await this.#decideAgain(versionstamp);
      }
    }
    turns.release();
    this.#answer();
  }

  /** Ends the commands that hold a row which has changed; the others are decided again. */
  async #dropChanged(): Promise<void> {
    for (const command of this.#taken) {
      for (const held of command.held) {
        const { versionstamp } = await this.#deps.store.get(sidecarKey(held.key));
        if (versionstamp !== held.versionstamp) command.failWith(new RowChangedError());
      }
    }
    this.#undo();
  }

  #undo(): void {
    this.#deps.undo.rollback(0);
    dropEnded(this.#deps.matching);
    for (const command of this.#taken) command.decided = null;
    this.#queue.putBack(this.#taken.filter((command) => !command.isAbandoned));
    this.#taken = [];
  }

  /** Lets a batch be decided again that was decided on a head that is no longer the last. */
  async #decideAgain(versionstamp: string | null): Promise<void> {
    const { follower, isShared, turns } = this.#deps;
    this.#conflicts += 1;
    if (isShared) turns.lose(this.#conflicts >= CONFLICTS_BORNE);
    // The watch may have told already what came first.
    if (turns.isFar) await follower.heard();
    if (follower.head.versionstamp === versionstamp) await follower.catchUp();
    if (this.#conflicts < CONFLICTS_BORNE) return;
    const limit = Math.min(CONFLICT_MS * 2 ** this.#conflicts, CONFLICT_MS_MAX);
    await sleep(limit * Math.random());
  }

  async #failStore(error: unknown): Promise<void> {
    if (this.#storeFault === "") this.#deps.onFault(error);
    this.#storeFault = "store_failing";
    await this.#fail(this.#storeFault);
  }

  /** Refuses everything that waits, because nothing can be written now. */
  async #fail(reason: NotReadyReason): Promise<void> {
    for (const command of this.#queue.clear()) command.drop(reason);
    await sleep(FAILED_MS);
  }
}
