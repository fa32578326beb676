/** Members' texts, sealed in sidecar rows under the ids of the records that they belong to. */
import type { Engine, SidecarKey, SidecarRow } from "../engine/engine.ts";
import {
  sealedTextKey,
  type SealedTextKind,
  sealedTextRowsOf,
  sidecarRows,
} from "../engine/sidecar_rows.ts";
import { type Sealed, type SealedPlace, type Vault, VaultError } from "../secrets/vault.ts";
import { randomHex } from "../identity/random_text.ts";

const TOKEN_BYTES = 16;

/** What sealed texts need of the engine. */
export type TextsEngine = Pick<Engine, "readSidecar" | "changeSidecar" | "listSidecar">;

/**
 * A sealed text. Its id is assigned in the commit that writes the row, after sealing, so the text
 * is bound to its owner and a random token instead.
 */
interface TextRow {
  readonly owner: string;
  readonly token: string;
  readonly sealed: Sealed;
}

/** Texts of one kind. */
export class SealedTexts {
  readonly #engine: TextsEngine;
  readonly #vault: Vault;
  readonly #kind: SealedTextKind;

  constructor(engine: TextsEngine, vault: Vault, kind: SealedTextKind) {
    this.#engine = engine;
    this.#vault = vault;
    this.#kind = kind;
  }

  /** Seals a member's text; returns a function that builds its row once the id is known. */
  async prepare(owner: string, text: string): Promise<(id: number) => SidecarRow> {
    const token = randomHex(TOKEN_BYTES);
    const sealed = await this.#vault.seal(text, this.#place(owner, token));
    const value: TextRow = { owner, token, sealed };
    return (id) => ({ key: this.#key(id), value });
  }

  /**
   * Reads the text under an id; null if there is none.
   *
   * @throws {VaultError} it does not open, or is another member's
   */
  async read(owner: string, id: number): Promise<string | null> {
    const key = this.#key(id);
    const row = await this.#engine.readSidecar(key);
    if (row === null) return null;
    if (!isTextRow(row) || row.owner !== owner) {
      throw new VaultError(`Row "${key.join("/")}" does not hold a text of its member`);
    }
    return await this.#vault.open(row.sealed, this.#place(owner, row.token));
  }

  /** Reseals every text that an older master key has sealed; returns the number of rows. */
  async resealAll(): Promise<number> {
    let count = 0;
    for await (
      const { key, value } of sidecarRows(this.#engine, { prefix: sealedTextRowsOf(this.#kind) })
    ) {
      count += await this.#reseal(key, value);
    }
    return count;
  }

  async #reseal(key: SidecarKey, row: unknown): Promise<number> {
    if (!isTextRow(row) || !this.#vault.needsReseal(row.sealed)) return 0;
    const place = this.#place(row.owner, row.token);
    const sealed = await this.#vault.seal(await this.#vault.open(row.sealed, place), place);
    await this.#engine.changeSidecar(key, () => ({ ...row, sealed }));
    return 1;
  }

  #key(id: number): SidecarKey {
    return sealedTextKey(this.#kind, id);
  }

  #place(owner: string, token: string): SealedPlace {
    return [this.#kind, owner, token];
  }
}

function isTextRow(row: unknown): row is TextRow {
  if (typeof row !== "object" || row === null) return false;
  const { owner, token } = row as Partial<TextRow>;
  return typeof owner === "string" && typeof token === "string";
}
