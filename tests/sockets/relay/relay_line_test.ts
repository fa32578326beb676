import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { yieldToOthers } from "../../../src/engine/yield_to_others.ts";
import {
  EVENTS_AT_ONCE_MAX,
  LENGTH_AT_ONCE_MAX,
  RelayLine,
} from "../../../src/sockets/relay/relay_line.ts";
import type { RelayedEvent } from "../../../src/sockets/relay/relay_protocol.ts";

function text(id: number, length: number): RelayedEvent {
  return { kind: "text", id, text: "x".repeat(length) };
}

/** Returns a line and the ids of the events that it has passed, by turn. */
function line(): { line: RelayLine; passed: number[][] } {
  const passed: number[][] = [];
  return { line: new RelayLine((events) => passed.push(events.map(({ id }) => id))), passed };
}

describe("the line of the sockets' events", () => {
  it("passes those of one turn together, in order", async () => {
    const { line: own, passed } = line();
    for (const id of [1, 2, 3]) own.add({ kind: "open", id });
    assertEquals(passed, []);
    await yieldToOthers();
    assertEquals(passed, [[1, 2, 3]]);
  });

  it("passes no more than there is room for until they are dealt with", async () => {
    const { line: own, passed } = line();
    for (let id = 1; id <= EVENTS_AT_ONCE_MAX + 10; id++) own.add(text(id, 1));
    await yieldToOthers();
    assertEquals(passed.map(({ length }) => length), [EVENTS_AT_ONCE_MAX]);
    await yieldToOthers();
    assertEquals(passed.length, 1);
    own.handled(3);
    await yieldToOthers();
    assertEquals(passed[1], [1, 2, 3].map((more) => EVENTS_AT_ONCE_MAX + more));
  });

  it("counts how long they are as well", async () => {
    const { line: own, passed } = line();
    const half = LENGTH_AT_ONCE_MAX / 2;
    for (const id of [1, 2, 3]) own.add(text(id, half));
    own.add(text(4, 1));
    await yieldToOthers();
    assertEquals(passed, [[1, 2]]);
    own.handled(1);
    await yieldToOthers();
    assertEquals(passed, [[1, 2], [3]]);
    own.handled(2);
    await yieldToOthers();
    assertEquals(passed, [[1, 2], [3], [4]]);
  });
});
