/** One process of the venue, from start to end: an engine on the simulated store. */
import { assert } from "../../src/domain/assert.ts";
import type { Outcome } from "../../src/domain/command.ts";
import type { Venue } from "../../src/domain/venue.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { openEngine } from "../../src/engine/start/open_engine.ts";
import { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { type Store, UnreadableError } from "../../src/store/store.ts";
import type { Owner } from "./scheduler.ts";
import { openSimKv } from "./sim_kv.ts";
import { SimFaultError, SimLink, type SimNet } from "./sim_link.ts";
import type { Submission } from "./submission.ts";
import { DEFAULT_SETTINGS } from "../../src/domain/settings.ts";

/** Only a file's path has a lock and a head mark. */
const ENGINE_PATH = ":memory:";
const STORE_PATH = "simulated";

/** Creates a process's store; tests pass faulty ones that the simulator must detect. */
export type MakeStore = (handles: KvHandles, path: string, isRemote: boolean) => Store;

/** Observes a process. */
export interface ProcessWatcher {
  submitted(process: SimProcess, submission: Submission): void;
  answered(process: SimProcess, submission: Submission, answer: Outcome | Error): void;
  abandoned(submission: Submission): void;
  published(process: SimProcess, first: number, count: number, at: number): void;
  ended(process: SimProcess): void;
  failed(error: unknown): void;
}

/** The environment of a process. */
export interface ProcessOptions {
  readonly net: SimNet;
  readonly watcher: ProcessWatcher;
  readonly isShared: boolean;
  /** Its place among the processes of its world, and how far that is from the store, in ms. */
  readonly place: number;
  readonly distanceMs: number;
  readonly nonceWindowMs: number;
  /** Returns the true time; the process's own clock may be off. */
  readonly now: () => number;
  readonly makeStore: MakeStore;
}

/** A process that is running, or has run. */
export class SimProcess implements Owner {
  isAlive = true;
  pausedUntil = 0;
  /** How far its clock is off, in ms. */
  skewMs = 0;
  state: "opening" | "live" | "closing" | "gone" = "opening";
  /** When it entered this state, in virtual ms. */
  since: number;
  engine: Engine | null = null;
  readonly outstanding = new Set<Submission>();
  readonly #options: ProcessOptions;
  #isClosed = false;
  /** Sequence of the last event that its listeners received. */
  #heard = 0;

  readonly place: number;
  readonly distanceMs: number;

  constructor(readonly index: number, readonly name: string, options: ProcessOptions) {
    this.#options = options;
    this.place = options.place;
    this.distanceMs = options.distanceMs;
    this.since = options.net.scheduler.now;
    options.net.scheduler.after(0, this, "start", () => this.#open());
  }

  /** The published state. */
  get venue(): Venue {
    assert(this.engine !== null, "the process has a venue");
    return this.engine.venue;
  }

  /** Returns whether its state has a member; it lets only those call. */
  knows(member: number): boolean {
    return this.venue.holders[member] !== undefined;
  }

  /** Submits commands one after the other; must be called in a step of the process. */
  submit(submissions: readonly Submission[]): void {
    const { engine } = this;
    assert(engine !== null, "the process takes commands");
    for (const submission of submissions) {
      this.outstanding.add(submission);
      this.#options.watcher.submitted(this, submission);
      engine.submit(submission.command, submission.signature).then(
        (outcome) => this.#answered(submission, outcome),
        (error) => this.#answered(submission, error),
      );
    }
  }

  /** Kills the process; calls that it has sent may still arrive. */
  crash(): void {
    this.isAlive = false;
    this.#end();
  }

  /** Closes the process; must be called in a step of the process. */
  close(): void {
    const { engine } = this;
    assert(engine !== null && this.state === "live", "only a live process is closed");
    this.#turn("closing");
    engine.close().then(() => {
      this.#isClosed = true;
      this.#endWhereAllIsAnswered();
    }, (error) => {
      // The head mark and the handles are not simulated, so closing must not fail.
      this.#options.watcher.failed(error);
    });
  }

  /** Calls still looking up client order ids when the engine closes are refused after that. */
  #endWhereAllIsAnswered(): void {
    if (!this.#isClosed || !this.isAlive || this.outstanding.size > 0) return;
    this.#end();
    this.isAlive = false;
  }

  async #open(): Promise<void> {
    const { distanceMs, isShared, net, nonceWindowMs, now, watcher, makeStore } = this.#options;
    try {
      const link = new SimLink(net, this, distanceMs);
      const open = () => Promise.resolve(openSimKv(link));
      const handles = await KvHandles.open(STORE_PATH, net.isRemote, open);
      const engine = await openEngine({
        kvPath: ENGINE_PATH,
        store: makeStore(handles, STORE_PATH, net.isRemote),
        settings: { ...DEFAULT_SETTINGS, nonceWindowMs },
        isShared,
        now: () => now() + this.skewMs,
        onFault: (error) => this.#noteFault(error),
      });
      this.#listen(engine);
      this.engine = engine;
      this.#turn("live");
    } catch (error) {
      if (!isFault(error)) return watcher.failed(error);
      this.isAlive = false;
      this.#end();
    }
  }

  #listen(engine: Engine): void {
    const { watcher } = this.#options;
    this.#heard = engine.venue.sequence;
    engine.onEvent((_, sequence) => {
      assert(sequence === this.#heard + 1, `${this.name} hears of event ${this.#heard + 1} next`);
      this.#heard = sequence;
    });
    engine.onEntry((events, first, at) => {
      this.#guard(() => {
        const last = first + events.length - 1;
        assert(last === this.#heard, `${this.name} hears of an entry behind its events`);
        watcher.published(this, first, events.length, at);
      });
    });
  }

  #answered(submission: Submission, answer: Outcome | Error): void {
    if (!this.isAlive) return;
    this.#guard(() => {
      assert(this.outstanding.delete(submission), "a command is answered once");
      assert(!this.#isClosed || answer instanceof Error, "a closed engine does nothing any more");
      this.#options.watcher.answered(this, submission, answer);
    });
    this.#endWhereAllIsAnswered();
  }

  #noteFault(error: unknown): void {
    if (!isFault(error)) this.#options.watcher.failed(error);
  }

  /** Reports failed checks directly, so that the engine does not survive them as its own. */
  #guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#options.watcher.failed(error);
    }
  }

  #turn(state: SimProcess["state"]): void {
    this.state = state;
    this.since = this.#options.net.scheduler.now;
  }

  #end(): void {
    this.#turn("gone");
    for (const submission of this.outstanding) this.#options.watcher.abandoned(submission);
    this.outstanding.clear();
    this.#options.watcher.ended(this);
  }
}

/** Returns whether an error stems from a simulated fault. */
export function isFault(error: unknown): boolean {
  return error instanceof SimFaultError || error instanceof UnreadableError;
}

/** Describes the state of a process for failure messages. */
export function describeProcess({ name, state, engine, outstanding }: SimProcess): string {
  const figures = engine?.metrics();
  return `${name} is ${state} at ${figures?.events} with ${outstanding.size} unanswered, ` +
    `${figures?.unfolded_events} unfolded, "${engine?.health().reason}"`;
}
