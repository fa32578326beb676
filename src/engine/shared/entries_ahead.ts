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

  /** Keeps an entry, unless all of it is at or below `sequence`. */
  add(bytes: Uint8Array, sequence: number): void {
    const { first } = decodeEntryHeader(bytes);
    if (first <= sequence) return;
    if (this.#bytes.size >= ENTRIES_MAX) this.#bytes.clear();
    this.#bytes.set(first, bytes);
  }

  /** Takes the entry after `sequence`, and drops those before it; undefined if it is not there. */
  next(sequence: number): Uint8Array | undefined {
    for (const first of this.#bytes.keys()) {
      if (first <= sequence) this.#bytes.delete(first);
    }
    const bytes = this.#bytes.get(sequence + 1);
    this.#bytes.delete(sequence + 1);
    return bytes;
  }
}
