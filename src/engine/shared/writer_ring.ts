/**
 * Decides whose turn it is among the processes that write: the one after the last writer, in the
 * order of their names. Each knows the others by the batch ids in the log, without asking. Only the
 * pace depends on it: a process that writes out of turn, or not at all, costs the others a conflict
 * or a moment.
 */
import { BATCH_ID_BYTES } from "../../store/log/entry_codec.ts";

/** How long a process counts as a writer after its last entry, in ms. */
const WRITER_MS = 250;
/**
 * How long a process may take to write when it is its turn, in ms. Under load that takes long, and
 * a conflict costs more; a process that writes now and then should hold nobody up. So the wait
 * grows with the entries since the process was last waited for in vain.
 */
const TURN_MS = 16;
const TURN_MS_MAX = 48;
/** How long a turn is waited for in total, in ms. */
const WAIT_MS_MAX = 200;
const NAME_BYTES = 8;

/** What a process has written recently. */
interface Writer {
  /** When its last entry was seen. */
  readonly at: number;
  /** Its entries since it was last waited for in vain. */
  readonly entries: number;
}

/** The processes that have written recently, as one of them sees them. */
export class WriterRing {
  readonly #name = crypto.getRandomValues(new Uint8Array(NAME_BYTES));
  /** The name of this process. */
  readonly own: string = nameOf(this.#name);
  readonly #writers = new Map<string, Writer>();
  readonly #now: () => number;
  #last = "";
  #lastAt = -Infinity;
  #othersAt = -Infinity;
  #onNote: (() => void) | null = null;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Returns an id for a batch, which begins with the name of this process. */
  batchId(): Uint8Array<ArrayBuffer> {
    const id = crypto.getRandomValues(new Uint8Array(BATCH_ID_BYTES));
    id.set(this.#name);
    return id;
  }

  /** Returns whether a batch is this process's. */
  isOwn(batchId: Uint8Array): boolean {
    return nameOf(batchId) === this.own;
  }

  /** Returns the name of the process that a batch is of. */
  nameOf(batchId: Uint8Array): string {
    return nameOf(batchId);
  }

  /** When the last entry of another process was noted. */
  get othersAt(): number {
    return this.#othersAt;
  }

  /** Notes the log's last batch; the head has to be known by then. */
  note(batchId: Uint8Array): void {
    this.#last = nameOf(batchId);
    this.#lastAt = this.#now();
    if (this.#last !== this.own) this.#othersAt = this.#lastAt;
    const entries = (this.#writers.get(this.#last)?.entries ?? 0) + 1;
    this.#writers.set(this.#last, { at: this.#lastAt, entries });
    // Here, too, since a process that only reads never calls `wait`.
    this.#dropIdle(this.#lastAt);
    this.#onNote?.();
  }

  /** Drops the processes that no longer count as writing. */
  #dropIdle(now: number): void {
    for (const [name, { at }] of this.#writers) {
      if (now - at > WRITER_MS) this.#writers.delete(name);
    }
  }

  /** Returns how long this process lets others go first if nothing is noted meanwhile, in ms. */
  wait(): number {
    const now = this.#now();
    this.#dropIdle(now);
    const turns = this.#before().reduce((sum, name) => sum + this.#turnMs(name), 0);
    return Math.max(0, this.#lastAt + turns - now);
  }

  /** Returns the processes whose turn comes before this one's. */
  #before(): string[] {
    const ring = [...new Set([...this.#writers.keys(), this.#last, this.own])].sort();
    const behindLast = ring.indexOf(this.#last) + 1;
    const order = [...ring.slice(behindLast), ...ring.slice(0, behindLast)];
    return order.slice(0, order.indexOf(this.own));
  }

  #turnMs(name: string): number {
    return Math.min(TURN_MS * (this.#writers.get(name)?.entries ?? 1), TURN_MS_MAX);
  }

  /** Resolves when it is this process's turn, or the others have let it pass. */
  async turn(): Promise<void> {
    const deadline = this.#now() + WAIT_MS_MAX;
    for (let wait = this.wait(); wait > 0; wait = this.wait()) {
      if (this.#now() >= deadline) return;
      if (await this.#isNotedWithin(wait)) continue;
      // A process that does not write in its turn has nothing to write: it is not waited for again.
      for (const name of this.#before()) this.#writers.delete(name);
    }
  }

  async #isNotedWithin(ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), ms);
    this.#onNote = () => resolve(true);
    const isNoted = await promise;
    clearTimeout(timer);
    this.#onNote = null;
    return isNoted;
  }
}

/** Returns the process's name, which a batch id begins with. */
function nameOf(batchId: Uint8Array): string {
  return batchId.subarray(0, NAME_BYTES).join();
}
