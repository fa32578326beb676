/** Codes that prove who owns a mailbox. Only digests are stored, and each code works once. */
import { MINUTE_MS } from "../domain/calendar.ts";
import { type Engine, firstWrite, type SidecarKey, type SidecarRow } from "../engine/engine.ts";
import { emailCodeKey } from "../engine/sidecar_rows.ts";
import { digestText, randomHex } from "./random_text.ts";

/** How long a code is valid, in ms. */
export const EMAIL_CODE_MS = 10 * MINUTE_MS;
const CODE_BYTES = 16;
const USE_BYTES = 8;

/** What a code is for. */
export type EmailCodePurpose = "password_reset" | "owner";

/** What codes need of the engine. */
export type EmailCodesEngine = Pick<Engine, "readSidecar" | "changeSidecar" | "now">;

interface EmailCodeRow {
  readonly uid: string;
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

  /**
   * Creates a code that replaces the mailbox's last. Returns null, and takes as long, for a mailbox
   * of nobody, which gets no row, and where the last `isKept`.
   */
  async renew(uid: string | null, emailDigest: string, isKept: boolean): Promise<string | null> {
    const code = `${uid}.${randomHex(CODE_BYTES)}`;
    const digest = digestText(code);
    const row = uid === null
      ? null
      : { uid, digest, expiresAt: this.#engine.now() + EMAIL_CODE_MS };
    await this.#engine.changeSidecar(this.#key(emailDigest), (old) => isKept ? old : row);
    return row === null || isKept ? null : code;
  }

  /** Returns the row that makes a mailbox's latest code invalid. */
  revokingRow(emailDigest: string): SidecarRow {
    return { key: this.#key(emailDigest), value: null };
  }

  /**
   * Uses up a code; null unless it is the mailbox's latest and still valid. Anybody may send others:
   * they cost the store a read, and no write.
   *
   * @param check called with a right code before it is used, which it is not if this throws
   */
  async use(
    code: string,
    emailDigest: string,
    check: () => Promise<void> = () => Promise.resolve(),
  ): Promise<UsedCode | null> {
    const key = this.#key(emailDigest);
    const digest = digestText(code);
    const use = randomHex(USE_BYTES);
    // A code that came in time is not too old because the store takes long.
    const now = this.#engine.now();
    if (!isGoodRow(await this.#engine.readSidecar(key), digest, now)) return null;
    await check();
    const used: { row: EmailCodeRow | null } = { row: null };
    await firstWrite(this.#engine.changeSidecar(key, (old) => {
      const row = isEmailCodeRow(old) ? old : null;
      const isUsed = row !== null && (isGoodRow(row, digest, now) || row.use === use);
      used.row = isUsed ? { ...row, digest } : null;
      return used.row === null ? row : { ...used.row, digest: "", use };
    }));
    const { row } = used;
    if (row === null) return null;
    // Does not overwrite a code that was sent meanwhile.
    const restore = async () =>
      void await this.#engine.changeSidecar(
        key,
        (old) => isEmailCodeRow(old) && old.use === use ? row : old,
      );
    return { uid: row.uid, restore };
  }

  #key(emailDigest: string): SidecarKey {
    return emailCodeKey(this.#purpose, emailDigest);
  }
}

/** Returns whether a code's row is useless by now. */
export function isEmailCodeOver(value: unknown, now: number): boolean {
  return !isEmailCodeRow(value) || value.expiresAt <= now;
}

function isGoodRow(value: unknown, digest: string, now: number): boolean {
  return isEmailCodeRow(value) && value.digest === digest && value.expiresAt > now;
}

function isEmailCodeRow(value: unknown): value is EmailCodeRow {
  return typeof value === "object" && value !== null && "digest" in value;
}
