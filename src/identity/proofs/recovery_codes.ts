/** Codes for a lost authenticator: each replaces one one-time code. */
import type { Engine, SidecarRow } from "../../engine/engine.ts";
import { recoveryCodesKey } from "../../engine/sidecar_rows.ts";
import { digestText, randomBase32, randomHex } from "../random_text.ts";

/** Codes per member. */
const RECOVERY_CODES = 10;
/** Characters of a code, five bits each. */
const CODE_LENGTH = 16;
const GROUP_LENGTH = 4;
const USE_BYTES = 8;

/** What recovery codes need of the engine. */
export type RecoveryCodesEngine = Pick<Engine, "readSidecar" | "changeSidecar">;

interface RecoveryRow {
  readonly digests: readonly string[];
  /** The use that wrote this row. */
  readonly lastUse?: string;
}

/** The recovery codes of a venue's members, stored as digests in sidecar rows. */
export class RecoveryCodes {
  readonly #engine: RecoveryCodesEngine;

  constructor(engine: RecoveryCodesEngine) {
    this.#engine = engine;
  }

  /** Creates codes and the row that makes them valid. */
  create(uid: string): { codes: readonly string[]; row: SidecarRow } {
    const codes = Array.from({ length: RECOVERY_CODES }, () => randomBase32(CODE_LENGTH));
    return {
      codes: codes.map((code) => code.match(/.{4}/g)?.join("-") ?? code),
      row: { key: recoveryCodesKey(uid), value: { digests: codes.map(digestText) } },
    };
  }

  /** Returns the row that deletes all of a member's codes. */
  erase(uid: string): SidecarRow {
    return { key: recoveryCodesKey(uid), value: null };
  }

  /** Uses up a code; returns how many are left, or null if it is not one of the member's. */
  async use(uid: string, code: string): Promise<number | null> {
    const digest = digestText(plainCode(code));
    const lastUse = randomHex(USE_BYTES);
    const used = { isFound: false };
    const left = await this.#engine.changeSidecar(recoveryCodesKey(uid), (old) => {
      const row = rowOf(old);
      used.isFound = row.digests.includes(digest) || row.lastUse === lastUse;
      return used.isFound ? { digests: without(row, digest), lastUse } : old;
    });
    return used.isFound ? rowOf(left).digests.length : null;
  }

  /** Makes a used code valid again, when what it was used for has failed. */
  async restore(uid: string, code: string): Promise<void> {
    const digest = digestText(plainCode(code));
    await this.#engine.changeSidecar(
      recoveryCodesKey(uid),
      (old) => old === null ? null : { digests: [...without(rowOf(old), digest), digest] },
    );
  }
}

/** Returns whether a text may be a recovery code. */
export function looksLikeRecoveryCode(text: string): boolean {
  return /^[A-Z2-7]{16}$/.test(plainCode(text));
}

function plainCode(text: string): string {
  return text.length > CODE_LENGTH + 2 * GROUP_LENGTH
    ? ""
    : text.replace(/[\s-]/g, "").toUpperCase();
}

function rowOf(value: unknown): RecoveryRow {
  const row = value as RecoveryRow | null;
  return Array.isArray(row?.digests) ? row : { digests: [] };
}

function without({ digests }: RecoveryRow, digest: string): readonly string[] {
  return digests.filter((other) => other !== digest);
}
