/** Messages that tell of what has happened already: whether they can be sent changes nothing. */
import type { MemberMessages } from "../messages/member_messages.ts";
import type { MessageContent } from "../messages/messenger.ts";

/** Sends notices. */
export class Notices {
  readonly #messages: MemberMessages;
  readonly #onFault: (error: unknown) => void;

  constructor(messages: MemberMessages, onFault: (error: unknown) => void) {
    this.#messages = messages;
    this.#onFault = onFault;
  }

  /** Sends one; a fault is told to the operator, not to the member. */
  async send(uid: string, content: Exclude<MessageContent, { code: string }>): Promise<void> {
    try {
      await this.#messages.send(uid, content);
    } catch (error) {
      this.#onFault(error);
    }
  }
}
