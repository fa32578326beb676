import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { rowKey } from "../../../src/store/keys.ts";
import { KvHandles } from "../../../src/store/kv/kv_handles.ts";
import { Store } from "../../../src/store/store.ts";

const KEY = rowKey("members", 0);
const FOUND = { key: KEY, value: 7, versionstamp: "1" };

/** A handle that answers larger calls only once `small` small calls have followed. */
function handleOf(small: number, calls: { get: number }): Deno.Kv {
  const { promise: pulled, resolve } = Promise.withResolvers<void>();
  if (small === 0) resolve();
  return {
    get: () => {
      calls.get += 1;
      if (calls.get >= small) resolve();
      return Promise.resolve({ value: null, versionstamp: null });
    },
    getMany: async (keys: Deno.KvKey[]) => {
      await pulled;
      return keys.map(() => FOUND);
    },
    async *list() {
      await pulled;
      yield FOUND;
    },
    atomic: () => atomicOf(pulled),
  } as unknown as Deno.Kv;
}

function atomicOf(pulled: Promise<void>): unknown {
  const atomic = {
    check: () => atomic,
    set: () => atomic,
    commit: async () => {
      await pulled;
      return { ok: true, versionstamp: "2" };
    },
  };
  return atomic;
}

async function storeOf(path: string, small: number, calls: { get: number }): Promise<Store> {
  const open = () => Promise.resolve(handleOf(small, calls));
  return new Store(await KvHandles.open(path, true, open), path, true);
}

describe("a read whose end a KV server holds back", () => {
  for (const small of [1, 3]) {
    it(`arrives after ${small} small calls report that its beginning has`, async () => {
      const calls = { get: 0 };
      const store = await storeOf("http://kv.example", small, calls);
      const rows = await Array.fromAsync(store.list(KEY, rowKey("members", 1)));
      assertEquals([rows.length, calls.get], [1, small]);
      assertEquals(await store.getMany([KEY]), [7]);
    });
  }

  it("causes no further calls if it arrives at once", async () => {
    const calls = { get: 0 };
    const store = await storeOf("http://kv.example", 0, calls);
    await Array.fromAsync(store.list(KEY, rowKey("members", 1)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    assertEquals(calls.get, 0);
  });
});

describe("a commit to a KV server", () => {
  /** Sends a commit of the given size; returns how many small calls accompanied it. */
  async function smallCallsWith(bytes: number, small: number): Promise<number> {
    const calls = { get: 0 };
    const store = await storeOf("http://kv.example", small, calls);
    const mutations = [{ key: KEY, value: new Uint8Array(bytes) }];
    const commit = { check: { key: KEY, versionstamp: null }, mutations };
    assertEquals((await store.commit(commit, "log")).kind, "committed");
    return calls.get;
  }

  it("is preceded by a small call if sent in pieces", async () => {
    assertEquals([await smallCallsWith(2000, 0), await smallCallsWith(100, 0)], [1, 0]);
  });

  for (const small of [2, 4]) {
    it(`is answered after ${small} small calls report what has arrived`, async () => {
      assertEquals(await smallCallsWith(2000, small), small);
    });
  }
});
