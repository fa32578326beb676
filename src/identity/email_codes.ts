/** Codes that prove who owns a mailbox. Only digests are stored, and each code works once. */
import { MINUTE_MS } from "../domain/calendar.ts";
import type { Engine, SidecarKey, SidecarRow } from "../engine/engine.ts";
import { digestText, randomHex } from "./random_text.ts";

/** How long a code is valid, in ms. */
const EMAIL_CODE_MS = 10 * MINUTE_MS;
const CODE_BYTES = 16;
const USE_BYTES = 8;

/** What a code is for. */
export type EmailCodePurpose = "email_confirmation" | "password_reset";

/** What codes need of the engine. */
export type EmailCodesEngine = Pick<Engine, "readSidecar" | "changeSidecar" | "now">;

/** Key prefix of the codes' rows. */
export const EMAIL_CODE_ROWS: SidecarKey = ["email_codes"];

interface EmailCodeRow {
  /** Null for an address that belongs to no member: nobody has the code. */
  readonly uid: string | null;
  /** Empty once the code is used. */
  readonly digest: string;
  readonly expiresAt: number;
  /** Random name of the use. */
  readonly use?: string;
}

/** A used code. */
export interface UsedCode {
  readonly uid: string;
  /** Makes the code valid again when its use has failed. */
  restore(): Promise<void>;
}

/** One code per mailbox and purpose: the latest. */
export class EmailCodes {
  readonly #engine: EmailCodesEngine;
  readonly #purpose: EmailCodePurpose;

  constructor(engine: EmailCodesEngine, purpose: EmailCodePurpose) {
    this.#engine = engine;
    this.#purpose = purpose;
  }

  /** Creates a code and its row, which replaces the last; null makes the row of nobody's code. */
  create(uid: string | null, emailDigest: string): { code: string; row: SidecarRow } {
    const code = `${uid ?? "nobody"}.${randomHex(CODE_BYTES)}`;
    const value: EmailCodeRow = {
      uid,
      digest: digestText(code),
      expiresAt: this.#engine.now() + EMAIL_CODE_MS,
    };
    return { code, row: { key: this.#key(emailDigest), value } };
  }

  /** Creates a code and writes its row, which takes as long for nobody's. */
  async issue(uid: string | null, emailDigest: string): Promise<string> {
    const { code, row } = this.create(uid, emailDigest);
    await this.#engine.changeSidecar(row.key, () => row.value);
    return code;
  }

  /** Returns the row that makes a mailbox's latest code invalid. */
  revokingRow(emailDigest: string): SidecarRow {
    return { key: this.#key(emailDigest), value: null };
  }

  /** Uses up a code; null unless it is the mailbox's latest and still valid. */
  async use(code: string, emailDigest: string): Promise<UsedCode | null> {
    const key = this.#key(emailDigest);
    const digest = digestText(code);
    const use = randomHex(USE_BYTES);
    const used: { row: EmailCodeRow | null } = { row: null };
    await this.#engine.changeSidecar(key, (old) => {
      const row = isEmailCodeRow(old) ? old : null;
      const isGood = row?.digest === digest && row.expiresAt > this.#engine.now();
      used.row = row !== null && (isGood || row.use === use) ? { ...row, digest } : null;
      return used.row === null ? row : { ...used.row, digest: "", use };
    });
    const { row } = used;
    if (row === null || row.uid === null) return null;
    // Does not overwrite a code that was sent meanwhile.
    const restore = async () =>
      void await this.#engine.changeSidecar(
        key,
        (old) => isEmailCodeRow(old) && old.use === use ? row : old,
      );
    return { uid: row.uid, restore };
  }

  #key(emailDigest: string): SidecarKey {
    return [...EMAIL_CODE_ROWS, this.#purpose, emailDigest];
  }
}

/** Returns whether a code's row is useless by now. */
export function isEmailCodeOver(value: unknown, now: number): boolean {
  return !isEmailCodeRow(value) || value.expiresAt <= now;
}

function isEmailCodeRow(value: unknown): value is EmailCodeRow {
  return typeof value === "object" && value !== null && "digest" in value;
}
