/**
 * Secrets at rest: AES-256-GCM with master keys from the environment. Every sealed value is bound
 * to its row, so that it does not open anywhere else.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";

/** Bytes of a master key. */
const MASTER_KEY_BYTES = 32;
/** Bytes of an initialisation vector: 96 bits, random for each sealing. */
const IV_BYTES = 12;
const KEY_NAME_BYTES = 8;
const FORMAT_VERSION = 1;

/** A secret as stored in a row. */
export interface Sealed {
  readonly version: number;
  /** Name of the master key that sealed it. */
  readonly key: string;
  /** Base64. */
  readonly iv: string;
  /** Base64, followed by the authentication tag. */
  readonly ciphertext: string;
}

/** What a sealed value belongs to: the key of its row. */
export type SealedPlace = readonly (string | number)[];

/** A sealed value does not open: wrong master key, damage, or a value from another row. */
export class VaultError extends Error {
  override name = "VaultError";
}

/** What sealed a value is none of the master keys given: it may be a newer one. */
export class UnknownMasterKeyError extends VaultError {
  override name = "UnknownMasterKeyError";
}

interface MasterKey {
  readonly name: string;
  readonly cryptoKey: Promise<CryptoKey>;
}

/** Seals with the first of its master keys and opens with any of them. */
export class Vault {
  readonly #first: MasterKey;
  readonly #byName: ReadonlyMap<string, MasterKey>;

  /** @param masterKeys newest first, 32 bytes each */
  constructor(masterKeys: readonly Uint8Array[]) {
    const keys = masterKeys.map(createMasterKey);
    const first = keys[0];
    if (first === undefined) throw new VaultError("A vault needs at least one master key");
    this.#first = first;
    this.#byName = new Map(keys.map((key) => [key.name, key]));
  }

  /** Seals a text for the row at `place`. */
  async seal(text: string, place: SealedPlace): Promise<Sealed> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const ciphertext = await crypto.subtle.encrypt(
      { name: "AES-GCM", iv, additionalData: placeBytes(place) },
      await this.#first.cryptoKey,
      new TextEncoder().encode(text),
    );
    return {
      version: FORMAT_VERSION,
      key: this.#first.name,
      iv: toBase64(iv),
      ciphertext: toBase64(new Uint8Array(ciphertext)),
    };
  }

  /**
   * Opens what was sealed for the row at `place`.
   *
   * @throws {VaultError} if no master key has that name, or the value is another row's or damaged
   */
  async open(sealed: unknown, place: SealedPlace): Promise<string> {
    if (!isSealed(sealed)) {
      throw new VaultError(`Row ${placeText(place)} does not hold a sealed value`);
    }
    const key = this.#byName.get(sealed.key);
    if (key === undefined) {
      throw new UnknownMasterKeyError(
        `Row ${placeText(place)} is sealed under master key "${sealed.key}", but the only ` +
          `keys given are ${[...this.#byName.keys()].map((name) => `"${name}"`).join(", ")}`,
      );
    }
    try {
      const plaintext = await crypto.subtle.decrypt(
        { name: "AES-GCM", iv: fromBase64(sealed.iv), additionalData: placeBytes(place) },
        await key.cryptoKey,
        fromBase64(sealed.ciphertext),
      );
      return new TextDecoder("utf-8", { fatal: true }).decode(plaintext);
    } catch (cause) {
      throw new VaultError(
        `Row ${placeText(place)} cannot be decrypted: it is damaged or was moved`,
        { cause },
      );
    }
  }

  /** Returns whether a value is sealed with a key that is not among those given. */
  isUnknown(sealed: unknown): boolean {
    return isSealed(sealed) && !this.#byName.has(sealed.key);
  }

  /** Returns whether a value is sealed with another key than the one that seals now. */
  needsReseal(sealed: unknown): boolean {
    return isSealed(sealed) && sealed.key !== this.#first.name;
  }
}

/**
 * Parses master keys: 32 bytes each in base64 or hex, newest first, separated by commas.
 *
 * @throws {VaultError} with a sentence that does not repeat the text
 */
export function parseMasterKeys(text: string): Uint8Array[] {
  const keys = text.split(",").map((part, index) => {
    const bytes = parseKey(part.trim());
    if (bytes === null) {
      throw new VaultError(
        `key ${index + 1} of the list is not ${MASTER_KEY_BYTES} bytes in base64 or hex`,
      );
    }
    if (bytes.every((byte) => byte === 0)) {
      throw new VaultError(`key ${index + 1} of the list is all zeros, which anybody can guess`);
    }
    return bytes;
  });
  if (new Set(keys.map(bytesToHex)).size < keys.length) {
    throw new VaultError("the list contains the same key twice");
  }
  return keys;
}

/** Returns a new random master key, in base64. */
export function createMasterKeyText(): string {
  return toBase64(crypto.getRandomValues(new Uint8Array(MASTER_KEY_BYTES)));
}

function parseKey(text: string): Uint8Array | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return hexToBytes(text);
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes.length === MASTER_KEY_BYTES ? bytes : null;
}

function createMasterKey(bytes: Uint8Array): MasterKey {
  if (bytes.length !== MASTER_KEY_BYTES) {
    throw new VaultError(`A master key has ${MASTER_KEY_BYTES} bytes, not ${bytes.length}`);
  }
  const copy = new Uint8Array(bytes);
  return {
    name: bytesToHex(sha256(copy).subarray(0, KEY_NAME_BYTES)),
    cryptoKey: crypto.subtle.importKey("raw", copy, "AES-GCM", false, ["encrypt", "decrypt"]),
  };
}

function isSealed(value: unknown): value is Sealed {
  if (typeof value !== "object" || value === null) return false;
  const { version, key, iv, ciphertext } = value as Partial<Record<keyof Sealed, unknown>>;
  return version === FORMAT_VERSION && typeof key === "string" && typeof iv === "string" &&
    typeof ciphertext === "string";
}

function placeBytes(place: SealedPlace): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify([FORMAT_VERSION, ...place]));
}

function placeText(place: SealedPlace): string {
  return `"${place.join("/")}"`;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}
