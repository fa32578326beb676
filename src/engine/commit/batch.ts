/** A batch: the events of one commit, encoded and applied to the matching state when decided. */
import { apply } from "../../domain/apply.ts";
import type { VenueEvent } from "../../domain/event.ts";
import type { EventSink } from "../../domain/event_sink.ts";
import type { UndoLog } from "../../domain/undo_log.ts";
import type { Venue } from "../../domain/venue.ts";
import type { ByteWriter } from "../../store/byte_writer.ts";
import { writeEvent } from "../../store/log/event_codec.ts";
import { valueBytes } from "../../store/kv/commit_limits.ts";
import { keyBytes, sidecarKey } from "../../store/keys.ts";
import { isSameKey } from "../../store/same_key.ts";
import {
  BATCH_BYTES_MAX,
  HELD_ROWS_MAX,
  SIDECAR_BYTES_MAX,
  SIDECAR_ROWS_MAX,
  VALUE_BYTES_MAX,
} from "../../store/kv/kv_limits.ts";
import type { Check, Mutation } from "../../store/kv/commit.ts";
import type { HeldRow, SidecarRow } from "../engine.ts";

/** The most events of a batch, so that a commit never takes long to decide. */
const BATCH_EVENTS_MAX = 4000;

/** Collects the events of one commit. */
export class Batch implements EventSink {
  readonly events: VenueEvent[] = [];
  /** Sidecar rows of the same commit. */
  readonly sidecar: Mutation[] = [];
  /** Rows on which its commands depend. */
  readonly held: Check[] = [];
  #sidecarBytes = 0;
  readonly #writer: ByteWriter;
  readonly #venue: Venue;
  readonly #undo: UndoLog;
  /** Encoded bytes and undo steps before each event. */
  readonly #bytesBefore: number[] = [];
  readonly #stepsBefore: number[] = [];

  /** @param at the time stamped on the batch, in ms */
  constructor(venue: Venue, undo: UndoLog, readonly at: number, writer: ByteWriter) {
    this.#venue = venue;
    this.#undo = undo;
    this.#writer = writer;
    writer.reset();
  }

  emit(event: VenueEvent): void {
    this.#bytesBefore.push(this.#writer.length);
    this.#stepsBefore.push(this.#undo.mark());
    writeEvent(this.#writer, event, this.at);
    apply(this.#venue, event, this.at);
    this.events.push(event);
  }

  /**
   * Adds the sidecar rows of the command that has just been decided.
   *
   * @throws {RangeError} if they exceed what one command may have; none of them is added
   */
  addSidecar(rows: readonly SidecarRow[]): void {
    const bytes = sizeOf(rows);
    for (const { key, value } of rows) this.sidecar.push({ key: sidecarKey(key), value });
    this.#sidecarBytes += bytes;
  }

  /** Makes the commit depend on a row that the command which has just been decided holds. */
  hold({ key, versionstamp }: HeldRow): void {
    this.held.push({ key: sidecarKey(key), versionstamp });
  }

  /**
   * Whether a command of this batch writes a row that another one holds: as it was when that one was
   * asked, the row will not be any more.
   */
  rewrites(held: readonly HeldRow[]): boolean {
    return held.some((row) => {
      const own = sidecarKey(row.key);
      return this.sidecar.some(({ key }) => isSameKey(key, own));
    });
  }

  isFull(): boolean {
    return this.#writer.length >= BATCH_BYTES_MAX || this.events.length >= BATCH_EVENTS_MAX ||
      this.#sidecarBytes >= SIDECAR_BYTES_MAX || this.sidecar.length >= SIDECAR_ROWS_MAX ||
      this.held.length >= HELD_ROWS_MAX;
  }

  mark(): number {
    return this.events.length;
  }

  rollback(mark: number): void {
    if (mark === this.events.length) return;
    this.#undo.rollback(this.#stepsBefore[mark] ?? 0);
    this.#writer.truncate(this.#bytesBefore[mark] ?? 0);
    this.events.length = mark;
    this.#bytesBefore.length = mark;
    this.#stepsBefore.length = mark;
  }

  /** Returns the encoded events, valid until the next event. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#writer.view();
  }
}

/** Returns the bytes of a command's rows; throws if they would make the whole commit fail. */
function sizeOf(rows: readonly SidecarRow[]): number {
  let sum = 0;
  for (const { key, value } of rows) {
    const bytes = value === null ? 0 : valueBytes(value);
    if (bytes > VALUE_BYTES_MAX) throw new RangeError(`A row beside the log has ${bytes} bytes`);
    sum += bytes + 2 * keyBytes(sidecarKey(key));
  }
  if (rows.length > SIDECAR_ROWS_MAX || sum > SIDECAR_BYTES_MAX) {
    throw new RangeError(`A command has ${rows.length} rows of ${sum} bytes beside the log`);
  }
  return sum;
}
