import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { VenueEvent } from "../../../src/domain/event.ts";
import { InvariantError } from "../../../src/domain/assert.ts";
import { decodeEntry, encodeEntry, GENESIS_HASH } from "../../../src/store/log/entry_codec.ts";
import { LOG_FORMAT, NewerFormatError } from "../../../src/store/stored_formats.ts";
import { ByteWriter } from "../../../src/store/byte_writer.ts";
import { writeEvent } from "../../../src/store/log/event_codec.ts";
import { ANY_EVENT, EVENTS_AT } from "../../support/arbitrary_events.ts";

const BATCH_ID = new Uint8Array(16).fill(9);

/** Encodes an entry of these events. */
function entryOf(events: readonly VenueEvent[], first = 1, previous = GENESIS_HASH) {
  const writer = new ByteWriter();
  for (const event of events) writeEvent(writer, event, EVENTS_AT);
  const head = { first, at: EVENTS_AT, batchId: BATCH_ID, count: events.length };
  return encodeEntry(head, writer.take(), previous);
}

describe("an entry of the log", () => {
  it("round-trips with its events, time and place in the chain", () => {
    fc.assert(fc.property(fc.array(ANY_EVENT, { maxLength: 20 }), fc.maxSafeNat(), (events, n) => {
      const { bytes, hash } = entryOf(events, n);
      const entry = { first: n, at: EVENTS_AT, batchId: BATCH_ID, events, hash };
      assertEquals(decodeEntry(bytes, GENESIS_HASH), entry);
    }));
  });

  it("is refused after any entry but its predecessor", () => {
    const first = entryOf([{ kind: "order_rested", id: 1 }]);
    const second = entryOf([{ kind: "order_rested", id: 2 }], 2, first.hash);
    assertEquals(decodeEntry(second.bytes, first.hash).first, 2);
    for (const previous of [GENESIS_HASH, second.hash]) {
      assertThrows(() => decodeEntry(second.bytes, previous), InvariantError, "hash follows");
    }
  });

  it("is refused with any bit flipped", () => {
    const [sample] = fc.sample(fc.array(ANY_EVENT, { minLength: 5, maxLength: 5 }), {
      numRuns: 1,
      seed: 4,
    });
    const { bytes } = entryOf(sample ?? []);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = bytes.slice();
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << bit % 8);
      // The format byte is not hashed, and lower values are older formats.
      if (bit < 8 && (damaged[0] ?? 0) < LOG_FORMAT) continue;
      assertThrows(() => decodeEntry(damaged, GENESIS_HASH), Error, undefined, `bit ${bit}`);
    }
  });

  it("is refused if cut short or followed by anything", () => {
    const { bytes } = entryOf([{ kind: "order_rested", id: 1 }]);
    for (let length = 0; length < bytes.length; length++) {
      assertThrows(() => decodeEntry(bytes.subarray(0, length), null), InvariantError);
    }
    assertThrows(() => decodeEntry(new Uint8Array([...bytes, 0]), null), InvariantError);
  });

  it("is refused if a newer program wrote it", () => {
    const { bytes } = entryOf([]);
    bytes[0] = LOG_FORMAT + 1;
    assertThrows(() => decodeEntry(bytes, null), NewerFormatError);
  });
});
