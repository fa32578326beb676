/** Personal data and texts: they stand in rows beside the log, which knows digests and ids only. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Engine, SidecarRow } from "./engine.ts";
import { type Vault, VaultError } from "./vault.ts";

const PEPPER_KEY: SidecarRow["key"] = ["pepper", "contacts"];

/** How a member is reached. */
export interface Contact {
  readonly email: string;
}

/** Why and by whom something was done. */
export interface Note {
  readonly reason: string;
  /** Uid of the operator. */
  readonly operator: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What of the engine contacts need. */
export interface ContactsEngine extends Pick<Engine, "venue" | "readSidecar"> {
  /** Writes a row beside the log outside a command. */
  writeSidecar(row: SidecarRow): Promise<void>;
}

/** The contact data of a venue's members, sealed. */
export class Contacts {
  readonly #engine: ContactsEngine;
  readonly #vault: Vault;
  #pepper: Promise<Uint8Array> | null = null;

  constructor(engine: ContactsEngine, vault: Vault) {
    this.#engine = engine;
    this.#vault = vault;
  }

  /** Keyed digest of an address: tells whether two are the same, and nothing else. */
  async emailDigest(email: string): Promise<string> {
    this.#pepper ??= this.#loadPepper().catch((error) => {
      this.#pepper = null;
      throw error;
    });
    return bytesToHex(hmac(sha256, await this.#pepper, utf8ToBytes(normalizeEmail(email))));
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
    return isAbsent(value) ? null : JSON.parse(await this.#vault.open(value, key));
  }

  /**
   * Seals anew every row that stands under an older master key.
   *
   * @returns how many it was
   */
  async resealAll(): Promise<number> {
    const keys = this.#engine.venue.members().map(({ member }) => contactKey(member.uid));
    let count = 0;
    for (const key of [PEPPER_KEY, ...keys]) {
      const value = await this.#engine.readSidecar(key);
      if (!this.#vault.needsReseal(value)) continue;
      const text = await this.#vault.open(value, key);
      await this.#engine.writeSidecar({ key, value: await this.#vault.seal(text, key) });
      count++;
    }
    return count;
  }

  /** The first pepper follows from the master key, so that processes that start at once agree. */
  async #loadPepper(): Promise<Uint8Array> {
    const value = await this.#engine.readSidecar(PEPPER_KEY);
    if (!isAbsent(value)) {
      const pepper = hexToBytes(await this.#vault.open(value, PEPPER_KEY));
      if (pepper.length === 0) throw new VaultError("The pepper of contact digests is empty");
      return pepper;
    }
    const pepper = this.#vault.derive("kvenue contacts pepper");
    const sealed = await this.#vault.seal(bytesToHex(pepper), PEPPER_KEY);
    await this.#engine.writeSidecar({ key: PEPPER_KEY, value: sealed });
    return pepper;
  }
}

/** The row to commit beside an adjustment: what the operator gave as its reason. */
export function noteRow(id: number, note: Note): SidecarRow {
  return { key: ["notes", id], value: note };
}

/** An address as it is compared: without spaces around it, in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

function contactKey(uid: string): SidecarRow["key"] {
  return ["contacts", uid];
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}
