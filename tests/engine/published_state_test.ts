import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../src/domain/assert.ts";
import { Venue } from "../../src/domain/venue.ts";
import { PublishedState } from "../../src/engine/published_state.ts";
import { GENESIS_HASH } from "../../src/store/log/entry_codec.ts";

/** Returns an entry of one event, whose hash and levels depend on `value`. */
function entryOf(first: number, value: number) {
  return {
    first,
    at: first,
    batchId: new Uint8Array(16),
    events: [
      { kind: "levels_set", levels: { deposit: value, withdraw: value, trading: value } },
    ] as const,
    hash: new Uint8Array(32).fill(value),
  };
}

function publish(...entries: ReturnType<typeof entryOf>[]): PublishedState {
  const state = new PublishedState(new Venue({ nonceWindowMs: 5000, undo: null }), GENESIS_HASH);
  for (const entry of entries) state.take({ ...entry, events: [...entry.events] });
  return state;
}

describe("the published state", () => {
  it("has the sequence and hash of the last entry", () => {
    const state = publish(entryOf(1, 7), entryOf(2, 8));
    assertEquals([state.sequence, state.hash[0], state.venue.levels.trading], [2, 8, 8]);
  });

  it("skips an entry that it already has", () => {
    const state = publish(entryOf(1, 7), entryOf(2, 8), entryOf(1, 9));
    assertEquals([state.sequence, state.hash[0], state.venue.levels.trading], [2, 8, 8]);
    assertEquals(state.tail.entriesAfter(0).length, 2);
  });

  it("refuses an entry after a gap", () => {
    assertThrows(() => publish(entryOf(1, 7), entryOf(3, 8)), InvariantError, "no gap at 3");
  });
});
