/** One process of the venue: an engine over the simulated store, from its start to its end. */
import { assert } from "../../src/domain/assert.ts";
import type { Outcome } from "../../src/domain/command.ts";
import type { Venue } from "../../src/domain/venue.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { openEngine } from "../../src/engine/open_engine.ts";
import { KvHandles } from "../../src/store/kv_handles.ts";
import { type Store, UnreadableError } from "../../src/store/store.ts";
import type { Owner } from "./scheduler.ts";
import { openSimKv } from "./sim_kv.ts";
import { SimFaultError, SimLink, type SimNet } from "./sim_link.ts";
import type { Submission } from "./submission.ts";

/** Only a path of a file has a lock and a mark beside it. */
const ENGINE_PATH = ":memory:";
const STORE_PATH = "simulated";

/** Makes a process's store; one that does wrong must be found out by the simulator. */
export type MakeStore = (handles: KvHandles, path: string, isRemote: boolean) => Store;

/** Who is told what becomes of a process. */
export interface ProcessWatcher {
  submitted(process: SimProcess, submission: Submission): void;
  answered(process: SimProcess, submission: Submission, answer: Outcome | Error): void;
  abandoned(submission: Submission): void;
  published(process: SimProcess, first: number, count: number, at: number): void;
  ended(process: SimProcess): void;
  failed(error: unknown): void;
}

/** What a process needs of its surroundings. */
export interface ProcessOptions {
  readonly net: SimNet;
  readonly watcher: ProcessWatcher;
  readonly isShared: boolean;
  readonly nonceWindowMs: number;
  /** The right time; the process's own may be off. */
  readonly now: () => number;
  readonly makeStore: MakeStore;
}

/** A process that runs, or has run. */
export class SimProcess implements Owner {
  isAlive = true;
  pausedUntil = 0;
  /** How far its clock is off, in ms. */
  skewMs = 0;
  state: "opening" | "live" | "closing" | "gone" = "opening";
  /** Since when it has been in this state, in virtual ms. */
  since: number;
  engine: Engine | null = null;
  readonly outstanding = new Set<Submission>();
  readonly #options: ProcessOptions;
  #isClosed = false;
  /** Sequence of the last event that its listeners were told of. */
  #heard = 0;

  constructor(readonly index: number, readonly name: string, options: ProcessOptions) {
    this.#options = options;
    this.since = options.net.scheduler.now;
    options.net.scheduler.after(0, this, "start", () => this.#open());
  }

  /** The published state. */
  get venue(): Venue {
    assert(this.engine !== null, "the process has a venue");
    return this.engine.venue;
  }

  /** Whether it has heard of a member: it would let nobody else in. */
  knows(member: number): boolean {
    return this.venue.holders[member] !== undefined;
  }

  /** Submits commands, one behind the other; to be called in a step of the process. */
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

  /** Dies: nothing of it runs any more, but what it has sent may still arrive. */
  crash(): void {
    this.isAlive = false;
    this.#end();
  }

  /** Closes in good order; to be called in a step of the process. */
  close(): void {
    const { engine } = this;
    assert(engine !== null && this.state === "live", "only a live process is closed");
    this.#turn("closing");
    engine.close().then(() => {
      this.#isClosed = true;
      this.#endWhereAllIsAnswered();
    }, (error) => {
      // The mark and the handles are beside the store: nothing of a close may fail.
      this.#options.watcher.failed(error);
    });
  }

  /** What was still looking for its client order ids when the engine closed is refused after it. */
  #endWhereAllIsAnswered(): void {
    if (!this.#isClosed || !this.isAlive || this.outstanding.size > 0) return;
    this.#end();
    this.isAlive = false;
  }

  async #open(): Promise<void> {
    const { isShared, net, nonceWindowMs, now, watcher, makeStore } = this.#options;
    try {
      const link = new SimLink(net, this);
      const open = () => Promise.resolve(openSimKv(link));
      const handles = await KvHandles.open(STORE_PATH, net.isRemote, open);
      const engine = await openEngine({
        kvPath: ENGINE_PATH,
        store: makeStore(handles, STORE_PATH, net.isRemote),
        nonceWindowMs,
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

  /** What is found here must not be taken for a fault of the engine's own, and survived. */
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

/** Whether an error comes of a simulated fault, and not of the engine. */
export function isFault(error: unknown): boolean {
  return error instanceof SimFaultError || error instanceof UnreadableError;
}

/** What a process is doing, for a failure. */
export function describeProcess({ name, state, engine, outstanding }: SimProcess): string {
  const figures = engine?.metrics();
  return `${name} is ${state} at ${figures?.events} with ${outstanding.size} unanswered, ` +
    `${figures?.unfolded_events} unfolded, "${engine?.health().reason}"`;
}
