/**
 * The frames on their way to one reader. The platform keeps what it is given until the reader's
 * system takes it: neither closing the socket nor ending its server frees that. So it may keep a
 * little for each reader, and a burst where all have room for it. The rest waits here, where readers
 * of a stream share its frames, and can be dropped.
 */
import { yieldToOthers } from "../../engine/yield_to_others.ts";
import type { RoomShare } from "./burst_room.ts";
import { PORTION_FRAMES } from "../limits.ts";

/**
 * Memory of the platform for each reader, in bytes, and one frame beyond that: with as many sockets
 * as a process may have, a third of what the memory guard lets grow.
 */
export const HANDED_BYTES_MAX = 32 * 1024;
/** What the platform needs for a frame apart from its text, in bytes: 900 to 1,200, as measured. */
export const FRAME_OWN_BYTES = 1024;
/** Event-loop turns until the platform has sent what it was given, if the reader's system takes it. */
export const SENDING_TURNS = 2;
/** How often to look whether a reader has taken that, in ms: less and less often. */
const LOOK_MS_MIN = 5;
const LOOK_MS_MAX = 250;

/** How many frames of all readers may be handed over before others get a turn. */
let framesLeft = PORTION_FRAMES;
/** Resolves when the last of those who hand something over has had its turn. */
let lastTurn: Promise<void> = Promise.resolve();

/** What is on its way to one reader. */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #room: RoomShare;
  readonly #now: () => number;
  /** Not handed to the platform yet, from `#next` on. */
  #frames: string[] = [];
  #next = 0;
  /** Their total characters. */
  #waiting = 0;
  /** When frames began to wait; infinite if none do. */
  #waitingSince = Infinity;
  /** Memory for what the platform was given since it last had nothing, … */
  #handed = 0;
  /** … and how much of that is of the shared room. */
  #borrowed = 0;
  /** Bytes sent so far, those that wait included. */
  #sent = 0;
  #isWatched = false;
  /** Called, once, when nothing waits any more. */
  #onEmpty: () => void = () => {};

  /** @param now a clock in ms */
  constructor(socket: WebSocket, room: RoomShare, now: () => number) {
    this.#socket = socket;
    this.#room = room;
    this.#now = now;
  }

  /** Characters that wait here: all that can be dropped. */
  get waiting(): number {
    return this.#waiting;
  }

  /** For how long, in ms, something has waited here: for the reader or for the process itself. */
  get waitedMs(): number {
    return Math.max(0, this.#now() - this.#waitingSince);
  }

  /** Bytes that the reader's system has taken. */
  get taken(): number {
    return this.#sent - this.#waiting - this.#socket.bufferedAmount;
  }

  /**
   * Sends a frame, now or when there is room for it.
   *
   * @param kept bytes that the platform still has
   */
  send(frame: string, kept: number): void {
    if (kept === 0) this.#noteTaken();
    if (this.#waiting === 0 && this.#hasRoom(frame)) return this.#hand(frame, kept);
    if (this.#waiting === 0) this.#waitingSince = this.#now();
    this.#frames.push(frame);
    this.#waiting += frame.length;
    this.#sent += frame.length;
    this.#watch();
  }

  /** Begins anew to count for how long something waits. */
  restartWait(): void {
    if (this.#waiting > 0) this.#waitingSince = this.#now();
  }

  /** Calls back when nothing waits any more, at once if nothing does. */
  whenEmpty(callback: () => void): void {
    if (this.#waiting === 0) return callback();
    this.#onEmpty = callback;
  }

  /** Drops what waits; the platform keeps what it has. */
  drop(): void {
    this.#sent -= this.#waiting;
    this.#empty();
  }

  /** Drops everything: the platform has nothing any more. */
  end(): void {
    this.drop();
    this.#noteTaken();
  }

  #hasRoom(frame: string): boolean {
    if (this.#handed < HANDED_BYTES_MAX) return true;
    const bytes = frame.length + FRAME_OWN_BYTES;
    if (!this.#room.take(bytes)) return false;
    this.#borrowed += bytes;
    this.#watch();
    return true;
  }

  #hand(frame: string, kept: number): void {
    this.#socket.send(frame);
    const bytes = this.#socket.bufferedAmount - kept;
    this.#handed += bytes + FRAME_OWN_BYTES;
    this.#sent += bytes;
  }

  #noteTaken(): void {
    this.#handed = 0;
    if (this.#borrowed === 0) return;
    this.#room.give(this.#borrowed);
    this.#borrowed = 0;
  }

  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    void this.#follow();
  }

  /** Gives room back when the reader has taken what was in it, and hands over what waits. */
  async #follow(): Promise<void> {
    for (let ms = 0; this.#waiting > 0 || this.#borrowed > 0;) {
      if (ms > 0) await new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, ms)));
      else for (let turn = 0; turn < SENDING_TURNS; turn++) await yieldToOthers();
      // A socket that is not open hides what the platform keeps: `end` tells when that is gone.
      if (this.#socket.readyState !== WebSocket.OPEN) break;
      if (this.#socket.bufferedAmount > 0) {
        ms = Math.min(Math.max(LOOK_MS_MIN, 2 * ms), LOOK_MS_MAX);
        continue;
      }
      this.#noteTaken();
      ms = 0;
      if (this.#waiting > 0) await inTurn(() => this.#handOver());
    }
    this.#isWatched = false;
  }

  /** Returns the number of frames. The socket may have ended while others had their turns. */
  #handOver(): number {
    if (this.#socket.readyState !== WebSocket.OPEN) return 0;
    let handed = 0;
    for (; this.#waiting > 0 && handed < PORTION_FRAMES; handed++) {
      const frame = this.#frames[this.#next] ?? "";
      if (!this.#hasRoom(frame)) break;
      this.#next += 1;
      this.#waiting -= frame.length;
      this.#sent -= frame.length;
      this.#hand(frame, this.#socket.bufferedAmount);
    }
    if (this.#waiting === 0) this.#empty();
    else if (2 * this.#next >= this.#frames.length) {
      this.#frames = this.#frames.slice(this.#next);
      this.#next = 0;
    }
    return handed;
  }

  #empty(): void {
    const onEmpty = this.#onEmpty;
    this.#frames = [];
    this.#next = 0;
    this.#waiting = 0;
    this.#waitingSince = Infinity;
    this.#onEmpty = () => {};
    onEmpty();
  }
}

/** However many readers there are that take something, everything else is served in between. */
function inTurn(handOver: () => number): Promise<void> {
  return lastTurn = lastTurn.then(async () => {
    if (framesLeft <= 0) {
      await yieldToOthers();
      framesLeft = PORTION_FRAMES;
    }
    framesLeft -= handOver();
  });
}
