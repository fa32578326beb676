/**
 * Decides whose connections go first for want of memory, and whose only if that does not help. It is
 * unsigned sockets, whose loss costs the fewest, unless it was found to be others the last time.
 */
import type { Realtime } from "../sockets/realtime.ts";
import type { Held } from "../sockets/socket_registry.ts";
import type { SocketRelay } from "../sockets/relay/socket_relay.ts";
import type { Listener } from "./listener.ts";
import type { Logger } from "./logger.ts";
import {
  FIRST_BYTES_MAX,
  FREED_BYTES_MAX,
  measureOutsideHeap,
  MemoryGuard,
  type Relief,
} from "./memory_guard.ts";

const MEBIBYTE = 1024 * 1024;
/** What a process has outside of its heap when a venue begins, at most, in bytes. */
const USUAL_BYTES_AT_START = 256 * MEBIBYTE;
/** What comes to it in spite of the end of a thread, in bytes, if the thread did not have it. */
const OTHERS_BYTES = 64 * MEBIBYTE;

/** Who lets go. */
export interface MemoryReliefOptions {
  readonly realtime: Pick<
    Realtime,
    "cutRelayed" | "pauseUnsigned" | "resumeUnsigned" | "watchHeld"
  >;
  /** The thread of unsigned sockets; null if they have none. */
  readonly relay: Pick<SocketRelay, "isFreeing" | "renew"> | null;
  /** Returns the listener of all other connections; it is made later. */
  readonly listener: () => Pick<Listener, "isRenewing" | "renew">;
  readonly logger: Pick<Logger, "warn">;
  /** Returns the bytes that the process has outside of the heap. */
  readonly bytesOutsideHeap?: () => number;
}

/** Returns what watches the memory, and lets go of connections. */
export function guardMemory(options: MemoryReliefOptions): readonly MemoryGuard[] {
  return new MemoryRelief(options).guards();
}

/** Lets go of connections. */
class MemoryRelief {
  readonly #options: MemoryReliefOptions;
  readonly #bytesOutsideHeap: () => number;
  /** Whether signed sockets are more likely to hold what is missing. */
  #areMembersFirst = false;

  constructor(options: MemoryReliefOptions) {
    this.#options = options;
    this.#bytesOutsideHeap = options.bytesOutsideHeap ?? measureOfOwn();
    options.realtime.watchHeld({
      isDisturbed: () => options.relay?.isFreeing ?? false,
      onHeld: (held) => this.#noteHeld(held),
    });
  }

  /** Returns what watches the memory. */
  guards(): readonly MemoryGuard[] {
    const { logger } = this.#options;
    const watching = {
      bytesOutsideHeap: this.#bytesOutsideHeap,
      isFreeing: () => this.#isFreeing(),
      logger,
    };
    return [
      new MemoryGuard({ ...watching, bytesMax: FIRST_BYTES_MAX, relieve: () => this.#first() }),
      new MemoryGuard({ ...watching, relieve: () => this.#last() }),
    ];
  }

  #isFreeing(): boolean {
    const { relay, listener } = this.#options;
    return (relay?.isFreeing ?? false) || listener().isRenewing;
  }

  #first(): Relief {
    return this.#areMembersFirst ? this.#dropConnections() : this.#dropUnsigned();
  }

  /** Lets go of the others: those who went first did not have it. */
  #last(): Relief {
    this.#areMembersFirst = !this.#areMembersFirst;
    // Without a thread, only the end of all connections frees what unsigned sockets hold.
    return this.#areMembersFirst || this.#options.relay === null
      ? this.#dropConnections()
      : this.#dropUnsigned();
  }

  #dropConnections(): Relief {
    this.#options.listener().renew();
    return "connections_dropped";
  }

  #dropUnsigned(): Relief {
    const { realtime, relay } = this.#options;
    if (relay === null) realtime.pauseUnsigned();
    else {
      realtime.cutRelayed();
      const before = this.#bytesOutsideHeap();
      relay.renew(() => {
        const bytes = this.#bytesOutsideHeap();
        return bytes < FREED_BYTES_MAX || bytes > before + OTHERS_BYTES;
      });
    }
    return "unsigned_sockets_dropped";
  }

  #noteHeld({ uid, bytes, seconds }: Held): void {
    const { realtime, logger } = this.#options;
    this.#areMembersFirst = uid !== null;
    if (uid === null) return;
    realtime.resumeUnsigned();
    logger.warn("member_sockets_refused", {
      uid,
      mebibytes: Math.round(bytes / MEBIBYTE),
      seconds,
    });
  }
}

/** Creates the measure of what this venue has, and not others in the same process, nor their files. */
export function measureOfOwn(measured: () => number = measureOutsideHeap()): () => number {
  const others = Math.max(0, measured() - USUAL_BYTES_AT_START);
  return () => measured() - others;
}
