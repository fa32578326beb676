/**
 * Tells whose sockets have held memory that nobody needs: that of a message whose fragments do not
 * end. While a socket is open nothing tells how much it holds. But the platform frees it in the same
 * turn in which it reports the socket's end, and right after that, so that the difference is it.
 */

const MEBIBYTE = 1024 * 1024;
/**
 * What a member's sockets may free at their ends, in bytes, one soon after the other: more than what
 * a member who does not read has unread.
 */
export const HELD_BYTES_MAX = 64 * MEBIBYTE;
/** What counts, in bytes: less may be others'. */
const NOTED_BYTES_MIN = MEBIBYTE;
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

/** A socket's end, and the memory before what it held is free. */
interface End {
  readonly member: number | null;
  readonly before: MemoryUsage;
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

  constructor(options: HeldMemoryOptions) {
    const { onHeld, memoryUsage = Deno.memoryUsage, now = () => performance.now() } = options;
    this.#onHeld = onHeld;
    this.#memoryUsage = memoryUsage;
    this.#now = now;
  }

  /**
   * Notes that the platform reports the end of a socket.
   *
   * @param member whose it is; null for a stranger's
   */
  noteEnd(member: number | null): void {
    const before = this.#memoryUsage();
    // Of those that end in the same turn, each frees what it held before the next is reported.
    this.#settle(before);
    this.#end = { member, before };
    queueMicrotask(() => {
      if (this.#end !== null) this.#settle(this.#memoryUsage());
    });
  }

  #settle(after: MemoryUsage): void {
    if (this.#end === null) return;
    const { member, before } = this.#end;
    this.#end = null;
    const bytes = freedBytes(before, after);
    if (bytes >= NOTED_BYTES_MIN) this.#note(member, bytes);
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

/** Returns what was freed outside of the heap: what the heap gives back is nobody's. */
function freedBytes(before: MemoryUsage, after: MemoryUsage): number {
  const all = before.rss - after.rss;
  return Math.min(all, all - (before.heapTotal - after.heapTotal));
}
