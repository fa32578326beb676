/**
 * Shares the event loop among the sockets of a process. What is received at once is worked on a
 * little per turn of the loop, one frame of each socket after the other, so that whoever sends much
 * keeps nobody else waiting.
 */
import { yieldToOthers } from "../engine/yield_to_others.ts";

/** Characters of frames that one turn of the loop has time for; a longer frame has one alone. */
export const TURN_CHARACTERS = 16 * 1024;
/** What a frame counts at least, in characters: the shortest orders take as long as that. */
export const FRAME_CHARACTERS_MIN = 256;

interface WaitingFrame {
  readonly characters: number;
  readonly go: () => void;
}

/** Gives frames their turns. */
export class FrameTurns {
  /** By socket, the next one first. */
  readonly #lines = new Map<object, WaitingFrame[]>();
  /** What is left of this turn, in characters. */
  #room = TURN_CHARACTERS;
  /** Whether everything else has to run before the next frame. */
  #isResting = false;

  /** Takes a turn for a socket's frame of so many characters; null if there is no need to wait. */
  take(socket: object, length: number): Promise<void> | null {
    const characters = Math.max(FRAME_CHARACTERS_MIN, length);
    if (!this.#isResting) {
      this.#spend(characters);
      return null;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = this.#lines.get(socket) ?? [];
    line.push({ characters, go: resolve });
    this.#lines.set(socket, line);
    return promise;
  }

  #spend(characters: number): void {
    this.#room -= characters;
    if (this.#room > 0) return;
    this.#isResting = true;
    void yieldToOthers().then(() => this.#goOn());
  }

  #goOn(): void {
    this.#room = TURN_CHARACTERS;
    this.#isResting = false;
    // A frame that uses up the turn has the others rest.
    while (!this.#isResting) {
      const [next] = this.#lines;
      if (next === undefined) return;
      const [socket, line] = next;
      this.#lines.delete(socket);
      const frame = line.shift();
      if (line.length > 0) this.#lines.set(socket, line);
      if (frame === undefined) continue;
      this.#spend(frame.characters);
      frame.go();
    }
  }
}
