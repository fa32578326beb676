/**
 * Entries that the watch has reported while those before them are read: where the store is far away,
 * more come meanwhile than one reading after another could ever catch up with.
 */
import { decodeEntryHeader } from "../../store/log/entry_codec.ts";

/** Entries that are kept. */
const ENTRIES_MAX = 500;

/** Bytes of entries, by the sequence of their first event. */
export class EntriesAhead {
  readonly #bytes = new Map<number, Uint8Array>();

  /** Keeps an entry. */
  add(bytes: Uint8Array): void {
    const { first } = decodeEntryHeader(bytes);
    if (this.#bytes.size >= ENTRIES_MAX) this.#bytes.clear();
    this.#bytes.set(first, bytes);
  }

  /** Returns the entry after `sequence`, undefined if it is not there; drops those before it. */
  next(sequence: number): Uint8Array | undefined {
    for (const first of this.#bytes.keys()) {
      if (first <= sequence) this.#bytes.delete(first);
    }
    return this.#bytes.get(sequence + 1);
  }
}
