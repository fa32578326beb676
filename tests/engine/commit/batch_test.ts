import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { decide } from "../../../src/domain/decide.ts";
import { runMarket } from "../../../src/domain/trading/matching.ts";
import type { UndoLog } from "../../../src/domain/undo_log.ts";
import type { Venue } from "../../../src/domain/venue.ts";
import { Batch } from "../../../src/engine/commit/batch.ts";
import { ByteReader } from "../../../src/store/byte_reader.ts";
import { ByteWriter } from "../../../src/store/byte_writer.ts";
import { readEvent } from "../../../src/store/log/event_codec.ts";
import { LOG_FORMAT } from "../../../src/store/stored_formats.ts";
import { BATCH_BYTES_MAX } from "../../../src/store/kv/kv_limits.ts";
import { Prng } from "../../support/prng.ts";
import { randomCommand, streamVenue } from "../../support/random_command.ts";
import { commandOf } from "../../support/run_random_command.ts";
import { stateText } from "../../support/state_text.ts";

/** Returns a venue for random streams with nothing to undo. */
function openVenue(): { venue: Venue; undo: UndoLog } {
  const { venue, undo } = streamVenue();
  undo.clear(0);
  venue.endedOrders.length = 0;
  return { venue, undo };
}

/** Decides random commands in a batch until it is full, at most `commands` of them. */
function run(batch: Batch, venue: Venue, prng: Prng, commands: number): void {
  for (let i = 0; i < commands && !batch.isFull(); i++) {
    const command = commandOf(venue, randomCommand((below) => prng.below(below), venue));
    decide(venue, null, command, batch);
    for (const book of venue.books) runMarket(venue, book, batch);
  }
}

describe("a batch", () => {
  it("holds what was applied, both as events and as bytes", () => {
    const { venue, undo } = openVenue();
    const batch = new Batch(venue, undo, 1000, new ByteWriter());
    const before = venue.sequence;
    run(batch, venue, new Prng(51), 300);
    assertEquals(venue.sequence - before, batch.events.length);
    const reader = new ByteReader(batch.bytes());
    assertEquals(batch.events.map(() => readEvent(reader, 1000, LOG_FORMAT)), batch.events);
    assertEquals(reader.isAtEnd, true);
  });

  it("rolls back to any of its marks without a trace", () => {
    const { venue, undo } = openVenue();
    const batch = new Batch(venue, undo, 1000, new ByteWriter());
    const prng = new Prng(52);
    for (let round = 0; round < 100; round++) {
      run(batch, venue, prng, prng.below(4));
      const mark = batch.mark();
      const before = { state: stateText(venue), bytes: batch.bytes(), events: [...batch.events] };
      run(batch, venue, prng, prng.between(1, 12));
      batch.rollback(mark);
      assertEquals(stateText(venue), before.state);
      assertEquals(batch.bytes(), before.bytes);
      assertEquals(batch.events, before.events);
    }
    undo.rollback(0);
    assertEquals(stateText(venue), stateText(openVenue().venue));
  });

  it("starts over in the buffer of the previous one", () => {
    const { venue, undo } = openVenue();
    const writer = new ByteWriter();
    run(new Batch(venue, undo, 1000, writer), venue, new Prng(53), 20);
    undo.clear(0);
    const batch = new Batch(venue, undo, 1000, writer);
    assertEquals(batch.bytes().length, 0);
    batch.emit({ kind: "levels_set", levels: { deposit: 1, withdraw: 3, trading: 2 } });
    const reader = new ByteReader(batch.bytes());
    assertEquals([readEvent(reader, 1000, LOG_FORMAT)], batch.events);
    assertEquals(reader.isAtEnd, true);
  });

  it("has room for four thousand small events", () => {
    const { venue, undo } = openVenue();
    const batch = new Batch(venue, undo, 1000, new ByteWriter());
    const levels = { deposit: 1, withdraw: 3, trading: 2 };
    for (let count = 0; count < 4000; count++) {
      assertEquals(batch.isFull(), false);
      batch.emit({ kind: "levels_set", levels });
    }
    assertEquals(batch.isFull(), true);
  });

  it("fills up by events or by bytes", () => {
    for (const length of [0, 36]) {
      const { venue, undo } = openVenue();
      const batch = new Batch(venue, undo, 1000, new ByteWriter());
      const member = { ...venue.members()[0]?.member, emailDigest: "x".repeat(length * 100) };
      while (!batch.isFull()) batch.emit({ kind: "member_set", member: member as never });
      const { length: events } = batch.events;
      assert(length === 0 ? events > 500 : events < 100, `${events} events`);
      assert(batch.bytes().length < BATCH_BYTES_MAX + 4000);
    }
  });
});
