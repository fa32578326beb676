/** Messages to members whose uid is known, but not their mailbox. */
import type { Contacts } from "../engine/contacts.ts";
import type { MessageContent, Messenger } from "./messenger.ts";

/** Sends to a member by its uid. */
export class MemberMessages {
  readonly #messenger: Messenger;
  readonly #contacts: Pick<Contacts, "contact">;

  constructor(messenger: Messenger, contacts: Pick<Contacts, "contact">) {
    this.#messenger = messenger;
    this.#contacts = contacts;
  }

  /** Whether codes and pins reach anybody: ask before making one. */
  get isAvailable(): boolean {
    return this.#messenger.isAvailable;
  }

  /**
   * Sends to the mailbox of a member; a member without one gets nothing.
   *
   * @throws {MessengerUnavailableError} it carries a code, and nothing can be sent now
   */
  async send(uid: string, content: MessageContent): Promise<void> {
    const contact = await this.#contacts.contact(uid);
    if (contact !== null) await this.#messenger.send({ ...content, uid, to: contact.email });
  }
}
