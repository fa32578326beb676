import type { StreamReader } from "../../src/realtime/hub.ts";
import { PUSH } from "../../src/realtime/push_dialect.ts";
import { CLOSE_CODES } from "../../src/realtime/stream_socket.ts";
import { quiet } from "./quiet.ts";

/** A reader of the push protocol without a socket: keeps what it is sent. */
export class FramesReader<Member extends number | null = number> implements StreamReader {
  readonly dialect = PUSH;
  readonly frames: string[] = [];
  closed: { readonly code: number; readonly reason: string } | null = null;
  /** Bytes that it seems to have left unread. */
  unread = 0;
  #frameBytes: number;

  /** @param frameBytes what each frame seems to leave unread, until it reads */
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

  /** Resolves as it is sent the last of so many frames, before anything else has its turn. */
  sent(frames: number): Promise<void> {
    return new Promise((resolve) => {
      const send = this.send.bind(this);
      this.send = (frame) => {
        send(frame);
        if (this.frames.length === frames) resolve();
      };
    });
  }

  /** Reads what it was sent, and from now on what it is sent at once. */
  read(): void {
    this.#frameBytes = 0;
    this.unread = 0;
  }

  /** Frames of a stream with sequences above one, without snapshots. */
  news(stream: string, since: number = 0): string[] {
    return this.frames.filter((frame) => {
      const { sequence, snapshot, ...rest } = JSON.parse(frame);
      return stream in rest && snapshot !== true && sequence > since;
    });
  }
}

/** Returns when all readers were told what there is. */
export function allTold(readers: readonly FramesReader[]): Promise<void> {
  return quiet(() => readers.reduce((sum, { frames }) => sum + frames.length, 0));
}
