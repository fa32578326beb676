/** Secrets of authenticators, sealed in sidecar rows. */
import { DAY_MS, HOUR_MS } from "../../domain/calendar.ts";
import type { Engine, SidecarKey, SidecarRow } from "../../engine/engine.ts";
import { newOtpSecretKey, otpSecretKey } from "../../engine/sidecar_rows.ts";
import type { Sealed, Vault } from "../../secrets/vault.ts";

/** How long a new secret waits for its first code, in ms. */
const NEW_SECRET_MS = HOUR_MS;
/**
 * How long a member has to act on the notice that a second factor was turned on, in ms: for so long
 * its mailbox alone can turn the factor off, and never again.
 */
export const FACTOR_NOTICE_MS = 2 * DAY_MS;

/** What secrets need of the engine. */
export type OtpSecretsEngine = Pick<
  Engine,
  "venue" | "readSidecar" | "changeSidecar" | "now"
>;

interface SecretRow {
  readonly secret: Sealed;
  /** Only for a secret not in force yet. */
  readonly expiresAt?: number;
  /** When its member put it in force, in ms; absent where a process did as it started. */
  readonly onAt?: number;
}

/** The secrets of a venue's members: one in force, and one that waits for its first code. */
export class OtpSecrets {
  readonly #engine: OtpSecretsEngine;
  readonly #vault: Vault;

  constructor(engine: OtpSecretsEngine, vault: Vault) {
    this.#engine = engine;
    this.#vault = vault;
  }

  /** Keeps a secret until its first code, in place of an earlier one. */
  async propose(uid: string, secret: string): Promise<void> {
    const key = newOtpSecretKey(uid);
    const row: SecretRow = {
      secret: await this.#vault.seal(secret, key),
      expiresAt: this.#engine.now() + NEW_SECRET_MS,
    };
    await this.#engine.changeSidecar(key, () => row);
  }

  /** Returns the secret that waits at a time (ms); null if there is none or it was too old. */
  async proposed(uid: string, at: number): Promise<string | null> {
    const value = await this.#engine.readSidecar(newOtpSecretKey(uid));
    if (isNewSecretOver(value, at)) return null;
    return await this.#vault.open((value as SecretRow).secret, newOtpSecretKey(uid));
  }

  /** Returns the secret in force; null if there is none. */
  async current(uid: string): Promise<string | null> {
    const value = await this.#engine.readSidecar(otpSecretKey(uid));
    return isSecretRow(value) ? await this.#vault.open(value.secret, otpSecretKey(uid)) : null;
  }

  /** Returns whether the secret in force was put so lately that its notice may not be read yet. */
  async isNew(uid: string): Promise<boolean> {
    const value = await this.#engine.readSidecar(otpSecretKey(uid));
    const onAt = isSecretRow(value) ? value.onAt ?? -Infinity : -Infinity;
    return this.#engine.now() < onAt + FACTOR_NOTICE_MS;
  }

  /**
   * Returns the rows that put a secret in force.
   *
   * @param onAt when its member does so; null where a process does
   */
  async rows(uid: string, secret: string, onAt: number | null): Promise<readonly SidecarRow[]> {
    const key = otpSecretKey(uid);
    const row: SecretRow = {
      secret: await this.#vault.seal(secret, key),
      ...(onAt === null ? {} : { onAt }),
    };
    return [{ key, value: row }, { key: newOtpSecretKey(uid), value: null }];
  }

  /** Returns the row that deletes the waiting secret. */
  eraseProposed(uid: string): SidecarRow {
    return { key: newOtpSecretKey(uid), value: null };
  }

  /** Returns the row that deletes the secret in force. */
  erase(uid: string): SidecarRow {
    return { key: otpSecretKey(uid), value: null };
  }

  /**
   * Reseals every secret that an older master key has sealed.
   *
   * @returns how many there were
   */
  async resealAll(): Promise<number> {
    let count = 0;
    for (const { member: { uid } } of this.#engine.venue.members()) {
      for (const key of [otpSecretKey(uid), newOtpSecretKey(uid)]) {
        count += await this.#reseal(key) ? 1 : 0;
      }
    }
    return count;
  }

  async #reseal(key: SidecarKey): Promise<boolean> {
    const value = await this.#engine.readSidecar(key);
    if (!isSecretRow(value) || !this.#vault.needsReseal(value.secret)) return false;
    const secret = await this.#vault.seal(await this.#vault.open(value.secret, key), key);
    // A secret that was changed meanwhile is already sealed with the new key.
    await this.#engine.changeSidecar(
      key,
      (old) =>
        isSecretRow(old) && old.secret.ciphertext === value.secret.ciphertext
          ? { ...old, secret }
          : old,
    );
    return true;
  }
}

/** Returns whether a secret has waited too long for its first code. */
export function isNewSecretOver(value: unknown, now: number): boolean {
  return !isSecretRow(value) || (value.expiresAt ?? 0) <= now;
}

function isSecretRow(value: unknown): value is SecretRow {
  return typeof value === "object" && value !== null && "secret" in value;
}
