/** Keyed digests of what the log must not hold; they only tell whether two values are the same. */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Engine, SidecarKey } from "../engine/engine.ts";
import { pepperKey, type PepperName } from "../engine/sidecar_rows.ts";
import { type Vault, VaultError } from "./vault.ts";

const PEPPER_BYTES = 32;

/** The part of the engine that a pepper needs. */
export type PepperEngine = Pick<Engine, "readSidecar" | "createSidecar" | "changeSidecar">;

/** Digests with a secret of its own, which is sealed in the store. */
export class Pepper {
  readonly #engine: PepperEngine;
  readonly #vault: Vault;
  readonly #key: SidecarKey;
  #secret: Promise<Uint8Array> | null = null;

  constructor(engine: PepperEngine, vault: Vault, name: PepperName) {
    this.#engine = engine;
    this.#vault = vault;
    this.#key = pepperKey(name);
  }

  /**
   * Returns the function that digests a text, in hex, once the secret is loaded.
   *
   * @throws {VaultError} if the secret does not open
   */
  async textDigests(): Promise<(text: string) => string> {
    const secret = await this.#getSecret();
    return (text) => bytesToHex(hmac(sha256, secret, utf8ToBytes(text)));
  }

  /**
   * Returns the function that digests several parts, in hex.
   *
   * @throws {VaultError} if the secret does not open
   */
  async digests(): Promise<(parts: readonly (string | number)[]) => string> {
    const digest = await this.textDigests();
    // JSON keeps the parts apart: no two different lists give the same text.
    return (parts) => digest(JSON.stringify(parts));
  }

  /** Reseals the secret if an older master key sealed it; returns how many rows that was. */
  async reseal(): Promise<number> {
    const old = await this.#engine.readSidecar(this.#key);
    if (!this.#vault.needsReseal(old)) return 0;
    const sealed = await this.#vault.seal(await this.#vault.open(old, this.#key), this.#key);
    await this.#engine.changeSidecar(this.#key, () => sealed);
    return 1;
  }

  #getSecret(): Promise<Uint8Array> {
    return this.#secret ??= this.#loadSecret().catch((error) => {
      this.#secret = null;
      throw error;
    });
  }

  /** Loads or creates it: processes that start at once on an empty store agree on the first. */
  async #loadSecret(): Promise<Uint8Array> {
    let value = await this.#engine.readSidecar(this.#key);
    if (value === null) {
      const secret = bytesToHex(crypto.getRandomValues(new Uint8Array(PEPPER_BYTES)));
      const sealed = await this.#vault.seal(secret, this.#key);
      await this.#engine.createSidecar({ key: this.#key, value: sealed });
      value = await this.#engine.readSidecar(this.#key);
    }
    const secret = hexToBytes(await this.#vault.open(value, this.#key));
    if (secret.length !== PEPPER_BYTES) throw new VaultError("The pepper has a wrong length");
    return secret;
  }
}
