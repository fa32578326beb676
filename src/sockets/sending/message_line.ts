/**
 * The order of what a reader is sent: while the beginning of one of its streams is under way,
 * messages wait here in the order in which they came, whichever of the line's streams they are of.
 */
import { caughtUp, isBehind } from "./catching_up.ts";
import type { StreamMessage } from "../stream_message.ts";
import { BURST_BYTES_MAX, CLOSE_CODES } from "../limits.ts";
import type { StreamReader } from "./stream_reader.ts";

/** A stream's place in a line. */
export interface LineMember {
  /** Whether its own beginning is still to be sent: what waits then is not for now. */
  readonly isAwaited: boolean;
  /** Sends a message unless the reader has it. */
  pass(message: StreamMessage): void;
}

interface Waiting {
  readonly member: LineMember;
  readonly message: StreamMessage;
  /** Characters of its frame. */
  readonly length: number;
}

/** One line: a reader's private streams share one, each of its public streams has its own. */
export class MessageLine {
  readonly #reader: StreamReader;
  /** Beginnings under way. */
  #beginnings = 0;
  #waiting: Waiting[] = [];
  #waitingLength = 0;
  /** Set while what has waited is sent to a reader that takes its time. */
  #emptying: Promise<void> | null = null;

  constructor(reader: StreamReader) {
    this.#reader = reader;
  }

  /** Sends a message, or lets it wait behind others. */
  deliver(member: LineMember, message: StreamMessage): void {
    if (this.#beginnings === 0 && this.#emptying === null) return member.pass(message);
    // Written now, because what it describes may change before it is sent.
    const length = message.frame(this.#reader.dialect)?.length ?? 0;
    this.#waiting.push({ member, message, length });
    this.#waitingLength += length;
    if (this.#waitingLength > BURST_BYTES_MAX) {
      this.#reader.close(CLOSE_CODES.slowReader, "slow reader");
    }
  }

  /** Stops the line until {@linkcode release}. */
  hold(): void {
    this.#beginnings += 1;
  }

  /** Lets the line go on; returns a promise only if what has waited can't be sent at once. */
  release(): void | Promise<void> {
    this.#beginnings -= 1;
    if (this.#beginnings > 0) return;
    if (this.#emptying !== null) return this.#emptying;
    if (this.#empty()) return;
    return this.#emptying = this.#emptyRead().finally(() => this.#emptying = null);
  }

  /**
   * Sends at once what waits up to a stream's message of this sequence: it would come too late
   * behind a beginning that tells of it.
   */
  sendUpTo(member: LineMember, sequence: number): void {
    const end = 1 + this.#waiting.findLastIndex((one) => {
      return one.member === member && one.message.sequence <= sequence;
    });
    if (end === 0) return;
    const [first, rest] = [this.#waiting.slice(0, end), this.#waiting.slice(end)];
    this.#waiting = [...first.filter((one) => one.member.isAwaited), ...rest];
    for (const one of first) {
      if (one.member.isAwaited) continue;
      this.#waitingLength -= one.length;
      one.member.pass(one.message);
    }
  }

  /** Sends what waits for as long as the reader takes it; returns whether that was all. */
  #empty(): boolean {
    let sent = 0;
    for (const { member, message, length } of this.#waiting) {
      if (this.#beginnings > 0 || isBehind(this.#reader)) break;
      member.pass(message);
      this.#waitingLength -= length;
      sent += 1;
    }
    this.#waiting = this.#waiting.slice(sent);
    return this.#waiting.length === 0 || this.#beginnings > 0;
  }

  async #emptyRead(): Promise<void> {
    do {
      while (isBehind(this.#reader)) await caughtUp(this.#reader);
    } while (!this.#empty());
  }
}
