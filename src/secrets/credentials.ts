/**
 * What API keys are verified with. Secrets and allow-lists are sidecar rows; those of keys in use
 * are cached in memory.
 */
import { timingSafeEqual } from "@std/crypto";
import { present } from "../domain/assert.ts";
import type { VenueEvent } from "../domain/event.ts";
import type { ApiKey } from "../domain/people/member.ts";
import type { Engine, SidecarRow } from "../engine/engine.ts";
import { allowListKey, credentialKey } from "../engine/sidecar_rows.ts";
import { IpAllowList } from "./ip_allow_list.ts";
import { DIGEST_BYTES, KeyedHash } from "./keyed_hash.ts";
import type { Vault } from "./vault.ts";

/** The most keys whose credentials are cached; the least recently used go first. */
const CACHED_KEYS_MAX = 10_000;

/** What a key is verified with. */
export interface Credential {
  readonly keyedHash: KeyedHash;
  /** Null if the key may be used from anywhere. */
  readonly allowList: IpAllowList | null;
}

/** The part of the engine that credentials need. */
export type CredentialsEngine = Pick<Engine, "venue" | "readSidecar" | "changeSidecar" | "onEntry">;

/** The credentials of a venue's API keys. */
export class Credentials {
  readonly #engine: CredentialsEngine;
  readonly #vault: Vault;
  readonly #cache = new Map<string, Credential>();
  /** Loads in progress. A change of the key removes its load, so that the result is not cached. */
  readonly #loads = new Map<string, Promise<Credential | null>>();
  /** Cancel timers of the cached keys, as text. */
  readonly #timers = new Map<string, string>();

  constructor(engine: CredentialsEngine, vault: Vault) {
    this.#engine = engine;
    this.#vault = vault;
    engine.onEntry((events) => this.#forgetChanged(events));
  }

  /** Returns a key's credential if it is cached. */
  cached(kid: string): Credential | undefined {
    const credential = this.#cache.get(kid);
    // The order of use only matters once the cache is nearly full.
    if (credential !== undefined && this.#cache.size > CACHED_KEYS_MAX / 2) {
      this.#cache.delete(kid);
      this.#cache.set(kid, credential);
    }
    return credential;
  }

  /**
   * Returns a key's credential; null if the venue does not know the key or its secret was erased.
   *
   * @throws {VaultError} if the stored secret does not open
   */
  get(kid: string): Promise<Credential | null> {
    const cached = this.cached(kid);
    if (cached !== undefined) return Promise.resolve(cached);
    if (!this.#engine.venue.keyByKid.has(kid)) return Promise.resolve(null);
    const running = this.#loads.get(kid);
    if (running !== undefined) return running;
    const load = this.#load(kid).then(
      (credential) => {
        if (this.#loads.get(kid) === load) {
          this.#loads.delete(kid);
          if (credential !== null) this.#keep(kid, credential);
        }
        return credential;
      },
      (error) => {
        if (this.#loads.get(kid) === load) this.#loads.delete(kid);
        throw error;
      },
    );
    this.#loads.set(kid, load);
    return load;
  }

  /**
   * Returns whether a secret is the key's.
   *
   * @throws {VaultError} if the stored secret does not open
   */
  async hasSecret(kid: string, secret: string): Promise<boolean> {
    const credential = await this.get(kid);
    return credential !== null &&
      timingSafeEqual(
        signatureOfNothing(credential.keyedHash),
        signatureOfNothing(new KeyedHash(secret)),
      );
  }

  /**
   * Returns the row to commit with a new key.
   *
   * @throws {RangeError} if an entry of the allow-list is not an address or range
   */
  async create(kid: string, secret: string, allowList: readonly string[]): Promise<SidecarRow> {
    IpAllowList.parse(allowList);
    const key = credentialKey(kid);
    return { key, value: { secret: await this.#vault.seal(secret, key), allowList } };
  }

  /**
   * Returns the row to commit with a change of a key's allow-list. It is separate from the secret's
   * row, so that resealing never restores an old list.
   *
   * @throws {RangeError} if an entry is not an address or range
   */
  setAllowList(kid: string, allowList: readonly string[]): SidecarRow {
    IpAllowList.parse(allowList);
    return { key: allowListKey(kid), value: { allowList } };
  }

  /** Returns the rows to commit with a key's deletion: none of its signatures verifies any more. */
  erase(kid: string): readonly SidecarRow[] {
    return [credentialKey(kid), allowListKey(kid)].map((key) => ({ key, value: null }));
  }

  /** Returns a key's allow-list as text; empty if it may be used from anywhere. */
  async allowList(kid: string): Promise<readonly string[]> {
    const [row, override] = await Promise.all([
      this.#engine.readSidecar(credentialKey(kid)),
      this.#engine.readSidecar(allowListKey(kid)),
    ]);
    return listOf(override) ?? listOf(row) ?? [];
  }

  /**
   * Reseals every secret that is sealed with an older master key.
   *
   * @returns how many were resealed
   */
  async resealAll(): Promise<number> {
    let count = 0;
    for (const { key: { kid } } of this.#engine.venue.keys) {
      const key = credentialKey(kid);
      const value = await this.#engine.readSidecar(key);
      if (!isCredentialRow(value) || !this.#vault.needsReseal(value.secret)) continue;
      const secret = await this.#vault.seal(await this.#vault.open(value.secret, key), key);
      // A key deleted meanwhile must not get its secret back.
      await this.#engine.changeSidecar(
        key,
        (old) => isSecretOf(value, old) ? { ...value, secret } : old,
      );
      count++;
    }
    return count;
  }

  async #load(kid: string): Promise<Credential | null> {
    const key = credentialKey(kid);
    const [row, override] = await Promise.all([
      this.#engine.readSidecar(key),
      this.#engine.readSidecar(allowListKey(kid)),
    ]);
    if (!isCredentialRow(row)) return null;
    const secret = await this.#vault.open(row.secret, key);
    return {
      keyedHash: new KeyedHash(secret),
      allowList: IpAllowList.parse((listOf(override) ?? row.allowList).map(plainEntry)),
    };
  }

  #keep(kid: string, credential: Credential): void {
    this.#cache.set(kid, credential);
    this.#timers.set(kid, timersText(this.#engine.venue.keyByKid.get(kid)?.key));
    if (this.#cache.size <= CACHED_KEYS_MAX) return;
    const oldest = present(this.#cache.keys().next().value, "a cache that is full has a key");
    this.#cache.delete(oldest);
    this.#timers.delete(oldest);
  }

  #forgetChanged(events: readonly VenueEvent[]): void {
    for (const event of events) {
      if (event.kind !== "key_set") continue;
      const { kid } = event.key;
      if (this.#isTimerSet(event.key)) {
        this.#timers.set(kid, timersText(event.key));
        continue;
      }
      this.#cache.delete(kid);
      this.#timers.delete(kid);
      this.#loads.delete(kid);
    }
  }

  /** Returns whether only timers were set, as bots do all the time. Nothing else moves a timer. */
  #isTimerSet(key: ApiKey): boolean {
    const before = this.#timers.get(key.kid);
    return before !== undefined && key.state === "active" && before !== timersText(key);
  }
}

/** Returns what tells whether two secrets are one. */
function signatureOfNothing(keyedHash: KeyedHash): Uint8Array {
  const signature = new Uint8Array(DIGEST_BYTES);
  keyedHash.signInto("", signature);
  return signature;
}

function timersText(key: ApiKey | undefined): string {
  return JSON.stringify(key?.cancelTimers ?? []);
}

interface CredentialRow {
  readonly secret: unknown;
  readonly allowList: readonly string[];
}

function isCredentialRow(value: unknown): value is CredentialRow {
  return listOf(value) !== null && typeof value === "object" && value !== null && "secret" in value;
}

function isSecretOf({ secret }: CredentialRow, other: unknown): boolean {
  return isCredentialRow(other) && JSON.stringify(other.secret) === JSON.stringify(secret);
}

function listOf(value: unknown): readonly string[] | null {
  if (typeof value !== "object" || value === null || !("allowList" in value)) return null;
  return Array.isArray(value.allowList) ? value.allowList : null;
}

/** Removes brackets and zones, which older versions accepted and which restrict nothing. */
function plainEntry(entry: string): string {
  return entry.replace(/%[^/]*/, "").replace(/[[\]]/g, "");
}
