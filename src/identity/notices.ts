/** Messages about what has already happened, which does not depend on whether they can be sent. */
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

  /** Sends a notice; a fault is reported to the operator, not to the member. */
  async send(uid: string, content: Exclude<MessageContent, { code: string }>): Promise<void> {
    try {
      await this.#messages.send(uid, content);
    } catch (error) {
      this.#onFault(error);
    }
  }
}
