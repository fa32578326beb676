/**
 * Shares the event loop among the sockets of a process. What their clients send at once is worked on
 * a little per turn of the loop, one frame of each socket after the other, so that whoever sends much
 * keeps nobody else waiting. Anybody may open a thousand sockets without a signature, so these have
 * no more than every second turn of the loop while signed ones wait.
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

/** Whose frames take turns. */
export interface FrameSender {
  /** Null if nobody has signed. */
  readonly member: number | null;
}

/** Frames that wait, by socket, the next one first. */
type Lines = Map<FrameSender, WaitingFrame[]>;

/** Gives frames their turns. */
export class FrameTurns {
  readonly #signed: Lines = new Map();
  readonly #unsigned: Lines = new Map();
  /** Whether the next turn begins with signed sockets: an unsigned one has used up the last. */
  #areSignedNext = true;
  /** What is left of this turn, in characters. */
  #room = TURN_CHARACTERS;
  /** Whether everything else has to run before the next frame. */
  #isResting = false;

  /** Takes a turn for a socket's frame of so many characters; null if there is no need to wait. */
  take(socket: FrameSender, length: number): Promise<void> | null {
    const characters = Math.max(FRAME_CHARACTERS_MIN, length);
    if (!this.#isResting) {
      this.#spend(socket, characters);
      return null;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const lines = socket.member === null ? this.#unsigned : this.#signed;
    const line = lines.get(socket) ?? [];
    line.push({ characters, go: resolve });
    lines.set(socket, line);
    return promise;
  }

  #spend(socket: FrameSender, characters: number): void {
    this.#room -= characters;
    if (this.#room > 0) return;
    this.#areSignedNext = socket.member === null;
    this.#isResting = true;
    void yieldToOthers().then(() => this.#goOn());
  }

  #goOn(): void {
    this.#room = TURN_CHARACTERS;
    this.#isResting = false;
    const [first, then] = this.#areSignedNext
      ? [this.#signed, this.#unsigned]
      : [this.#unsigned, this.#signed];
    this.#work(first);
    this.#work(then);
  }

  /** Works on frames until none is left, or one uses up the turn and has the others rest. */
  #work(lines: Lines): void {
    while (!this.#isResting) {
      const [next] = lines;
      if (next === undefined) return;
      const [socket, line] = next;
      lines.delete(socket);
      const frame = line.shift();
      if (line.length > 0) lines.set(socket, line);
      if (frame === undefined) continue;
      this.#spend(socket, frame.characters);
      frame.go();
    }
  }
}
