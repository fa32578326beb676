/** Codes for who has lost the authenticator: each stands in for one one-time code. */
import type { Engine, SidecarKey, SidecarRow } from "../engine/engine.ts";
import { digestText, randomBase32, randomHex } from "./random_text.ts";

/** Codes of a member. */
const RECOVERY_CODES = 10;
/** Letters of a code, five bits each. */
const CODE_LENGTH = 16;
const GROUP_LENGTH = 4;
const USE_BYTES = 8;

/** What of the engine recovery codes need. */
export type RecoveryCodesEngine = Pick<Engine, "readSidecar" | "changeSidecar">;

interface RecoveryRow {
  readonly digests: readonly string[];
  /** The use that has made the row what it is. */
  readonly lastUse?: string;
}

/** The recovery codes of a venue's members: their digests stand in rows beside the log. */
export class RecoveryCodes {
  readonly #engine: RecoveryCodesEngine;

  constructor(engine: RecoveryCodesEngine) {
    this.#engine = engine;
  }

  /** New codes, and the row that makes them good. */
  create(uid: string): { codes: readonly string[]; row: SidecarRow } {
    const codes = Array.from({ length: RECOVERY_CODES }, () => randomBase32(CODE_LENGTH));
    return {
      codes: codes.map((code) => code.match(/.{4}/g)?.join("-") ?? code),
      row: { key: recoveryKey(uid), value: { digests: codes.map(digestText) } },
    };
  }

  /** The row that takes all of a member's codes away. */
  erase(uid: string): SidecarRow {
    return { key: recoveryKey(uid), value: null };
  }

  /** Uses a code up; answers how many are left, or null where it is none of the member's. */
  async use(uid: string, code: string): Promise<number | null> {
    const digest = digestText(plainCode(code));
    const lastUse = randomHex(USE_BYTES);
    const used = { isFound: false };
    const left = await this.#engine.changeSidecar(recoveryKey(uid), (old) => {
      const row = rowOf(old);
      used.isFound = row.digests.includes(digest) || row.lastUse === lastUse;
      return used.isFound ? { digests: without(row, digest), lastUse } : old;
    });
    return used.isFound ? rowOf(left).digests.length : null;
  }

  /** Makes a used code good again: what it was used for has come to nothing. */
  async restore(uid: string, code: string): Promise<void> {
    const digest = digestText(plainCode(code));
    await this.#engine.changeSidecar(
      recoveryKey(uid),
      (old) => old === null ? null : { digests: [...without(rowOf(old), digest), digest] },
    );
  }
}

/** Whether a text may be a recovery code. */
export function looksLikeRecoveryCode(text: string): boolean {
  return /^[A-Z2-7]{16}$/.test(plainCode(text));
}

function plainCode(text: string): string {
  return text.length > CODE_LENGTH + 2 * GROUP_LENGTH
    ? ""
    : text.replace(/[\s-]/g, "").toUpperCase();
}

function recoveryKey(uid: string): SidecarKey {
  return ["recovery_codes", uid];
}

function rowOf(value: unknown): RecoveryRow {
  const row = value as RecoveryRow | null;
  return Array.isArray(row?.digests) ? row : { digests: [] };
}

function without({ digests }: RecoveryRow, digest: string): readonly string[] {
  return digests.filter((other) => other !== digest);
}
