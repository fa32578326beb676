/**
 * Lets go of connections before they exhaust the memory. The platform keeps a websocket message
 * until its last fragment, however many come before, and goes on reading from a socket that is
 * closed. Nothing here sees those bytes, or whose they are, until they are free again; one client
 * that never ends its message would end the process. Once the platform bounds messages, this can
 * go. What the platform keeps for peers that read nothing stays until they are gone, whoever lets go
 * of them: that is bounded beforehand.
 */
import { getHeapSpaceStatistics } from "node:v8";
import type { Logger } from "./logger.ts";

/** How often the memory is looked at, in ms. */
const LOOK_MS = 250;
const MEBIBYTE = 1024 * 1024;
/**
 * How much memory there may be outside of the heap, in bytes: more than all that the venue bounds
 * itself, such as the store's pages, calls' bodies, and what is unread of answers and streams.
 */
export const OUTSIDE_HEAP_BYTES_MAX = 1024 * MEBIBYTE;
/** With that much, in bytes, those have to go who are more likely to have it: not all, if it helps. */
export const FIRST_BYTES_MAX = 768 * MEBIBYTE;
/** With less than that, in bytes, what unsigned sockets held in a thread of their own is free. */
export const FREED_BYTES_MAX = 512 * MEBIBYTE;
/** How much may come to what was still there when all connections had been let go, in bytes. */
const GROWTH_BYTES_MAX = 256 * MEBIBYTE;

/** What was let go of. */
export type Relief = "connections_dropped" | "unsigned_sockets_dropped";

/** What a guard watches and does. */
export interface MemoryGuardOptions {
  /** Returns the bytes that the process has outside of the heap. */
  readonly bytesOutsideHeap?: () => number;
  readonly bytesMax?: number;
  /** Whether what was let go of may not be free yet: nothing is judged then. */
  readonly isFreeing?: () => boolean;
  /** Lets go of connections; returns what is logged. */
  readonly relieve: () => Relief;
  readonly logger: Pick<Logger, "warn">;
}

/** Watches the memory of the process. */
export class MemoryGuard {
  readonly #options: MemoryGuardOptions;
  readonly #bytesOutsideHeap: () => number;
  readonly #bytesMax: number;
  #limit: number;
  #isRelieved = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: MemoryGuardOptions) {
    const { bytesOutsideHeap = measureOutsideHeap(), bytesMax = OUTSIDE_HEAP_BYTES_MAX } = options;
    this.#options = options;
    this.#bytesOutsideHeap = bytesOutsideHeap;
    this.#bytesMax = bytesMax;
    this.#limit = bytesMax;
  }

  /** Watches from now on. */
  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Lets go of connections if the memory has grown beyond the limit. */
  look(): void {
    if (this.#options.isFreeing?.() === true) return;
    const bytes = this.#bytesOutsideHeap();
    // What is still there was not theirs, and letting go of them again would not free it. Where it
    // becomes less, so may what comes to it.
    const grown = this.#isRelieved ? bytes : Math.min(bytes, this.#limit - GROWTH_BYTES_MAX);
    this.#isRelieved = false;
    this.#limit = Math.max(this.#bytesMax, grown + GROWTH_BYTES_MAX);
    if (bytes <= this.#limit) return;
    const { logger, relieve } = this.#options;
    this.#isRelieved = true;
    logger.warn(relieve(), { mebibytes: Math.round(bytes / MEBIBYTE) });
  }

  /** Stops watching. */
  stop(): void {
    clearInterval(this.#timer);
  }
}

/**
 * Creates the measure of what the process has outside of the heap. V8 keeps pages that it has taken
 * out of the heap, so all that the heap has ever had may still be there; but not large objects, such
 * as the text of a message that is much too long, which have pages of their own.
 */
export function measureOutsideHeap(
  memoryUsage: () => { rss: number; heapTotal: number } = Deno.memoryUsage,
  largeObjects: () => number = largeObjectBytes,
): () => number {
  let heapMost = 0;
  return () => {
    const { rss, heapTotal } = memoryUsage();
    const large = largeObjects();
    heapMost = Math.max(heapMost, heapTotal - large);
    return rss - heapMost - large;
  };
}

/** Returns what large objects have of the heap, in bytes; 0 where the platform does not tell. */
function largeObjectBytes(): number {
  try {
    return getHeapSpaceStatistics().reduce(
      (sum, { space_name: name, space_size: bytes }) =>
        name.endsWith("large_object_space") ? sum + bytes : sum,
      0,
    );
  } catch {
    // Deno 2.5 has no such figures.
    return 0;
  }
}
