/** Messages to members known by uid only. */
import type { Contacts } from "../secrets/contacts.ts";
import type { Message, MessageContent, MessageKind, Messenger } from "./messenger.ts";

/** Sends messages to members by uid. */
export class MemberMessages {
  readonly #messenger: Messenger;
  readonly #contacts: Pick<Contacts, "contact">;

  constructor(messenger: Messenger, contacts: Pick<Contacts, "contact">) {
    this.#messenger = messenger;
    this.#contacts = contacts;
  }

  /** Whether a message of a kind can be sent now; check before creating a code or pin. */
  hasRoomFor(kind: MessageKind): boolean {
    return this.#messenger.hasRoomFor(kind);
  }

  /** Sends to a member's mailbox; does nothing for a member without one. */
  async send(uid: string, content: MessageContent): Promise<void> {
    const contact = await this.#contacts.contact(uid);
    if (contact !== null) await this.sendTo({ uid, to: contact.email }, content);
  }

  /** Sends to a mailbox whose owner is no member yet. */
  async sendTo(recipient: Pick<Message, "uid" | "to">, content: MessageContent): Promise<void> {
    await this.#messenger.send({ ...content, ...recipient });
  }
}
