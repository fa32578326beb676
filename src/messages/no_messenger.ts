/** The messenger of a venue that has no way to send messages. */
import type { Messenger } from "./messenger.ts";

/** Drops all messages. */
export class NoMessenger implements Messenger {
  hasRoomFor(): boolean {
    return false;
  }

  send(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
