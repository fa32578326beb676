/** Observes every applied commit of the log and checks that it continues the one before. */
import { assert } from "../../src/domain/assert.ts";
import { decodeEntry, type Entry, GENESIS_HASH } from "../../src/store/log/entry_codec.ts";
import { isSameBytes, joinBytes } from "../../src/store/byte_strings.ts";
import { type Head, parseHead } from "../../src/store/log/head_codec.ts";
import { entryKey, headKey, watermarkKey } from "../../src/store/keys.ts";
import type { Watermark } from "../../src/store/rows/watermark.ts";
import type { Prng } from "../support/prng.ts";
import { keyCode } from "./key_code.ts";
import type { SimMutation } from "./sim_database.ts";

const HEAD = keyCode(headKey());
const WATERMARK = keyCode(watermarkKey());
const LOG = keyCode(entryKey(0, 0).slice(0, -2));

/** How many entries are of late. */
const TIMES_MAX = 200;

/** The log as written to the store. */
export class LogWitness {
  sequence = 0;
  at = 0;
  entries = 0;
  /** Number of commits that only moved the head. */
  barriers = 0;
  /** Number of commits of the fold. */
  folds = 0;
  #hash: Uint8Array = GENESIS_HASH;
  /** Timestamp and length of each entry, by its first sequence. */
  readonly #known = new Map<number, { readonly at: number; readonly count: number }>();
  /** Times of the latest entries, in ms. */
  readonly #times: number[] = [];
  readonly #onEntry: (entry: Entry) => void;

  constructor(onEntry: (entry: Entry) => void) {
    this.#onEntry = onEntry;
  }

  /** Checks a commit; throws if it does not continue the log. */
  take(mutations: readonly SimMutation[]): void {
    let head: Head | null = null;
    const parts: Uint8Array[] = [];
    for (const { code, value } of mutations) {
      if (code === HEAD) head = parseHead(value as Uint8Array);
      else if (code.startsWith(LOG)) parts.push(value as Uint8Array);
      else if (code === WATERMARK) this.#takeWatermark(value as Watermark);
    }
    if (head !== null) this.#takeHead(head, parts);
    else assert(parts.length === 0, "no entry is written without the head");
  }

  /** Asserts that an entry published by an engine was written to the log. */
  assertKnown(first: number, count: number, at: number): void {
    const known = this.#known.get(first);
    assert(known?.count === count && known.at === at, `the entry at ${first} was written so`);
  }

  /** Returns when some entry of late was written, in ms. */
  timeOfSome(prng: Prng): number {
    return this.#times.length === 0 ? this.at : prng.pick(this.#times);
  }

  #takeHead(head: Head, parts: readonly Uint8Array[]): void {
    if (parts.length === 0) {
      this.barriers += 1;
      assert(head.sequence === this.sequence, `a barrier leaves the log at ${this.sequence}`);
      assert(isSameBytes(head.hash, this.#hash), "a barrier leaves the log's hash alone");
      return;
    }
    const entry = decodeEntry(joinBytes(parts), this.#hash);
    assert(entry.first === this.sequence + 1, `the log goes on at ${this.sequence + 1}`);
    assert(entry.at >= this.at, "the log's time never goes back");
    this.sequence += entry.events.length;
    assert(head.sequence === this.sequence, "the head is at the entry's last event");
    assert(isSameBytes(head.hash, entry.hash), "the head has the entry's hash");
    assert(head.at === entry.at, "the head has the entry's time");
    this.at = entry.at;
    this.#hash = entry.hash;
    this.entries += 1;
    this.#times.push(entry.at);
    if (this.#times.length > TIMES_MAX) this.#times.shift();
    this.#known.set(entry.first, { at: entry.at, count: entry.events.length });
    this.#onEntry(entry);
  }

  #takeWatermark({ sequence, target }: Watermark): void {
    this.folds += 1;
    assert(sequence <= target && target <= this.sequence, "the rows are not ahead of the log");
  }
}
