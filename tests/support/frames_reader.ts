import type { StreamReader } from "../../src/realtime/hub.ts";
import { PUSH } from "../../src/realtime/push_dialect.ts";

/** A reader of the push protocol without a socket: keeps what it is sent. */
export class FramesReader implements StreamReader {
  readonly dialect = PUSH;
  readonly frames: string[] = [];
  closed: { readonly code: number; readonly reason: string } | null = null;
  /** What it seems to have left unread. */
  unread = 0;

  constructor(readonly member: number) {}

  get isOpen(): boolean {
    return this.closed === null;
  }

  send(frame: string): void {
    this.frames.push(frame);
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
  }

  /** Frames of a stream with sequences above one, without snapshots. */
  news(stream: string, since: number = 0): string[] {
    return this.frames.filter((frame) => {
      const { sequence, snapshot, ...rest } = JSON.parse(frame);
      return stream in rest && snapshot !== true && sequence > since;
    });
  }
}
