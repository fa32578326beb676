/**
 * Turns: the processes that write take turns, see `writer_ring.ts`. A process that has just
 * committed knows the head at once, while one that was late has to read it, and one that is far
 * from the store always comes late: so whoever keeps losing the race for the head asks the others
 * to let it go first. They do so for as long as its way to the store is, and no more often than
 * leaves them most of the time. One that is far waits until it hears that it has the turn: before,
 * each of its commits would be in vain.
 *
 * Requests and grants are sidecar rows and hints: nothing but the pace depends on them.
 */
import { type Key, sidecarKey } from "../../store/keys.ts";
import { TURN_GRANT_KEY, TURN_REQUEST_KEY } from "../../store/sidecar_keys.ts";
import { InterruptibleSleep } from "../interruptible_sleep.ts";
import { WriterRing } from "./writer_ring.ts";
import type { Hint, Store } from "../../store/store.ts";
import type { Mutation } from "../../store/kv/commit.ts";

/** Round trip from which on a process waits for its turn to be granted, in ms. */
const FAR_MS = 20;
/** How long others give way to a process that is near, in ms: enough for a slow commit, … */
const GIVE_WAY_MS = 300;
/** … and in addition so many of its round trips: to hear of the turn, and to write. */
const GIVE_WAY_TRIPS = 2;
/** The longest that anybody is waited for, in ms. */
const GIVE_WAY_MS_MAX = 5_000;
/** After a turn of one that is far, others are not asked for so many times as long. */
const WORK_PER_PAUSE = 2;
/** After how many of its round trips a far process asks again: its request may have been lost. */
const ASK_TRIPS = 8;
/** How long a request counts, in ms: its process may have died. */
const REQUEST_MS = 20_000;

/** The keys that processes tell each other about turns by. */
export const TURN_KEYS: readonly [Key, Key] = [
  sidecarKey(TURN_REQUEST_KEY),
  sidecarKey(TURN_GRANT_KEY),
];

/** What a row of either key says. */
interface TurnRow {
  readonly process: string;
  /**
   * How long others are to let it go first, in ms; 0 if it does not need that any more. Missing in a
   * row of an older program.
   */
  readonly ms?: number;
  /** Whether it waits until it hears that it has the turn. */
  readonly isFar?: boolean;
}

/** A process that wants to go first. */
interface Asker {
  readonly process: string;
  readonly ms: number;
  readonly isFar: boolean;
  readonly heardAt: number;
  /** Whether everybody gives way to it, and not only those who can spare the time. */
  readonly isGranted: boolean;
}

/** The turns of the processes that share a store. */
export class Turns {
  /** The order in which they write while none of them is behind. */
  readonly ring: WriterRing;
  /** How far the store is from this process. */
  readonly trip = new RoundTrip();
  readonly #store: Store;
  readonly #now: () => number;
  /** The rows as last heard of, by key. */
  readonly #heard: Hint[] = TURN_KEYS.map(() => ({ value: null, versionstamp: null }));
  /** The other processes that ask, the first one first. */
  readonly #askers = new Map<string, Asker>();
  /** The one that is given way to. */
  #passing = "";
  /** When others have last written, as far as the watch has told: it may not be read yet. */
  #othersAt = -Infinity;
  /** Until when others' requests are put off, on the monotonic clock. */
  #worksUntil = -Infinity;
  #isAsking = false;
  /** Whether others let this process go first, … */
  #isGranted = false;
  /** … and when it last wrote because of that: they go on right then. */
  #letGoAt = -Infinity;
  readonly #waiting = new InterruptibleSleep();

  /** @param now a clock in ms */
  constructor(store: Store, now: () => number = () => performance.now()) {
    this.#store = store;
    this.#now = now;
    this.ring = new WriterRing(now);
  }

  /**
   * Whether this process is so far away that the others have always written once more before it
   * can: what the log has left unfinished is theirs.
   */
  get isOutpaced(): boolean {
    return this.isFar && this.#now() < this.#quietAt;
  }

  /** When the others have been quiet for as long as this process's way to the store is. */
  get #quietAt(): number {
    return Math.max(this.ring.othersAt, this.#othersAt, this.#letGoAt) + this.trip.ms;
  }

  /** Whether the store is far from this process. */
  get isFar(): boolean {
    return this.trip.ms >= FAR_MS;
  }

  /** Notes what a read or the watch reports of the rows of {@linkcode TURN_KEYS}. */
  note(hints: readonly (Hint | undefined)[]): void {
    hints.forEach((hint, at) => {
      const before = this.#heard[at] as Hint;
      if (hint === undefined || hint.versionstamp === before.versionstamp) return;
      this.#heard[at] = hint;
      const row = hint.value as TurnRow | null;
      const isGrant = at === 1;
      // Who has written has had its turn: its entry says so, and not that its row is gone.
      if (row === null) return;
      if (row.process !== this.ring.own) this.#add(row, isGrant);
      else if (isGrant && this.#isAsking) this.#grantOwn();
    });
  }

  #add({ process, ms = GIVE_WAY_MS, isFar = false }: TurnRow, isGrant: boolean): void {
    if (ms === 0) return this.#drop(process);
    const isGranted = isGrant || this.#askers.get(process)?.isGranted === true;
    this.#askers.set(process, { process, ms, isFar, heardAt: this.#now(), isGranted });
    if (isGrant) this.#waiting.wake();
  }

  #grantOwn(): void {
    this.#isGranted = true;
    this.#waiting.wake();
  }

  /** Notes that another process has written, which may have to be read yet. */
  noteOthers(): void {
    this.#othersAt = this.#now();
  }

  /** Notes an entry of another process, which has had its turn by that. */
  passed(batchId: Uint8Array): void {
    this.#drop(this.ring.nameOf(batchId));
  }

  #drop(process: string): void {
    this.#askers.delete(process);
    if (process === this.#passing) this.#waiting.wake();
  }

  /** Asks the others to let this process go first. */
  ask(): void {
    this.#isAsking = true;
    this.#isGranted = false;
    const isFar = this.isFar;
    const ms = GIVE_WAY_MS + (isFar ? GIVE_WAY_TRIPS * this.trip.ms : 0);
    const row: TurnRow = { process: this.ring.own, ms: Math.min(ms, GIVE_WAY_MS_MAX), isFar };
    // A request that gets lost is made again at the next conflict.
    this.#store.writeSidecar(TURN_REQUEST_KEY, row).catch(() => {});
  }

  /** Returns the deletion of this process's rows, for the commit that they were made for. */
  deletions(): Mutation[] {
    return this.#ownKeys().map((key) => ({ key, value: null }));
  }

  #ownKeys(): Key[] {
    if (!this.#isAsking) return [];
    const isOthers = (at: number) => {
      const row = this.#heard[at]?.value as TurnRow | null;
      return row !== null && row.process !== this.ring.own;
    };
    return TURN_KEYS.filter((_, at) => !isOthers(at) && (at === 0 || this.#isGranted));
  }

  /** Notes that another process came first; one that is near asks for a turn if that goes on. */
  lose(isOften: boolean): void {
    this.#isGranted = false;
    if (isOften && !this.isFar) this.ask();
  }

  /** Notes that a commit has gone through. */
  settle(): void {
    if (this.#isGranted) this.#letGoAt = this.#now();
    this.#isAsking = false;
    this.#isGranted = false;
  }

  /** Lets the others go on: this process has asked for a turn that it does not need any more. */
  release(): void {
    if (!this.#isAsking) return;
    const row: TurnRow = { process: this.ring.own, ms: 0 };
    this.#store.writeSidecar(TURN_REQUEST_KEY, row).catch(() => {});
    this.settle();
  }

  /** Waits for the turn of this process. */
  async giveWay(): Promise<void> {
    if (this.isOutpaced) return await this.#grant();
    await this.#letOthersGo();
    await this.ring.turn();
  }

  /** Waits until this process is let go, or the others are quiet. */
  async #grant(): Promise<void> {
    let askedAt = -Infinity;
    while (!this.#isGranted && this.isOutpaced) {
      if (this.#now() - askedAt > ASK_TRIPS * this.trip.ms) {
        this.ask();
        askedAt = this.#now();
      }
      if (await this.#letOthersGo()) {
        // Its request may have replaced this process's unheard. It asks again right now, if at all.
        await this.#waiting.sleep(this.trip.ms / 2);
        askedAt = -Infinity;
      }
      if (!this.#isGranted) await this.#waiting.sleep(Math.max(0, this.#quietAt - this.#now()));
    }
  }

  /**
   * Waits while others go first, but not for long, and only once for each request; returns whether
   * any did.
   */
  async #letOthersGo(): Promise<boolean> {
    const asker = this.#firstAsker();
    if (asker === null) return false;
    const { isFar, isGranted, ms, process } = asker;
    if (isFar && !isGranted) {
      const row: TurnRow = { process, ms, isFar };
      this.#store.writeSidecar(TURN_GRANT_KEY, row).catch(() => {});
    }
    this.#passing = process;
    const since = this.#now();
    // A grant that is heard meanwhile ends the sleep, too.
    while (this.#askers.has(process) && this.#now() < since + ms && !this.#isGranted) {
      await this.#waiting.sleep(since + ms - this.#now());
    }
    this.#passing = "";
    this.#askers.delete(process);
    if (isFar) this.#worksUntil = this.#now() + WORK_PER_PAUSE * (this.#now() - since);
    return true;
  }

  /** Returns the process to give way to; whoever asks itself heeds only what is granted. */
  #firstAsker(): Asker | null {
    const now = this.#now();
    let first: Asker | null = null;
    for (const asker of this.#askers.values()) {
      if (asker.isGranted) return asker;
      if (now - asker.heardAt > REQUEST_MS) this.#askers.delete(asker.process);
      else if (!asker.isFar || now >= this.#worksUntil) first ??= asker;
    }
    return this.#isAsking ? null : first;
  }
}

/** Answers that are remembered. */
const ANSWERS = 8;

/** How long the store takes to answer, without what only now and then delays an answer. */
export class RoundTrip {
  readonly #last: number[] = [];
  #ms = 0;

  /** Notes that an answer took so many ms. */
  note(ms: number): void {
    this.#last.push(ms);
    if (this.#last.length > ANSWERS) this.#last.shift();
    this.#ms = Math.min(...this.#last);
  }

  /** The way to the store and back, in ms; 0 until it has answered. */
  get ms(): number {
    return this.#ms;
  }
}
