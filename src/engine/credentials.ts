/**
 * What API keys are verified with. Secrets and allow-lists stand in rows beside
 * the log; those of keys in use are kept ready in memory.
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { VenueEvent } from "../domain/event.ts";
import type { ApiKey } from "../domain/member.ts";
import { isSameBytes } from "../store/entry_codec.ts";
import type { Engine, SidecarRow } from "./engine.ts";
import { IpAllowList } from "./ip_allow_list.ts";
import type { Vault } from "./vault.ts";

/** Keys whose credentials are kept in memory; the ones longest unused go first. */
const CACHED_KEYS_MAX = 10_000;

/** An HMAC-SHA256 that has taken in its secret: clone it, never update it. */
export type KeyedHash = ReturnType<typeof hmac.create>;

/** What a key is verified with. */
export interface Credential {
  readonly keyedHash: KeyedHash;
  /** Null where the key may be used from anywhere. */
  readonly allowList: IpAllowList | null;
}

/** What of the engine credentials need. */
export type CredentialsEngine = Pick<Engine, "venue" | "readSidecar" | "changeSidecar" | "onEntry">;

/** Builds the keyed state of a secret. */
export function createKeyedHash(secret: string): KeyedHash {
  return hmac.create(sha256, utf8ToBytes(secret));
}

/** The credentials of a venue's keys. */
export class Credentials {
  readonly #engine: CredentialsEngine;
  readonly #vault: Vault;
  readonly #cache = new Map<string, Credential>();
  /** Loads under way; a change of the key takes its load out, so that it is not kept. */
  readonly #loads = new Map<string, Promise<Credential | null>>();
  /** Cancel timers of the keys in the cache, as text. */
  readonly #timers = new Map<string, string>();

  constructor(engine: CredentialsEngine, vault: Vault) {
    this.#engine = engine;
    this.#vault = vault;
    engine.onEntry((events) => this.#forgetChanged(events));
  }

  /** A key's credential if it is in memory. */
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
   * A key's credential; null for a key that the venue does not know or whose secret was erased.
   *
   * @throws {VaultError} the stored secret does not open
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
   * Whether this is the secret of a key.
   *
   * @throws {VaultError} the stored secret does not open
   */
  async hasSecret(kid: string, secret: string): Promise<boolean> {
    const credential = await this.get(kid);
    return credential !== null &&
      isSameBytes(credential.keyedHash.clone().digest(), createKeyedHash(secret).digest());
  }

  /**
   * The row to commit beside a new key.
   *
   * @throws {RangeError} an entry of the allow-list is no address or range
   */
  async create(kid: string, secret: string, allowList: readonly string[]): Promise<SidecarRow> {
    IpAllowList.parse(allowList);
    const key = secretKey(kid);
    return { key, value: { secret: await this.#vault.seal(secret, key), allowList } };
  }

  /**
   * The row to commit beside a change of a key's allow-list; null for an unknown key.
   * It stands apart from the secret, so that resealing never brings back an old list.
   *
   * @throws {RangeError} an entry is no address or range
   */
  setAllowList(kid: string, allowList: readonly string[]): Promise<SidecarRow | null> {
    IpAllowList.parse(allowList);
    const isKnown = this.#engine.venue.keyByKid.has(kid);
    return Promise.resolve(isKnown ? { key: allowListKey(kid), value: { allowList } } : null);
  }

  /** The rows to commit beside a key's deletion: nothing signed with it verifies any more. */
  erase(kid: string): readonly SidecarRow[] {
    return [secretKey(kid), allowListKey(kid)].map((key) => ({ key, value: null }));
  }

  /** A key's allow-list as text; empty where it may be used from anywhere. */
  async allowList(kid: string): Promise<readonly string[]> {
    const [row, override] = await Promise.all([
      this.#engine.readSidecar(secretKey(kid)),
      this.#engine.readSidecar(allowListKey(kid)),
    ]);
    return listOf(override) ?? listOf(row) ?? [];
  }

  /**
   * Seals anew every secret that stands under an older master key.
   *
   * @returns how many it was
   */
  async resealAll(): Promise<number> {
    let count = 0;
    for (const { key: { kid } } of this.#engine.venue.keys) {
      const key = secretKey(kid);
      const value = await this.#engine.readSidecar(key);
      if (!isCredentialRow(value) || !this.#vault.needsReseal(value.secret)) continue;
      const secret = await this.#vault.seal(await this.#vault.open(value.secret, key), key);
      // A key that was deleted meanwhile must not get its secret back.
      await this.#engine.changeSidecar(
        key,
        (old) => isSecretOf(value, old) ? { ...value, secret } : old,
      );
      count++;
    }
    return count;
  }

  async #load(kid: string): Promise<Credential | null> {
    const key = secretKey(kid);
    const [row, override] = await Promise.all([
      this.#engine.readSidecar(key),
      this.#engine.readSidecar(allowListKey(kid)),
    ]);
    if (!isCredentialRow(row)) return null;
    const secret = await this.#vault.open(row.secret, key);
    return {
      keyedHash: createKeyedHash(secret),
      allowList: IpAllowList.parse((listOf(override) ?? row.allowList).map(plainEntry)),
    };
  }

  #keep(kid: string, credential: Credential): void {
    this.#cache.set(kid, credential);
    this.#timers.set(kid, timersText(this.#engine.venue.keyByKid.get(kid)?.key));
    if (this.#cache.size <= CACHED_KEYS_MAX) return;
    for (const oldest of this.#cache.keys()) {
      this.#cache.delete(oldest);
      this.#timers.delete(oldest);
      return;
    }
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

  /** Bots set their timers all the time: it changes no credential. No other event moves a timer. */
  #isTimerSet(key: ApiKey): boolean {
    const before = this.#timers.get(key.kid);
    return before !== undefined && key.state === "active" && before !== timersText(key);
  }
}

function timersText(key: ApiKey | undefined): string {
  return JSON.stringify(key?.cancelTimers ?? []);
}

interface CredentialRow {
  readonly secret: unknown;
  readonly allowList: readonly string[];
}

function secretKey(kid: string): SidecarRow["key"] {
  return ["credentials", kid];
}

function allowListKey(kid: string): SidecarRow["key"] {
  return ["allow_lists", kid];
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

/** Older programs let brackets and zones pass, which say nothing of who is allowed. */
function plainEntry(entry: string): string {
  return entry.replace(/%[^/]*/, "").replace(/[[\]]/g, "");
}
