/**
 * Sign-ups whose address nobody has confirmed yet: the latest of each mailbox and network, since
 * what a stranger enters must not end what the mailbox's owner has entered. They are rows beside the
 * log, and no members: they block no address, open nothing, and end by themselves.
 */
import { DAY_MS } from "../domain/calendar.ts";
import { type Engine, firstWrite, type SidecarRow } from "../engine/engine.ts";
import { SIGN_UP_ROWS, signUpKey } from "../engine/sidecar_rows.ts";
import { EMAIL_CODE_MS } from "./email_codes.ts";
import type { PasswordHash } from "./proofs/password_hasher.ts";
import { claimedName, digestText, randomHex } from "./random_text.ts";

/** How long a sign-up waits for its confirmation, in ms. */
const SIGN_UP_MS = DAY_MS;
/** Passwords that may be tried with one code. */
const TRIES_PER_CODE_MAX = 5;
const CODE_BYTES = 16;
const TRY_BYTES = 8;
/** The name of a place; the older program kept one for each mailbox, without a network. */
const PLACE_NAME = /^([0-9a-f]{64})(?:-([0-9a-f]{32}))?$/;
/** Sign-ups of a mailbox that end at once with it: more are those of an attack, and expire. */
const ENDING_MAX = 100;

/** What pending sign-ups need of the engine. */
export type PendingSignUpsEngine = Pick<
  Engine,
  "readSidecar" | "listSidecar" | "changeSidecar" | "now"
>;

/** Where a sign-up waits. */
export interface SignUpPlace {
  readonly emailDigest: string;
  /** Keyed digest of the network that it came from; null in rows of an older program. */
  readonly networkDigest: string | null;
}

/** What one person has entered to sign up. */
export interface PendingSignUp {
  /** Of the member that it may become. */
  readonly uid: string;
  /** The value of the contact row, sealed. */
  readonly contact: unknown;
  readonly hash: PasswordHash;
}

interface SignUpRow extends PendingSignUp {
  readonly codeDigest: string;
  readonly codeExpiresAt: number;
  /** Random names of the passwords tried with this code. */
  readonly tries: readonly string[];
  readonly expiresAt: number;
}

/** A sign-up whose code was given, and the place of its row. */
export interface ClaimedSignUp extends PendingSignUp {
  readonly emailDigest: string;
  /** Takes back the try, if no password was compared. */
  release(): Promise<void>;
}

/** The sign-ups that wait for their confirmation. */
export class PendingSignUps {
  readonly #engine: PendingSignUpsEngine;

  constructor(engine: PendingSignUpsEngine) {
    this.#engine = engine;
  }

  /** Keeps a sign-up in place of an earlier one of its address and network; returns its code. */
  async put(place: SignUpPlace, { uid, contact, hash }: PendingSignUp): Promise<string> {
    const { code, fields } = this.#createCode(place);
    const expiresAt = this.#engine.now() + SIGN_UP_MS;
    const row: SignUpRow = { uid, contact, hash, ...fields, expiresAt };
    await this.#engine.changeSidecar(keyOf(place), () => row);
    return code;
  }

  /** Returns the sign-up of an address and network; null if there is none. */
  async read(place: SignUpPlace): Promise<PendingSignUp | null> {
    const now = this.#engine.now();
    const row = await this.#engine.readSidecar(keyOf(place));
    return isSignUpOver(row, now) ? null : row as SignUpRow;
  }

  /**
   * Gives the sign-up of an address and network a new code in place of its last; returns null if
   * there is none, or if it `isKept` as it is, and takes as long.
   */
  async renewCode(place: SignUpPlace, isKept: boolean): Promise<string | null> {
    const { code, fields } = this.#createCode(place);
    const now = this.#engine.now();
    const row = await this.#engine.changeSidecar(keyOf(place), (old) => {
      if (isSignUpOver(old, now)) return null;
      return isKept ? old as SignUpRow : { ...old as SignUpRow, ...fields };
    });
    return row?.codeDigest === fields.codeDigest ? code : null;
  }

  /** Counts a try of a password with a code; returns its sign-up, or null if the code is wrong. */
  async claim(code: string): Promise<ClaimedSignUp | null> {
    const [, emailDigest, networkDigest = null] = PLACE_NAME.exec(claimedName(code)) ?? [];
    if (emailDigest === undefined) return null;
    const key = signUpKey(emailDigest, networkDigest);
    const codeDigest = digestText(code);
    const id = randomHex(TRY_BYTES);
    const now = this.#engine.now();
    const isGood = (row: unknown): row is SignUpRow =>
      isSignUpRow(row) && row.expiresAt > now && row.codeDigest === codeDigest &&
      row.codeExpiresAt > now &&
      (row.tries.length < TRIES_PER_CODE_MAX || row.tries.includes(id));
    // Anybody may send codes that name nothing: they cost the store a read, and no write.
    if (!isGood(await this.#engine.readSidecar(key))) return null;
    const row = await firstWrite(this.#engine.changeSidecar(
      key,
      (old) =>
        isGood(old) ? { ...old, tries: [...old.tries.filter((one) => one !== id), id] } : old,
    ));
    if (!isGood(row)) return null;
    const release = async () =>
      void await this.#engine.changeSidecar(
        key,
        (old) => isSignUpRow(old) ? { ...old, tries: old.tries.filter((one) => one !== id) } : old,
      );
    return { uid: row.uid, contact: row.contact, hash: row.hash, emailDigest, release };
  }

  /** Returns the rows that end the sign-ups of an address. */
  async endingRows(emailDigest: string): Promise<readonly SidecarRow[]> {
    const own = signUpKey(emailDigest, null);
    const rows = await this.#engine.listSidecar({ prefix: own, limit: ENDING_MAX });
    return [own, ...rows.map(({ key }) => key)].map((key) => ({ key, value: null }));
  }

  #createCode(
    place: SignUpPlace,
  ): { code: string; fields: Pick<SignUpRow, "codeDigest" | "codeExpiresAt" | "tries"> } {
    const name = keyOf(place).slice(SIGN_UP_ROWS.length).join("-");
    const code = `${name}.${randomHex(CODE_BYTES)}`;
    const codeExpiresAt = this.#engine.now() + EMAIL_CODE_MS;
    return { code, fields: { codeDigest: digestText(code), codeExpiresAt, tries: [] } };
  }
}

/** Returns whether a sign-up's row has expired. */
export function isSignUpOver(value: unknown, now: number): boolean {
  return !isSignUpRow(value) || value.expiresAt <= now;
}

function keyOf({ emailDigest, networkDigest }: SignUpPlace): SidecarRow["key"] {
  return signUpKey(emailDigest, networkDigest);
}

function isSignUpRow(value: unknown): value is SignUpRow {
  return typeof value === "object" && value !== null && "codeDigest" in value;
}
