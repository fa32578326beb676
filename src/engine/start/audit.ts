/**
 * The audit: reads only the store, replays the log from its first entry, and compares everything
 * that can be derived from it with what is stored.
 */
import type { Switches } from "../../domain/event.ts";
import { bytesToHex } from "@noble/hashes/utils.js";
import { assert, InvariantError } from "../../domain/assert.ts";
import { checkedApply } from "../../domain/checked_apply.ts";
import { formatDecimal } from "../../domain/money/money.ts";
import { OUTSIDE_MEMBER } from "../../domain/people/member.ts";
import { Venue } from "../../domain/venue.ts";
import { endOf, type Entry, GENESIS_HASH } from "../../store/log/entry_codec.ts";
import { isSameBytes } from "../../store/byte_strings.ts";
import { OtherVersionError } from "../../store/stored_formats.ts";
import { type HeadMark, isHeadMarkTorn, readHeadMark } from "../../store/file/head_mark.ts";
import { openExistingStore, type Store, UnreadableError } from "../../store/store.ts";
import { isFilePath, realKvPath } from "../../store/file/venue_file.ts";
import { sidecarKey } from "../../store/keys.ts";
import { readEntries, readHead } from "../../store/log/venue_log.ts";
import type { Head } from "../../store/log/head_codec.ts";
import {
  EMPTY_WATERMARK,
  type FoldPoint,
  readWatermark,
  settingsOf,
  type Watermark,
} from "../../store/rows/watermark.ts";
import { dropEnded } from "../ended_records.ts";
import { WINDOW_EVENTS_MAX } from "../fold/fold_writer.ts";
import { foldWindow } from "../fold/fold_window.ts";
import { FUNDS_HISTORY } from "../fold/funds_fold.ts";
import { findFaultsBeside } from "./beside_checks.ts";
import { findStrayKeys } from "./stray_keys.ts";
import {
  compareRows,
  type Comparison,
  type Difference,
  type MayBeTrueAt,
} from "./row_comparison.ts";
import { MemoryRows } from "../fold/row_source.ts";
import type { SidecarKey } from "../engine.ts";
import { noPause } from "../yield_to_others.ts";

/** The result of an audit. */
export interface AuditReport {
  /** Figures by name, in display order. */
  readonly figures: ReadonlyMap<string, string>;
  /** What does not match; empty if all is well. */
  readonly differences: readonly string[];
  /** The venue as the log ends. */
  readonly venue: Venue;
  /** What the log ends with: the number of acts, and what is stopped. */
  readonly acts: number;
  readonly switches: Switches;
}

/** Looks at what the master keys seal, which the engine doesn't know. */
export interface SealingCheck {
  /** What a start opens. */
  readonly keys: readonly SidecarKey[];
  /** Returns why the sealed value of a key doesn't open; null if it does. */
  fault(value: unknown, key: SidecarKey): Promise<string | null>;
}

/** Audits the venue in a store. Needs no running venue, and no secret but to check those given. */
export async function runAudit(
  kvPath: string | undefined,
  sealing: SealingCheck | null = null,
): Promise<AuditReport> {
  const store = await openExistingStore(await realKvPath(kvPath));
  try {
    return await auditStore(store, { sealing });
  } finally {
    store.close();
  }
}

/**
 * Audits the venue in an open store.
 *
 * @param isCopy whether an older copy was put back on purpose: the mark may be further, or another's
 */
export async function auditStore(
  store: Store,
  { isCopy = false, sealing = null }: { isCopy?: boolean; sealing?: SealingCheck | null } = {},
): Promise<AuditReport> {
  const audit = new Audit(store, isCopy);
  try {
    await audit.run();
    await audit.checkSealed(sealing);
  } catch (error) {
    const isFound = error instanceof InvariantError || error instanceof UnreadableError;
    if (!isFound) throw error;
    if (error instanceof OtherVersionError) throw error;
    // The database itself fails on a key with a flipped bit, and says so in the cause.
    const { cause } = error;
    audit.note(cause instanceof Error ? `${error.message}: ${cause.message}` : error.message);
  }
  return audit.report();
}

class Audit {
  readonly figures = new Map<string, string>();
  /** What does not match in the log, its head and its mark; they are of one moment. */
  readonly #ofLog: string[] = [];
  /** What does not match in the rows, which may have moved meanwhile. */
  #ofRows: string[] = [];
  readonly #store: Store;
  readonly #isCopy: boolean;
  readonly #venue = new Venue({ nonceWindowMs: 5000, undo: null });
  readonly #rows = new MemoryRows();
  #window: Entry[] = [];
  #windowEvents = 0;
  #watermark: FoldPoint = EMPTY_WATERMARK;
  /** Differences within a window that was cut short, whose rows may be those of its end. */
  #unsettled: readonly Difference[] = [];
  /** Where the rows have been compared with the replay: a point that is missing proves nothing. */
  readonly #compared = new Set<number>();

  constructor(store: Store, isCopy: boolean) {
    this.#store = store;
    this.#isCopy = isCopy;
  }

  /** Returns what was found so far. */
  report(): AuditReport {
    const { counters: { acts }, switches } = this.#venue;
    const differences = [...this.#ofLog, ...this.#ofRows];
    return { figures: this.figures, differences, venue: this.#venue, acts, switches };
  }

  /** Notes a difference because of which the audit can't go on. */
  note(difference: string): void {
    this.#ofLog.push(difference);
  }

  /** Checks that the master keys open what a start opens. */
  async checkSealed(sealing: SealingCheck | null): Promise<void> {
    if (sealing === null) {
      this.figures.set("master key", "not checked, since MASTER_KEY is not set");
      return;
    }
    let isAny = false;
    for (const key of sealing.keys) {
      const { value } = await this.#store.get(sidecarKey(key));
      if (value === null) continue;
      const fault = await sealing.fault(value, key);
      if (fault !== null) return this.note(`master key: ${fault}`);
      isAny = true;
    }
    this.figures.set("master key", isAny ? "opens the store" : "has sealed nothing yet");
  }

  async run(): Promise<void> {
    // In a running venue the head moves first and these two follow, so the head is read last.
    const mark = await this.#readMark();
    const { value: stored } = await readWatermark(this.#store);
    const { value: head } = await readHead(this.#store);
    const { sequence, target } = stored;
    const isPoint = Number.isSafeInteger(sequence) && Number.isSafeInteger(target);
    assert(isPoint && sequence >= 0 && sequence <= target, "the watermark names events of the log");
    assert(target <= head.sequence, "the watermark is not ahead of the log");
    const entries = await this.#replay(head, stored);
    this.#checkHead(head);
    this.#checkMark(mark, head);
    await this.#checkStandstill(stored);
    await this.#checkStrayKeys();
    this.#ofLog.push(...await findFaultsBeside(this.#store, head));
    this.#venue.checkInvariants();
    const isCompared = this.#compared.has(sequence) && this.#compared.has(target);
    assert(isCompared, "the rows were compared with the replay");
    this.#describe(entries, stored);
  }

  /** Replays every entry, and compares the rows once the replay has reached their sequence. */
  async #replay(head: Head, stored: Watermark): Promise<number> {
    let count = 0;
    let hash: Uint8Array = GENESIS_HASH;
    if (stored.sequence === 0) await this.#compare(stored);
    for await (const entry of readEntries(this.#store, 0, head.sequence, GENESIS_HASH)) {
      assert(entry.at >= this.#venue.time, `the log's time does not go back at ${entry.first}`);
      count += 1;
      hash = entry.hash;
      this.#apply(entry);
      const end = endOf(entry);
      for (const part of cutAt(entry, [stored.sequence, stored.target])) {
        await this.#fold(part, stored, end);
      }
    }
    assert(isSameBytes(hash, head.hash), "the head's hash is that of the last entry");
    return count;
  }

  #apply(entry: Entry): void {
    for (const event of entry.events) checkedApply(this.#venue, event, entry.at);
    dropEnded(this.#venue);
    for (const book of this.#venue.books) {
      const bid = book.bids.best()?.price ?? 0;
      const ask = book.asks.best()?.price ?? Infinity;
      assert(bid < ask, `the book of ${book.market.id} is not crossed at ${entry.first}`);
    }
  }

  /**
   * Folds in memory, up to where the store's rows are folded.
   *
   * @param part an entry, or what of it lies on one side of the watermark
   * @param entryEnd the sequence of the whole entry's last event
   */
  async #fold(part: Entry, stored: Watermark, entryEnd: number): Promise<void> {
    const end = endOf(part);
    if (end > stored.target) return;
    this.#window.push(part);
    this.#windowEvents += part.events.length;
    const isStop = end === stored.sequence || end === stored.target;
    if (!isStop && this.#windowEvents < WINDOW_EVENTS_MAX) return;
    const folded = await foldWindow(this.#window, this.#rows, this.#watermark, noPause);
    this.#rows.note(folded.changes);
    this.#watermark = folded.watermark;
    this.#window = [];
    this.#windowEvents = 0;
    if (isStop && end < entryEnd) {
      this.#ofRows.push(`watermark: ${end} lies within an entry that ends at ${entryEnd}`);
    }
    if (end === stored.sequence) {
      this.#compareWatermark(stored);
      await this.#compare(stored);
    } else if (end === stored.target) await this.#compareTarget(stored);
  }

  #compareWatermark(stored: Watermark): void {
    const replayed = this.#watermark;
    const isSame = settingsText(replayed) === settingsText(stored) &&
      isSameBytes(replayed.hash, stored.hash);
    if (!isSame) {
      this.#ofRows.push("watermark: counters, settings, time or hash differ from the replay");
    }
  }

  /** Compares the rows with the replay's. In a window cut short, they may be those of its end. */
  async #compare(watermark: Watermark): Promise<void> {
    const { sequence, target, stateSum: stored } = watermark;
    const isCutShort = target > sequence;
    const { compared, differences, stateSum } = await this.#compareRows(
      watermark,
      (row, isHistory) => row <= (isHistory ? target : sequence),
    );
    this.#compared.add(sequence);
    this.figures.set("rows compared", String(compared));
    if (isCutShort) this.#unsettled = differences;
    else this.#report(differences);
    // Where rows differ that should not, the sum tells nothing more.
    if (stored === null || stateSum === stored || (!isCutShort && differences.length > 0)) return;
    this.#ofRows.push("watermark: the sum of the state's rows differs");
  }

  async #compareTarget(watermark: Watermark): Promise<void> {
    const { target } = watermark;
    const { differences } = await this.#compareRows(
      watermark,
      // What is not of the window's start was written by its fold, which made it true at its end.
      (row, isHistory) => isHistory ? row <= target : row === target,
    );
    this.#compared.add(target);
    const atTarget = new Map(differences.map(({ name, kind }) => [name, kind]));
    const isWrong = ({ name, kind }: Difference) =>
      // A long history may be half written: more than at the start, less than at the end.
      atTarget.has(name) && !(kind === "more" && atTarget.get(name) === "less");
    this.#report(this.#unsettled.filter(isWrong));
  }

  /** Compares the rows. After an older program, those of funds may lack records until a start. */
  async #compareRows(
    { hasFunds }: Watermark,
    mayBeTrueAt: MayBeTrueAt,
  ): Promise<Comparison> {
    const found = await compareRows(this.#store, this.#rows, mayBeTrueAt);
    const isMeant = ({ name, kind }: Difference) =>
      hasFunds || kind !== "less" || !name.startsWith(`${FUNDS_HISTORY.table} `);
    return { ...found, differences: found.differences.filter(isMeant) };
  }

  /** One by one: they may be more than a call takes as arguments. */
  #report(differences: readonly Difference[]): void {
    for (const { name } of differences) {
      this.#ofRows.push(`row ${name} differs from the replay`);
    }
  }

  /** Finds keys that no program of a venue writes, and entries behind the head. */
  async #checkStrayKeys(): Promise<void> {
    for (const name of await findStrayKeys(this.#store)) {
      this.#ofLog.push(`key ${name} is not one of the venue's`);
    }
  }

  /** Discards the rows' differences if they moved meanwhile: the comparison proves nothing then. */
  async #checkStandstill(stored: Watermark): Promise<void> {
    const { value: now } = await readWatermark(this.#store);
    if (now.sequence === stored.sequence && now.target === stored.target) return;
    this.#ofRows = ["rows: the venue folded during the audit; repeat it when the venue is quiet"];
  }

  #checkHead(head: Head): void {
    assert(this.#venue.sequence === head.sequence, "the replay ends at the head");
    assert(
      this.#venue.sequence === 0 || this.#venue.time === head.at,
      "the head has the last time",
    );
  }

  async #readMark(): Promise<HeadMark | null> {
    const { path } = this.#store;
    if (this.#isCopy) return null;
    if (!isFilePath(path)) return null;
    if (await isHeadMarkTorn(path)) {
      this.#ofLog.push(
        "head: the mark beside the file is torn, and nothing can be compared with it",
      );
      return null;
    }
    return await readHeadMark(path);
  }

  #checkMark(mark: HeadMark | null, head: Head): void {
    if (mark === null) return;
    const isLost = mark.epoch !== head.epoch || mark.sequence > head.sequence ||
      (mark.sequence === head.sequence && mark.hash !== bytesToHex(head.hash));
    if (isLost) {
      this.#ofLog.push(`head: the log was at ${mark.sequence}, but is now at ${head.sequence}`);
    }
  }

  #describe(entries: number, stored: Watermark): void {
    const venue = this.#venue;
    this.figures.set("entries", String(entries));
    this.figures.set("events", String(venue.sequence));
    this.figures.set("folded", String(stored.sequence));
    this.figures.set("members", String(venue.members().length));
    this.figures.set("orders", String(venue.counters.orders));
    this.figures.set("open orders", String(venue.orders.size));
    this.figures.set("trades", String(venue.counters.trades));
    this.figures.set("deposits", String(venue.counters.deposits));
    this.figures.set("open deposits", String(venue.deposits.size));
    this.figures.set("withdrawals", String(venue.counters.withdraws));
    this.figures.set("open withdrawals", String(venue.withdraws.size));
    for (const currency of venue.currencies) {
      const held = -(venue.holder(OUTSIDE_MEMBER).accounts[currency.index]?.available ?? 0n);
      this.figures.set(`${currency.id} held`, formatDecimal(held));
    }
  }
}

function settingsText(point: FoldPoint): string {
  return JSON.stringify([point.at, point.counters, settingsOf(point)]);
}

/**
 * Yields the parts of an entry that end at these sequences (ascending), and the rest. A part has the
 * time and hash of the whole.
 */
export function* cutAt(entry: Entry, ends: readonly number[]): Generator<Entry> {
  const last = endOf(entry);
  let first = entry.first;
  for (const end of [...ends.filter((one) => one < last), last]) {
    if (end < first) continue;
    const events = entry.events.slice(first - entry.first, end + 1 - entry.first);
    yield { ...entry, first, events };
    first = end + 1;
  }
}
