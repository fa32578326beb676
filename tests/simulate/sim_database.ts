/** The data of the simulated server: rows in key order, with the platform's limits. */
import { keyCode } from "./key_code.ts";
import { SortedCodes } from "./sorted_codes.ts";

/** Limits of Deno KV; the one for checks is KV Connect's. */
const CHECKS_MAX = 10;
const MUTATIONS_MAX = 1000;
const COMMIT_BYTES_MAX = 819_200;
const COMMIT_KEY_BYTES_MAX = 81_920;
const VALUE_BYTES_MAX = 65_536;
const WRITE_KEY_BYTES_MAX = 2048;
const READ_KEY_BYTES_MAX = 2049;
const VERSIONSTAMP = /^[0-9a-f]{20}$/;

/** A row as it is read. */
export type SimEntry = Deno.KvEntry<unknown>;

/** A check of a commit. */
export interface SimCheck {
  readonly key: Deno.KvKey;
  readonly versionstamp: string | null;
}

/** A mutation of a commit; `undefined` deletes. */
export interface SimMutation {
  readonly key: Deno.KvKey;
  readonly code: string;
  readonly value: unknown;
}

interface Row {
  readonly key: Deno.KvKey;
  readonly value: unknown;
  readonly versionstamp: string;
}

/** What a database held at a time. */
export interface SimCopy {
  readonly rows: readonly (readonly [code: string, row: Row])[];
  readonly version: number;
}

/** Called with each applied commit. */
export type CommitListener = (mutations: readonly SimMutation[], versionstamp: string) => void;

/** The rows of one simulated KV. */
export class SimDatabase {
  readonly #rows = new Map<string, Row>();
  readonly #codes = new SortedCodes();
  readonly #listeners = new Set<CommitListener>();
  #version = 0;

  /** Calls the listener after each commit; returns a function that ends this. */
  onCommit(listener: CommitListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns what the database holds, and where its versionstamps are. */
  copy(): SimCopy {
    return { rows: [...this.#rows], version: this.#version };
  }

  /** Puts a copy back: rows and versionstamps are those of its time again, and nobody is told. */
  putBack({ rows, version }: SimCopy): void {
    for (const code of this.#rows.keys()) this.#codes.delete(code);
    this.#rows.clear();
    for (const [code, row] of rows) {
      this.#rows.set(code, row);
      this.#codes.add(code);
    }
    this.#version = version;
  }

  /** Reads a row. */
  get(key: Deno.KvKey): Deno.KvEntryMaybe<unknown> {
    const row = this.#rows.get(keyCode(key));
    if (row === undefined) return { key, value: null, versionstamp: null };
    return entryOf(row);
  }

  /** Reads rows with codes from `start` inclusive to `end` exclusive. */
  range(start: string, end: string, limit: number, isReverse: boolean): SimEntry[] {
    return this.#codes.range(start, end, limit, isReverse)
      .map((code) => entryOf(this.#rows.get(code) as Row));
  }

  /** Applies a commit; returns its versionstamp, or null if a check fails. */
  commit(checks: readonly SimCheck[], mutations: readonly SimMutation[]): string | null {
    for (const { key, versionstamp } of checks) {
      const row = this.#rows.get(keyCode(key));
      if ((row?.versionstamp ?? null) !== versionstamp) return null;
    }
    this.#version += 1;
    const versionstamp = this.#version.toString(16).padStart(16, "0") + "0000";
    for (const { key, code, value } of mutations) {
      const isThere = this.#rows.has(code);
      if (value === undefined) {
        if (!isThere) continue;
        this.#rows.delete(code);
        this.#codes.delete(code);
        continue;
      }
      if (!isThere) this.#codes.add(code);
      this.#rows.set(code, { key, value, versionstamp });
    }
    for (const listener of this.#listeners) listener(mutations, versionstamp);
    return versionstamp;
  }
}

function entryOf({ key, value, versionstamp }: Row): SimEntry {
  return { key, value: copyValue(value), versionstamp };
}

/** Returns a copy of a value, as a store does. */
export function copyValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return value.slice();
  return typeof value === "object" ? structuredClone(value) : value;
}

/** Asserts a commit's limits, with the platform's error messages. */
export function assertCommit(
  checks: readonly SimCheck[],
  mutations: readonly SimMutation[],
): void {
  if (checks.length > CHECKS_MAX) throw new TypeError(`Too many checks (max ${CHECKS_MAX})`);
  if (mutations.length > MUTATIONS_MAX) {
    throw new TypeError(`Too many mutations (max ${MUTATIONS_MAX})`);
  }
  let keyBytes = 0;
  let bytes = 0;
  for (const { key, versionstamp } of checks) {
    keyBytes += assertReadKey(key).length;
    if (versionstamp !== null && !VERSIONSTAMP.test(versionstamp)) {
      throw new TypeError("Invalid check");
    }
  }
  for (const { code, value } of mutations) {
    if (code.length > WRITE_KEY_BYTES_MAX) {
      throw new TypeError(`Key too large for write (max ${WRITE_KEY_BYTES_MAX} bytes)`);
    }
    const size = value === undefined ? 0 : sizeOf(value);
    if (size > VALUE_BYTES_MAX) {
      throw new TypeError(`Value too large (max ${VALUE_BYTES_MAX} bytes)`);
    }
    keyBytes += code.length;
    bytes += code.length + size;
  }
  if (bytes + keyBytes > COMMIT_BYTES_MAX) {
    throw new TypeError(`Total mutation size too large (max ${COMMIT_BYTES_MAX} bytes)`);
  }
  if (keyBytes > COMMIT_KEY_BYTES_MAX) {
    throw new TypeError(`Total key size too large (max ${COMMIT_KEY_BYTES_MAX} bytes)`);
  }
}

/** Asserts that a key may be read; returns its code. */
export function assertReadKey(key: Deno.KvKey): string {
  const code = keyCode(key);
  if (code.length > READ_KEY_BYTES_MAX) {
    throw new TypeError(`Key too large for read (max ${READ_KEY_BYTES_MAX} bytes)`);
  }
  return code;
}

/** Returns the size of a value in bytes; for records approximately, from their JSON. */
function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value === "string") return value.length;
  return JSON.stringify(value, (_, part) => typeof part === "bigint" ? `${part}` : part).length;
}
