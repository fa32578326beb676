/**
 * The keys of a wallet on one network. A member's address comes from public keys alone, so that
 * every process can make it; who signs has the seed.
 */
import { HDKey } from "@scure/bip32";
import { present } from "../../domain/assert.ts";

/**
 * Branches of an account: addresses that members pay to, and the wallet's own. Higher ones are of
 * members who were made after a restore.
 */
const MEMBERS = 0;
const OWN = 1;
/** Members have indexes below this; keys beyond are hardened, which public keys can't derive. */
export const KEY_INDEX_END = 0x8000_0000;
/** Lengths of a seed, in bytes. */
export const SEED_BYTES_MIN = 16;
export const SEED_BYTES_MAX = 64;

/** The path of an account as in BIP-44: purpose, coin and account, all hardened. */
export type AccountPath = `m/${number}'/${number}'/${number}'`;

/** A member's key. */
export interface MemberPlace {
  /** The member's index. */
  readonly member: number;
  /** Absent for the branch of members from before any restore. */
  readonly branch?: number;
}

/** Which key of an account. */
export type KeyPlace = MemberPlace | { readonly own: number };

/** The keys of one account; without its private key they only watch. */
export class AccountKeys {
  readonly #account: HDKey;

  private constructor(account: HDKey) {
    this.#account = account;
  }

  /** Derives an account of a seed; it can sign. */
  static ofSeed(seed: Uint8Array, path: AccountPath): AccountKeys {
    return new AccountKeys(HDKey.fromMasterSeed(seed).derive(path));
  }

  /**
   * Takes an account's extended public key; it can only watch.
   *
   * @throws {Error} the text is not one
   */
  static ofPublicKey(extended: string): AccountKeys {
    const account = HDKey.fromExtendedKey(extended);
    if (account.privateKey !== null) throw new Error("An extended public key is private");
    return new AccountKeys(account);
  }

  /** The account's extended public key, which tells all of its addresses and signs nothing. */
  get publicKey(): string {
    return this.#account.publicExtendedKey;
  }

  /** Whether it can sign. */
  get canSign(): boolean {
    return this.#account.privateKey !== null;
  }

  /** Returns a public key, compressed to 33 bytes. */
  publicKeyAt(place: KeyPlace): Uint8Array {
    return present(this.#derived(place).publicKey, "a derived key is public");
  }

  /**
   * Returns a private key of 32 bytes, to sign with at once and to keep nowhere.
   *
   * @throws {Error} the account only watches
   */
  privateKeyAt(place: KeyPlace): Uint8Array {
    const { privateKey } = this.#derived(place);
    if (privateKey === null) throw new Error("This process has no WALLET_SEED: it only watches");
    return privateKey;
  }

  #derived(place: KeyPlace): HDKey {
    const [branch, index] = "member" in place
      ? [place.branch ?? MEMBERS, place.member]
      : [OWN, place.own];
    if (!Number.isSafeInteger(index) || index < 0 || index >= KEY_INDEX_END) {
      throw new RangeError(`There is no key ${index}`);
    }
    return this.#account.deriveChild(branch).deriveChild(index);
  }
}
