import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { yieldToOthers } from "../../src/engine/yield_to_others.ts";
import {
  FRAME_CHARACTERS_MIN,
  type FrameSender,
  FrameTurns,
  TURN_CHARACTERS,
} from "../../src/sockets/frame_turns.ts";

const SHORT_PER_TURN = TURN_CHARACTERS / FRAME_CHARACTERS_MIN;

/** Takes turns, signed for names in capitals, and notes whose frames were worked on, and which turn of the loop it was. */
class Worked {
  readonly turns = new FrameTurns();
  readonly #sockets = new Map<string, FrameSender>();
  /** The names of frames, with a bar between turns of the loop. */
  told = "";

  take(name: string, length: number): void {
    const isSigned = name === name.toUpperCase();
    const socket = this.#sockets.get(name) ?? { member: isSigned ? 1 : null };
    this.#sockets.set(name, socket);
    const turn = this.turns.take(socket, length);
    if (turn === null) this.told += name;
    else void turn.then(() => this.told += name);
  }

  async pass(turns: number): Promise<void> {
    for (let i = 0; i < turns; i++) {
      await yieldToOthers();
      this.told += "|";
    }
  }
}

describe("frames of sockets", () => {
  it("are worked on at once, as many as one turn of the loop has time for", async () => {
    const worked = new Worked();
    for (let i = 0; i < SHORT_PER_TURN; i++) worked.take("a", 1);
    assertEquals(worked.told, "a".repeat(SHORT_PER_TURN));
    worked.take("b", 1);
    assertEquals(worked.told.length, SHORT_PER_TURN);
    await worked.pass(1);
    assertEquals(worked.told.slice(SHORT_PER_TURN), "b|");
  });

  it("of an idle process never wait, however many came before", async () => {
    const worked = new Worked();
    for (let i = 0; i < 3 * SHORT_PER_TURN; i++) {
      worked.take("a", 1);
      await yieldToOthers();
      assertEquals(worked.told.length, i + 1);
    }
  });

  it("have a turn of the loop each if they are long, and their sockets take turns", async () => {
    const worked = new Worked();
    for (let i = 0; i < 4; i++) worked.take("a", 16 * TURN_CHARACTERS);
    for (let i = 0; i < 2; i++) worked.take("b", TURN_CHARACTERS);
    worked.take("c", 1);
    worked.take("d", 1);
    assertEquals(worked.told, "a");
    await worked.pass(6);
    assertEquals(worked.told, "aa|b|cda|b|a||");
  });

  it("of signed sockets wait for one turn, whatever any number of others sends", async () => {
    const worked = new Worked();
    const strangers = [..."abcdefghijkl"];
    for (const name of [...strangers, ...strangers]) worked.take(name, TURN_CHARACTERS);
    assertEquals(worked.told, "a");
    worked.take("S", 1);
    worked.take("T", 1);
    await worked.pass(1);
    worked.take("S", 1);
    await worked.pass(2);
    assertEquals(worked.told, "aSTb|Sc|d|");
  });

  it("of unsigned sockets have every second turn, however many signed ones wait", async () => {
    const worked = new Worked();
    for (let i = 0; i < 3; i++) {
      for (const name of ["S", "T", "a"]) worked.take(name, TURN_CHARACTERS);
    }
    await worked.pass(6);
    assertEquals(worked.told, "Sa|T|a|S|a|T|");
  });

  it("of one socket stay in their order", async () => {
    const turns = new FrameTurns();
    const socket = { member: null };
    const order: number[] = [];
    for (let i = 0; i < 3 * SHORT_PER_TURN; i++) {
      const turn = turns.take(socket, 1);
      if (turn === null) order.push(i);
      else void turn.then(() => order.push(i));
    }
    for (let i = 0; i < 4; i++) await yieldToOthers();
    assertEquals(order, Array.from({ length: 3 * SHORT_PER_TURN }, (_, i) => i));
  });
});
