/**
 * The rows beside the log for who must change none: what is written stays in memory. What rails note
 * of a chain while they look at it is theirs alone.
 */
import type { SidecarKey, SidecarRange, SidecarRow } from "../engine/engine.ts";
import type { NetworkRailParts } from "../wallet/rails/network_rail.ts";
import { sidecarKey } from "../store/keys.ts";
import type { Store, Versioned } from "../store/store.ts";

/** A row that was written, in memory. */
interface OwnRow {
  readonly key: SidecarKey;
  /** Null if it was deleted. */
  readonly value: unknown;
  /** How many rows had been written with it. */
  readonly writes: number;
}

/** Rows that one reading of the store takes. */
const PAGE_ROWS = 500;

/** Reads a store's rows, and keeps what is written to itself. */
export class BesideStore {
  readonly #store: Pick<Store, "get" | "listSidecar">;
  readonly #own = new Map<string, OwnRow>();
  #writes = 0;
  /** What was listed, by prefix, until something is written. */
  readonly #listed = new Map<string, readonly SidecarRow[]>();

  constructor(store: Pick<Store, "get" | "listSidecar">) {
    this.#store = store;
  }

  /** Returns the face of an engine that rails work with. */
  engine(): NetworkRailParts["engine"] {
    return {
      now: () => Date.now(),
      readSidecar: (key) => this.#read(key),
      readSidecars: (keys) => Promise.all(keys.map((key) => this.#read(key))),
      createSidecar: async ({ key, value }) => {
        if (await this.#read(key) !== null) return false;
        this.#write(key, value);
        return true;
      },
      holdSidecars: async (keys) =>
        await Promise.all(keys.map(async (key) => ({ key, ...await this.#version(key) }))),
      replaceSidecars: async (groups) => {
        const rows = groups.flat();
        const now = await Promise.all(rows.map(({ key }) => this.#version(key)));
        const isAsRead = now.every(({ versionstamp }, i) => versionstamp === rows[i]?.versionstamp);
        if (isAsRead) { for (const { key, value } of rows) this.#write(key, value); }
        return groups.map(() => isAsRead);
      },
      changeSidecar: async (key, change) => {
        const value = change(await this.#read(key));
        this.#write(key, value);
        return value;
      },
      listSidecar: (range) => this.#list(range),
    };
  }

  async #read(key: SidecarKey): Promise<unknown> {
    return (await this.#version(key)).value;
  }

  async #version(key: SidecarKey): Promise<Versioned<unknown>> {
    const own = this.#own.get(nameOf(key));
    if (own === undefined) return await this.#store.get(sidecarKey(key));
    const { value, writes } = own;
    return { value, versionstamp: value === null ? null : `own ${writes}` };
  }

  #write(key: SidecarKey, value: unknown): void {
    this.#own.set(nameOf(key), { key, value, writes: this.#writes += 1 });
    this.#listed.clear();
  }

  async #list({ prefix, limit, after, isReverse = false }: SidecarRange): Promise<SidecarRow[]> {
    const own = [...this.#own.values()].filter(({ key }) => beginsWith(key, prefix));
    if (own.length === 0) {
      const range = { limit, isReverse, ...(after === undefined ? {} : { after }) };
      const rows = await this.#store.listSidecar(prefix, range);
      return rows.map(({ place, value }) => ({ key: place, value }));
    }
    const rows = await this.#merged(prefix, own);
    const ordered = isReverse ? rows.toReversed() : rows;
    const isBeyond = ({ key }: SidecarRow) =>
      after === undefined || (isReverse ? compared(key, after) < 0 : compared(key, after) > 0);
    return ordered.filter(isBeyond).slice(0, limit);
  }

  /** Returns the rows of a prefix as they would be, by key. */
  async #merged(prefix: SidecarKey, own: readonly SidecarRow[]): Promise<readonly SidecarRow[]> {
    const name = nameOf(prefix);
    const known = this.#listed.get(name);
    if (known !== undefined) return known;
    const rows = new Map<string, SidecarRow>();
    let after: SidecarKey | undefined;
    for (;;) {
      const range = { limit: PAGE_ROWS, ...(after === undefined ? {} : { after }) };
      const page = await this.#store.listSidecar(prefix, range);
      for (const { place: key, value } of page) rows.set(nameOf(key), { key, value });
      after = page.at(-1)?.place;
      if (after === undefined || page.length < PAGE_ROWS) break;
    }
    for (const { key, value } of own) rows.set(nameOf(key), { key, value });
    const merged = [...rows.values()].filter(({ value }) => value !== null)
      .sort((one, other) => compared(one.key, other.key));
    this.#listed.set(name, merged);
    return merged;
  }
}

function nameOf(key: SidecarKey): string {
  return JSON.stringify(key);
}

function beginsWith(key: SidecarKey, prefix: SidecarKey): boolean {
  return key.length > prefix.length && prefix.every((part, i) => key[i] === part);
}

/** Compares keys as the store does: texts come before numbers, and shorter keys before longer. */
function compared(one: SidecarKey, other: SidecarKey): number {
  for (const [i, part] of one.entries()) {
    const against = other[i];
    if (against === undefined) return 1;
    if (part === against) continue;
    if (typeof part !== typeof against) return typeof part === "string" ? -1 : 1;
    return part < against ? -1 : 1;
  }
  return one.length - other.length;
}
