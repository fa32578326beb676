/** Personal data: they stand in rows beside the log, which knows digests and ids only. */
import { domainToASCII, domainToUnicode } from "node:url";
import { present } from "../domain/assert.ts";
import type { Engine, SidecarRow } from "./engine.ts";
import { Pepper, type PepperEngine } from "./pepper.ts";
import { ReadingTurns } from "./reading_turns.ts";
import type { Vault } from "./vault.ts";

/** How a member is reached. */
export interface Contact {
  readonly email: string;
}

/** What of the engine contacts need. */
export type ContactsEngine = PepperEngine & Pick<Engine, "venue" | "writeSidecar">;

/** The contact data of a venue's members, sealed. */
export class Contacts {
  readonly #engine: ContactsEngine;
  readonly #vault: Vault;
  readonly #pepper: Pepper;
  readonly #turns = new ReadingTurns();

  constructor(engine: ContactsEngine, vault: Vault) {
    this.#engine = engine;
    this.#vault = vault;
    this.#pepper = new Pepper(engine, vault, "contacts");
  }

  /**
   * Makes sure that what is sealed in the store opens with the master keys given.
   *
   * @throws {VaultError} it does not
   */
  async open(): Promise<void> {
    await this.#pepper.textDigests();
  }

  /**
   * Keyed digest of an address: tells whether two are the same, and nothing else. A member made
   * before hosts were compared in ASCII keeps the digest of the address as it was written.
   */
  async emailDigest(email: string): Promise<string> {
    const digestOf = await this.#pepper.textDigests();
    const digests = emailForms(email).map((form) => digestOf(form));
    const { emailDigests } = this.#engine.venue;
    const known = digests.find((digest) => emailDigests.has(digest));
    return known ?? present(digests.at(-1), "an address has a form");
  }

  /** The row to commit beside a new member. */
  async contactRow(uid: string, contact: Contact): Promise<SidecarRow> {
    const key = contactKey(uid);
    return { key, value: await this.#vault.seal(JSON.stringify(contact), key) };
  }

  /**
   * A member's contact data; null where there are none.
   *
   * @throws {VaultError} the row does not open
   */
  async contact(uid: string): Promise<Contact | null> {
    const key = contactKey(uid);
    const value = await this.#engine.readSidecar(key);
    return value === null ? null : JSON.parse(await this.#vault.open(value, key));
  }

  /** The same of several members, in their order; see {@linkcode ReadingTurns.each}. */
  contactsOf(uids: readonly string[]): Promise<(Contact | null)[]> {
    return this.#turns.each(undefined, uids, (uid) => this.contact(uid));
  }

  /**
   * Seals anew every row that stands under an older master key; last of all the pepper, by which
   * {@linkcode Contacts.open} tells whether the keys given are enough.
   *
   * @returns how many it was
   */
  async resealAll(): Promise<number> {
    const keys = this.#engine.venue.members().map(({ member }) => contactKey(member.uid));
    let count = 0;
    for (const key of keys) {
      const value = await this.#engine.readSidecar(key);
      if (!this.#vault.needsReseal(value)) continue;
      const text = await this.#vault.open(value, key);
      await this.#engine.writeSidecar({ key, value: await this.#vault.seal(text, key) });
      count++;
    }
    return count + await this.#pepper.reseal();
  }
}

/**
 * What an address may be stored as: without spaces around it, in lower case. One whose host has, or
 * stands for, letters beyond ASCII is stored in ASCII, and was once stored as it was written.
 */
function emailForms(email: string): string[] {
  const plain = email.trim().toLowerCase();
  const at = plain.lastIndexOf("@") + 1;
  const host = plain.slice(at);
  if (/^[ -~]*$/.test(host) && !host.includes("xn--")) return [plain];
  const ascii = asciiOf(host);
  // What is no host stays as it is.
  if (ascii === "") return [plain];
  return [host, domainToUnicode(ascii), ascii].map((one) => plain.slice(0, at) + one);
}

/** Empty for what is no host, of which older runtimes throw. */
function asciiOf(host: string): string {
  try {
    return domainToASCII(host);
  } catch {
    return "";
  }
}

function contactKey(uid: string): SidecarRow["key"] {
  return ["contacts", uid];
}
