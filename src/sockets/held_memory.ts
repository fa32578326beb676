/**
 * Tells whose sockets have held memory that nobody needs: that of a message whose fragments do not
 * end. While a socket is open nothing tells how much it holds. But the platform frees it in the same
 * turn in which it reports the socket's end, and right after that, so that the difference is it. With
 * it may go what others have freed before, whose room was not given back until then. So a socket
 * counts for no more than has come to the process since its last whole message: what it holds has.
 */

const MEBIBYTE = 1024 * 1024;
/**
 * What a member's sockets may free at their ends, in bytes, one soon after the other: more than what
 * a member who does not read has unread.
 */
export const HELD_BYTES_MAX = 64 * MEBIBYTE;
/** What counts, in bytes: less may be others'. */
const NOTED_BYTES_MIN = MEBIBYTE / 4;
/** For how many looks it is remembered what the process had: an hour, at one a second. */
const LOOKS_MAX = 3_600;
/** How soon one after the other, in ms. */
const SOON_MS = 60_000;

/** What is measured, and who is told. */
export interface HeldMemoryOptions {
  /**
   * Called with a member whose sockets have held more, or null for strangers', and with how much, in
   * bytes.
   */
  readonly onHeld: (member: number | null, bytes: number) => void;
  readonly memoryUsage?: () => MemoryUsage;
  /** A clock in ms. */
  readonly now?: () => number;
}

/** The memory of the process, in bytes. */
type MemoryUsage = Pick<Deno.MemoryUsage, "rss" | "heapTotal">;

/** A socket's end. */
interface End {
  readonly member: number | null;
  /** The memory before what it held is free. */
  readonly before: MemoryUsage;
  /** When its last whole message had come, or when it was opened. */
  readonly heardAt: number;
}

/** What the process had at a time. */
interface Look {
  readonly at: number;
  readonly usage: MemoryUsage;
}

/** Measures what sockets held. */
export class HeldMemory {
  readonly #onHeld: HeldMemoryOptions["onHeld"];
  readonly #memoryUsage: () => MemoryUsage;
  readonly #now: () => number;
  /** The last end, until it is known what it has freed. */
  #end: End | null = null;
  /** What has become free, by member, since a time. */
  #freed = new Map<number | null, number>();
  #since = -Infinity;
  readonly #looks: Look[] = [];

  constructor(options: HeldMemoryOptions) {
    const { onHeld, memoryUsage = Deno.memoryUsage, now = () => performance.now() } = options;
    this.#onHeld = onHeld;
    this.#memoryUsage = memoryUsage;
    this.#now = now;
  }

  /** Remembers what the process has now; called about once a second. */
  look(): void {
    this.#looks.push({ at: this.#now(), usage: this.#memoryUsage() });
    if (this.#looks.length > LOOKS_MAX) this.#looks.shift();
  }

  /**
   * Notes that the platform reports the end of a socket.
   *
   * @param member whose it is; null for a stranger's
   * @param heardAt when its last whole message had come, or it was opened, in ms
   */
  noteEnd(member: number | null, heardAt: number): void {
    const before = this.#memoryUsage();
    // Of those that end in the same turn, each frees what it held before the next is reported.
    this.#settle(before);
    this.#end = { member, before, heardAt };
    queueMicrotask(() => {
      if (this.#end !== null) this.#settle(this.#memoryUsage());
    });
  }

  #settle(after: MemoryUsage): void {
    if (this.#end === null) return;
    const { member, before, heardAt } = this.#end;
    this.#end = null;
    const freed = lessBytes(before, after);
    if (freed < NOTED_BYTES_MIN) return;
    this.#note(member, Math.min(freed, this.#grownSince(heardAt, before)));
  }

  /** Returns what has come to the process since the last look before a time, or the oldest one. */
  #grownSince(time: number, usage: MemoryUsage): number {
    const then = this.#looks.findLast(({ at }) => at <= time) ?? this.#looks[0];
    return then === undefined ? 0 : Math.max(0, lessBytes(usage, then.usage));
  }

  #note(member: number | null, bytes: number): void {
    const now = this.#now();
    if (now - this.#since >= SOON_MS) {
      this.#freed.clear();
      this.#since = now;
    }
    const sum = (this.#freed.get(member) ?? 0) + bytes;
    this.#freed.set(member, sum);
    if (sum >= HELD_BYTES_MAX) this.#onHeld(member, sum);
  }
}

/** Returns how much less there is outside of the heap: what the heap gives back is nobody's. */
function lessBytes(before: MemoryUsage, after: MemoryUsage): number {
  const all = before.rss - after.rss;
  return Math.min(all, all - (before.heapTotal - after.heapTotal));
}
