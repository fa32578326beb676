import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { InvariantError } from "../../../src/domain/assert.ts";
import type { VenueEvent } from "../../../src/domain/event.ts";
import {
  CLOSE_REASONS,
  ORDER_TYPES,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
} from "../../../src/domain/trading/order.ts";
import { ByteReader } from "../../../src/store/byte_reader.ts";
import { ByteWriter } from "../../../src/store/byte_writer.ts";
import { LOG_FORMAT } from "../../../src/store/stored_formats.ts";
import { codeOf, readEvent, wordOf, writeEvent } from "../../../src/store/log/event_codec.ts";
import { EVENTS, EVENTS_AT } from "../../support/arbitrary_events.ts";

describe("an event as bytes", () => {
  it("holds only words that have a code", () => {
    const words: readonly string[] = ["buy", "sell"];
    assertEquals([codeOf(words, "sell"), wordOf(words, 1)], [1, "sell"]);
    assertThrows(() => codeOf(words, "hold"), InvariantError, "has a code");
    assertThrows(() => wordOf(words, 2), InvariantError, "has a word");
  });

  it("has a different code for a resting order whose member is told of it", () => {
    const bytesOf = (event: VenueEvent) => {
      const writer = new ByteWriter();
      writeEvent(writer, event, EVENTS_AT);
      return [...writer.take()];
    };
    assertEquals(bytesOf({ kind: "order_rested", id: 5 }), [3, 5]);
    assertEquals(bytesOf({ kind: "order_rested", id: 5, member: 2 }), [21, 5, 2]);
  });

  it("has no kind or word that an older program of the same format does not know", () => {
    const kinds = Array.from({ length: 256 }, (_, code) => code).filter((code) => {
      try {
        return readEvent(new ByteReader(new Uint8Array(100).with(0, code)), 0, LOG_FORMAT);
      } catch (error) {
        return !(error instanceof InvariantError &&
          error.message.includes(`code ${code} has a word`));
      }
    });
    const words = [SIDES, ORDER_TYPES, TIMES_IN_FORCE, SELF_TRADE_PREVENTIONS, CLOSE_REASONS];
    assertEquals(
      { format: LOG_FORMAT, kinds: kinds.length, words: words.flat().length },
      { format: 8, kinds: 32, words: 25 },
      "A new kind or word needs a new LOG_FORMAT, or a program that does not know it ends with " +
        'an obscure error instead of "a newer version has written it". Raise it, then these.',
    );
  });

  for (const [kind, arbitrary] of Object.entries(EVENTS)) {
    it(`round-trips: ${kind}`, () => {
      fc.assert(
        fc.property(arbitrary as fc.Arbitrary<VenueEvent>, (event) => {
          const writer = new ByteWriter();
          writeEvent(writer, event, EVENTS_AT);
          const reader = new ByteReader(writer.take());
          assertEquals(readEvent(reader, EVENTS_AT, LOG_FORMAT), event);
          assertEquals(reader.isAtEnd, true);
        }),
        { numRuns: 200 },
      );
    });
  }
});
