/** Members' passwords: their hashes are in sidecar rows. */
import type { Engine, SidecarRow } from "../../engine/engine.ts";
import { passwordKey } from "../../engine/sidecar_rows.ts";
import type { HashParty } from "./hash_queue.ts";
import { IdentityError } from "../identity_error.ts";
import type { PasswordHash, PasswordHasher } from "./password_hasher.ts";
import { randomHex } from "../random_text.ts";

const VERSION_BYTES = 8;

/** Used as the uid when there is no such member, so that the work is the same. */
export const NOBODY = "nobody";

/** What passwords need of the engine. */
export type PasswordsEngine = Pick<Engine, "readSidecar" | "changeSidecar">;

/** The result of comparing a password. */
export interface Verdict {
  readonly isRight: boolean;
  /** Which of the member's passwords it was compared with; empty if there is none. */
  readonly version: string;
}

interface PasswordRow {
  /** Null once the password has ended without another in its place. */
  readonly hash: PasswordHash | null;
  /** Different for each password. */
  readonly version: string;
}

/** The passwords of a venue's members. */
export class Passwords {
  readonly #engine: PasswordsEngine;
  readonly #hasher: PasswordHasher;

  constructor(engine: PasswordsEngine, hasher: PasswordHasher) {
    this.#engine = engine;
    this.#hasher = hasher;
  }

  /**
   * Hashes a password and returns its row.
   *
   * @param party who asks; see {@linkcode PasswordHasher.hash}
   * @throws {IdentityError} `unavailable`: too many are being hashed
   */
  async row(uid: string, password: string, party?: HashParty): Promise<SidecarRow> {
    return this.rowOf(uid, await this.hash(password, party));
  }

  /** Returns the row of a password that is hashed already. */
  rowOf(uid: string, hash: PasswordHash): SidecarRow {
    const row: PasswordRow = { hash, version: randomHex(VERSION_BYTES) };
    return { key: passwordKey(uid), value: row };
  }

  /** Returns the row of a member whose password has ended: only a mailed code sets another. */
  endingRow(uid: string): SidecarRow {
    const row: PasswordRow = { hash: null, version: randomHex(VERSION_BYTES) };
    return { key: passwordKey(uid), value: row };
  }

  /**
   * Hashes the password of somebody who is no member yet.
   *
   * @param party who asks; see {@linkcode PasswordHasher.hash}
   * @throws {IdentityError} `unavailable`: too many are being hashed
   */
  hash(password: string, party?: HashParty): Promise<PasswordHash> {
    return this.#hasher.hash(password, party);
  }

  /** Compares a password with such a hash, as {@linkcode Passwords.verify} does with a member's. */
  isHashed(password: string, hash: PasswordHash, party: HashParty): Promise<boolean> {
    return this.#hasher.verify(password, hash, party);
  }

  /** Gives a member its first password; keeps one that it has, or has had. */
  async seed(uid: string, password: string): Promise<void> {
    if (isPasswordRow(await this.#engine.readSidecar(passwordKey(uid)))) return;
    const { key, value } = await this.row(uid, password);
    await this.#engine.changeSidecar(key, () => value);
  }

  /**
   * Compares a password with the member's; takes as long if there is none.
   *
   * @param party who asks; see {@linkcode PasswordHasher.hash}
   * @throws {IdentityError} `unavailable`: too many are being hashed
   */
  async verify(uid: string, password: string, party: HashParty): Promise<Verdict> {
    const value = await this.#engine.readSidecar(passwordKey(uid));
    const row = isPasswordRow(value) ? value : null;
    const isRight = await this.#hasher.verify(password, row?.hash ?? null, party);
    return { isRight, version: row?.version ?? "" };
  }

  /** Whether the next password has to wait for its turn. */
  get isBusy(): boolean {
    return this.#hasher.isBusy;
  }

  /** Returns whether the member's password is still the one compared with. */
  async isCurrent(uid: string, version: string): Promise<boolean> {
    const value = await this.#engine.readSidecar(passwordKey(uid));
    return isPasswordRow(value) && value.version === version;
  }

  /** Rehashes a right password if its hash is outdated, unless too many are being hashed. */
  async renew(uid: string, password: string, version: string, party: HashParty): Promise<void> {
    const value = await this.#engine.readSidecar(passwordKey(uid));
    if (!isPasswordRow(value) || value.hash === null) return;
    if (!this.#hasher.isOutdated(value.hash)) return;
    // The next sign-in tries again: this one has used up its code, and must not fail for that.
    const hash = await this.#hasher.hash(password, party).catch(ignoreUnavailable);
    if (hash === null) return;
    await this.#engine.changeSidecar(
      passwordKey(uid),
      (old) => isPasswordRow(old) && old.version === version ? { hash, version } : old,
    );
  }
}

function ignoreUnavailable(error: unknown): null {
  if (error instanceof IdentityError && error.refusal === "unavailable") return null;
  throw error;
}

function isPasswordRow(value: unknown): value is PasswordRow {
  return typeof value === "object" && value !== null && "hash" in value && "version" in value;
}
