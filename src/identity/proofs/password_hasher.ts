/** Password hashes: scrypt, off the main thread, a few at a time. */
import { Buffer } from "node:buffer";
import { scrypt, timingSafeEqual } from "node:crypto";
import { type HashParty, HashQueue } from "./hash_queue.ts";

/** Cost of a hash: 64 MiB. */
export const SCRYPT_COST = 2 ** 16;
const BLOCK_SIZE = 8;
/** As OWASP recommends for 64 MiB; a hash takes about 0.4 s. */
const PARALLELIZATION = 2;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** The party of the process itself. */
const OWN: HashParty = { name: "", lane: "proven" };

/** A hash as it is stored. */
export interface PasswordHash {
  readonly algorithm: "scrypt";
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  /** Base64. */
  readonly salt: string;
  /** Base64. */
  readonly hash: string;
}

/** Hashes passwords. */
export class PasswordHasher {
  readonly #cost: number;
  readonly #queue = new HashQueue();
  /** Hashed against when there is no hash, so that a miss takes as long. */
  readonly #nobody: PasswordHash;

  /** @param cost a power of two */
  constructor(cost: number) {
    this.#cost = cost;
    this.#nobody = this.#parameters();
  }

  /**
   * Hashes a password with a new salt.
   *
   * @param party who asks, if others wait; see {@linkcode HashQueue.run}
   * @throws {IdentityError} `unavailable`: too many are waiting
   */
  async hash(password: string, party: HashParty = OWN): Promise<PasswordHash> {
    const parameters = this.#parameters();
    const hash = await this.#derive(password, parameters, party);
    return { ...parameters, hash: hash.toString("base64") };
  }

  /**
   * Returns whether a password is the hashed one; false without a hash, after the same work.
   *
   * @param party who asks, as above
   * @throws {IdentityError} `unavailable`: too many are waiting
   */
  async verify(
    password: string,
    stored: PasswordHash | null,
    party: HashParty = OWN,
  ): Promise<boolean> {
    const found = await this.#derive(password, stored ?? this.#nobody, party);
    const expected = Buffer.from((stored ?? this.#nobody).hash, "base64");
    return stored !== null && expected.length === found.length && timingSafeEqual(expected, found);
  }

  /** Whether the next hash has to wait for its turn. */
  get isBusy(): boolean {
    return this.#queue.isBusy;
  }

  /** Returns whether a hash was made with other parameters than new ones. */
  isOutdated({ cost, blockSize, parallelization }: PasswordHash): boolean {
    return cost !== this.#cost || blockSize !== BLOCK_SIZE || parallelization !== PARALLELIZATION;
  }

  #parameters(): PasswordHash {
    const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
    return {
      algorithm: "scrypt",
      cost: this.#cost,
      blockSize: BLOCK_SIZE,
      parallelization: PARALLELIZATION,
      salt: Buffer.from(salt).toString("base64"),
      hash: "",
    };
  }

  #derive(password: string, parameters: PasswordHash, party: HashParty): Promise<Buffer> {
    return this.#queue.run(party, () => derive(password, parameters));
  }
}

/** Normalizes a password, however the keyboard composes its letters. */
export function plainPassword(password: string): string {
  return password.normalize("NFKC");
}

const SPARE_BYTES = 1024 * 1024;

function derive(password: string, parameters: PasswordHash): Promise<Buffer> {
  const { cost: N, blockSize: r, parallelization: p, salt } = parameters;
  // Twice the memory needed, since runtimes differ in what they count.
  const maxmem = 2 * 128 * N * r * p + SPARE_BYTES;
  return new Promise((resolve, reject) => {
    scrypt(
      plainPassword(password),
      Buffer.from(salt, "base64"),
      HASH_BYTES,
      { N, r, p, maxmem },
      (error, key) => error === null ? resolve(key) : reject(error),
    );
  });
}
