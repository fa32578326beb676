/** A copy of a store in memory, which is damaged and mended again. */
import { auditStore } from "../../src/engine/start/audit.ts";
import { InvariantError } from "../../src/domain/assert.ts";
import { openEngine } from "../../src/engine/start/open_engine.ts";
import { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { Store, UnreadableError } from "../../src/store/store.ts";
import type { StoredValue } from "./damage_venue.ts";

/** A change of one value; undefined deletes it. */
export interface Change {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

/** What noticed a damage: the audit, the start, or nobody. */
export type Notice = "audit" | "start" | null;

/** A store in memory. */
export class DamagedCopy {
  readonly #kv: Deno.Kv;
  readonly #values: ReadonlyMap<string, StoredValue>;

  private constructor(kv: Deno.Kv, values: ReadonlyMap<string, StoredValue>) {
    this.#kv = kv;
    this.#values = values;
  }

  static async of(values: readonly StoredValue[]): Promise<DamagedCopy> {
    const kv = await Deno.openKv(":memory:");
    const copy = new DamagedCopy(kv, new Map(values.map((one) => [nameOf(one.key), one])));
    await copy.#set(values);
    return copy;
  }

  /** Returns who notices these changes, which are taken back afterwards. */
  async noticedBy(changes: readonly Change[]): Promise<Notice> {
    await this.#set(changes);
    try {
      if (await this.#isFoundByAudit()) return "audit";
      return await this.#isRefused(changes) ? "start" : null;
    } finally {
      await this.#mend(changes);
    }
  }

  close(): void {
    this.#kv.close();
  }

  async #isFoundByAudit(): Promise<boolean> {
    try {
      return (await auditStore(storeOf(this.#kv))).differences.length > 0;
    } catch (error) {
      return isSaid(error);
    }
  }

  /** Starts on a copy of its own, since a start writes. */
  async #isRefused(changes: readonly Change[]): Promise<boolean> {
    const kv = await Deno.openKv(":memory:");
    const copy = new DamagedCopy(kv, this.#values);
    await copy.#set([...this.#values.values()]);
    await copy.#set(changes);
    const options = { kvPath: ":memory:", store: storeOf(kv) };
    try {
      await (await openEngine(options)).close();
      return false;
    } catch (error) {
      return isSaid(error);
    }
  }

  async #mend(changes: readonly Change[]): Promise<void> {
    await this.#set(changes.map(({ key }) => ({
      key,
      value: this.#values.get(nameOf(key))?.value,
    })));
  }

  async #set(changes: readonly Change[]): Promise<void> {
    for (let at = 0; at < changes.length; at += 100) {
      const atomic = this.#kv.atomic();
      for (const { key, value } of changes.slice(at, at + 100)) {
        if (value === undefined) atomic.delete(key);
        else atomic.set(key, value);
      }
      await atomic.commit();
    }
  }
}

/** Whether an error is one by which the program says what is wrong; others are its own faults. */
function isSaid(error: unknown): true {
  if (error instanceof InvariantError || error instanceof UnreadableError) return true;
  throw error;
}

function storeOf(kv: Deno.Kv): Store {
  const openKv = () => Promise.resolve(kv);
  return new Store(new KvHandles(openKv, false, kv, kv, [kv]), ":memory:", false);
}

/** Returns a text that tells keys apart. */
export function nameOf(key: Deno.KvKey): string {
  return key.map((part) => `${typeof part} ${String(part)}`).join("/");
}
