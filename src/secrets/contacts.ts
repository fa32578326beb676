/** Members' personal data. It is kept in sidecar rows; the log holds only digests and ids. */
import { domainToASCII, domainToUnicode } from "node:url";
import { present } from "../domain/assert.ts";
import type { Engine, SidecarRow } from "../engine/engine.ts";
import { Pepper, type PepperEngine } from "./pepper.ts";
import { contactKey } from "../engine/sidecar_rows.ts";
import { ReadingQueue } from "../engine/reading_queue.ts";
import type { Vault } from "./vault.ts";

/** How a member is reached. */
export interface Contact {
  readonly email: string;
}

/** Digits of a network's digest: enough that no other is found that has the same. */
const NETWORK_DIGITS = 32;

/** The part of the engine that contacts need. */
export type ContactsEngine = PepperEngine & Pick<Engine, "venue" | "writeSidecar">;

/** The contact data of a venue's members, sealed. */
export class Contacts {
  readonly #engine: ContactsEngine;
  readonly #vault: Vault;
  readonly #pepper: Pepper;
  readonly #turns = new ReadingQueue();

  constructor(engine: ContactsEngine, vault: Vault) {
    this.#engine = engine;
    this.#vault = vault;
    this.#pepper = new Pepper(engine, vault, "contacts");
  }

  /**
   * Checks that what is sealed in the store opens with the given master keys.
   *
   * @throws {VaultError} if it does not
   */
  async open(): Promise<void> {
    await this.#pepper.textDigests();
  }

  /**
   * Returns the keyed digest of an address, which only tells whether two are the same. A member
   * created before hosts were compared in ASCII keeps the digest of the address as written.
   */
  async emailDigest(email: string): Promise<string> {
    const digestOf = await this.#pepper.textDigests();
    const digests = emailForms(email).map((form) => digestOf(form));
    const { emailDigests } = this.#engine.venue;
    const known = digests.find((digest) => emailDigests.has(digest));
    return known ?? present(digests.at(-1), "an address has a form");
  }

  /** Returns the keyed digest of a network, which only tells whether two are the same. */
  async networkDigest(network: string): Promise<string> {
    const digestOf = await this.#pepper.digests();
    return digestOf(["network", network]).slice(0, NETWORK_DIGITS);
  }

  /** Returns the row to commit with a new member. */
  async contactRow(uid: string, contact: Contact): Promise<SidecarRow> {
    const key = contactKey(uid);
    return { key, value: await this.#vault.seal(JSON.stringify(contact), key) };
  }

  /**
   * Returns a member's contact data; null if there is none.
   *
   * @throws {VaultError} if the row does not open
   */
  async contact(uid: string): Promise<Contact | null> {
    const key = contactKey(uid);
    const value = await this.#engine.readSidecar(key);
    return value === null ? null : await this.read(uid, value);
  }

  /**
   * Returns what the value of a contact row says, wherever it is kept.
   *
   * @throws {VaultError} if it does not open
   */
  async read(uid: string, value: unknown): Promise<Contact> {
    return JSON.parse(await this.#vault.open(value, contactKey(uid)));
  }

  /** Seals the value of a contact row anew; null if the newest master key has sealed it. */
  async reseal(uid: string, value: unknown): Promise<unknown> {
    if (!this.#vault.needsReseal(value)) return null;
    return (await this.contactRow(uid, await this.read(uid, value))).value;
  }

  /** Returns the contact data of several members, in order; see {@linkcode ReadingQueue.each}. */
  contactsOf(uids: readonly string[]): Promise<(Contact | null)[]> {
    return this.#turns.each(undefined, uids, (uid) => this.contact(uid));
  }

  /**
   * Reseals every row that is sealed with an older master key. The pepper comes last: by it
   * {@linkcode Contacts.open} tells whether the given keys suffice.
   *
   * @returns how many were resealed
   */
  async resealAll(): Promise<number> {
    let count = 0;
    for (const { member: { uid } } of this.#engine.venue.members()) {
      const key = contactKey(uid);
      const value = await this.reseal(uid, await this.#engine.readSidecar(key));
      if (value === null) continue;
      await this.#engine.writeSidecar({ key, value });
      count++;
    }
    return count + await this.#pepper.reseal();
  }
}

/**
 * Returns the forms in which an address may be stored, trimmed and in lower case, the current form
 * last. A host with letters beyond ASCII is stored in ASCII, but was once stored as written.
 */
function emailForms(email: string): string[] {
  const plain = email.trim().toLowerCase();
  const at = plain.lastIndexOf("@") + 1;
  const host = plain.slice(at);
  if (/^[ -~]*$/.test(host) && !host.includes("xn--")) return [plain];
  const ascii = asciiOf(host);
  // An invalid host stays as it is.
  if (ascii === "") return [plain];
  return [host, domainToUnicode(ascii), ascii].map((one) => plain.slice(0, at) + one);
}

/**
 * Returns whether a host is in ASCII, or spelled the way that its form in ASCII is read. Any other
 * spelling is mapped to such a host, and so has the same digest.
 */
export function isPlainHost(host: string): boolean {
  return /^[ -~]*$/.test(host) || domainToUnicode(asciiOf(host)) === host.toLowerCase();
}

/** Returns a host in ASCII; empty if it is invalid, in which case older runtimes throw. */
export function asciiOf(host: string): string {
  try {
    return domainToASCII(host);
  } catch {
    return "";
  }
}
