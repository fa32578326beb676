/**
 * Whose turn it is among the processes that write: the one behind the last
 * writer, in the order of their names. Each knows them by the ids of the
 * batches in the log and asks nobody. Only the pace hangs on it: who comes out
 * of turn, or not at all, costs the others a conflict or a moment.
 */
import { BATCH_ID_BYTES } from "../store/entry_codec.ts";

/** How long a process counts as one that writes after its last entry, in ms. */
const WRITER_MS = 250;
/**
 * How long one may take to come with its entry when it is its turn, in ms. Under load that is long,
 * and a conflict costs more; who writes now and then holds nobody up. So the more entries one has
 * come with since it was last waited for in vain, the longer it is waited for.
 */
const TURN_MS = 16;
const TURN_MS_MAX = 48;
/** How long a turn is waited for in all, in ms. */
const WAIT_MS_MAX = 200;
const NAME_BYTES = 8;

/** What a process has written of late. */
interface Writer {
  /** When its last entry was seen. */
  readonly at: number;
  /** Its entries since it was last waited for in vain. */
  readonly entries: number;
}

/** The processes that have written of late, as one of them sees them. */
export class WriterRing {
  readonly #name = crypto.getRandomValues(new Uint8Array(NAME_BYTES));
  readonly #own = nameOf(this.#name);
  readonly #writers = new Map<string, Writer>();
  readonly #now: () => number;
  #last = "";
  #lastAt = -Infinity;
  #onNote: (() => void) | null = null;

  /** @param now a clock in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** An id for a batch: it begins with the name of its process. */
  batchId(): Uint8Array<ArrayBuffer> {
    const id = crypto.getRandomValues(new Uint8Array(BATCH_ID_BYTES));
    id.set(this.#name);
    return id;
  }

  /** Whether a batch is of this process. */
  isOwn(batchId: Uint8Array): boolean {
    return nameOf(batchId) === this.#own;
  }

  /** Takes note of the log's last batch; the head has to be known by then. */
  note(batchId: Uint8Array): void {
    this.#last = nameOf(batchId);
    this.#lastAt = this.#now();
    const entries = (this.#writers.get(this.#last)?.entries ?? 0) + 1;
    this.#writers.set(this.#last, { at: this.#lastAt, entries });
    this.#onNote?.();
  }

  /** How long this process lets others go first if nothing is noted meanwhile, in ms. */
  wait(): number {
    const now = this.#now();
    for (const [name, { at }] of this.#writers) {
      if (now - at > WRITER_MS) this.#writers.delete(name);
    }
    const turns = this.#before().reduce((sum, name) => sum + this.#turnMs(name), 0);
    return Math.max(0, this.#lastAt + turns - now);
  }

  /** Those whose turn comes before this process's. */
  #before(): string[] {
    const ring = [...new Set([...this.#writers.keys(), this.#last, this.#own])].sort();
    const behindLast = ring.indexOf(this.#last) + 1;
    const order = [...ring.slice(behindLast), ...ring.slice(0, behindLast)];
    return order.slice(0, order.indexOf(this.#own));
  }

  #turnMs(name: string): number {
    return Math.min(TURN_MS * (this.#writers.get(name)?.entries ?? 1), TURN_MS_MAX);
  }

  /** Returns when it is this process's turn, or the others have let it pass. */
  async turn(): Promise<void> {
    const deadline = this.#now() + WAIT_MS_MAX;
    for (let wait = this.wait(); wait > 0; wait = this.wait()) {
      if (this.#now() >= deadline) return;
      if (await this.#isNotedWithin(wait)) continue;
      // Who has not come when it was its turn has nothing to write: it is not waited for again.
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

/** The name of the process that an id of a batch begins with. */
function nameOf(batchId: Uint8Array): string {
  return batchId.subarray(0, NAME_BYTES).join();
}
