/** The messenger of a venue that has no way to send messages. */
import {
  carriesCode,
  type Message,
  type Messenger,
  MessengerUnavailableError,
} from "./messenger.ts";

/** Refuses codes and drops notices. */
export class NoMessenger implements Messenger {
  readonly isAvailable = false;

  send(message: Message): Promise<void> {
    if (!carriesCode(message)) return Promise.resolve();
    return Promise.reject(
      new MessengerUnavailableError("SMTP_URL is not set: messages cannot be sent"),
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
