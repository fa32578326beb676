import { PUSH } from "../../src/sockets/push/push_dialect.ts";
import { quiet } from "./quiet.ts";
import { CLOSE_CODES } from "../../src/sockets/limits.ts";
import type { StreamReader } from "../../src/sockets/sending/stream_reader.ts";

/** A reader of the push protocol that records frames, without a socket. */
export class FramesReader<Member extends number | null = number> implements StreamReader {
  readonly dialect = PUSH;
  readonly frames: string[] = [];
  closed: { readonly code: number; readonly reason: string } | null = null;
  /** Bytes that it claims not to have read. */
  unread = 0;
  #frameBytes: number;

  /** @param frameBytes number of bytes that each frame adds to `unread` until `read` is called */
  constructor(readonly member: Member, frameBytes = 0) {
    this.#frameBytes = frameBytes;
  }

  get isOpen(): boolean {
    return this.closed === null;
  }

  send(frame: string): void {
    this.frames.push(frame);
    this.unread += this.#frameBytes;
  }

  putOut(reason: string): void {
    this.close(CLOSE_CODES.policy, reason);
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
  }

  closeAnswered(code: number, reason: string): void {
    this.close(code, reason);
  }

  /** Ends it as its socket would, if it stands for one. */
  finish(code: number, reason: string): void {
    this.close(code, reason);
  }

  /** Resolves as soon as the given number of frames has been sent. */
  sent(frames: number): Promise<void> {
    return new Promise((resolve) => {
      const send = this.send.bind(this);
      this.send = (frame) => {
        send(frame);
        if (this.frames.length === frames) resolve();
      };
    });
  }

  /** Reads what was sent, and reads everything from now on immediately. */
  read(): void {
    this.#frameBytes = 0;
    this.unread = 0;
  }

  /** Returns the frames of a stream after the sequence `since`, without snapshots. */
  news(stream: string, since: number = 0): string[] {
    return this.frames.filter((frame) => {
      const { sequence, snapshot, ...rest } = JSON.parse(frame);
      return stream in rest && snapshot !== true && sequence > since;
    });
  }
}

/** Waits until the readers receive no more frames. */
export function allTold(readers: readonly FramesReader[]): Promise<void> {
  return quiet(() => readers.reduce((sum, { frames }) => sum + frames.length, 0));
}
