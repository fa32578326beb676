/** Messages about what has already happened, which does not depend on whether they can be sent. */
import type { Receipt } from "../domain/command.ts";
import type { MemberMessages } from "../messages/member_messages.ts";
import type { Message, MessageContent } from "../messages/messenger.ts";

/** Of the codes only one that nobody has asked for: whoever misses it asks for another. */
type Notice =
  | Exclude<MessageContent, { code: string }>
  | Extract<MessageContent, { kind: "password_reset" }>;

/** Sends notices. */
export class Notices {
  readonly #messages: MemberMessages;
  readonly #onFault: (error: unknown) => void;

  constructor(messages: MemberMessages, onFault: (error: unknown) => void) {
    this.#messages = messages;
    this.#onFault = onFault;
  }

  /** Sends a notice; a fault is reported to the operator, not to the member. */
  async send(uid: string, content: Notice): Promise<void> {
    try {
      await this.#messages.send(uid, content);
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** Sends a notice to an address that is no longer the member's. */
  async sendTo(recipient: Pick<Message, "uid" | "to">, content: Notice): Promise<void> {
    try {
      await this.#messages.sendTo(recipient, content);
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** Lists the keys that have ended with a change of credentials, if any have. */
  async tellOfDisabledKeys(uid: string, kids: readonly string[]): Promise<void> {
    if (kids.length > 0) await this.send(uid, { kind: "api_keys_disabled", kids });
  }
}

/** Returns the keys that a change of credentials has disabled, by its receipt. */
export function disabledKeysIn(receipt: Receipt): readonly string[] {
  return receipt.kind === "member_set" ? receipt.disabledKeys ?? [] : [];
}
