import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { rowKey } from "../../src/store/keys.ts";
import { KvHandles } from "../../src/store/kv_handles.ts";
import { Store } from "../../src/store/store.ts";

const KEY = rowKey("members", 0);
const FOUND = { key: KEY, value: 7, versionstamp: "1" };

/** A handle that answers a list or a `getMany` only once so many small calls have come behind it. */
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
  } as unknown as Deno.Kv;
}

async function storeOf(path: string, small: number, calls: { get: number }): Promise<Store> {
  const open = () => Promise.resolve(handleOf(small, calls));
  return new Store(await KvHandles.open(path, true, open), path, true);
}

describe("a read whose end a KV server holds back", () => {
  for (const small of [1, 3]) {
    it(`comes once ${small} small calls have told that its beginning is there`, async () => {
      const calls = { get: 0 };
      const store = await storeOf("http://kv.example", small, calls);
      const rows = await Array.fromAsync(store.list(KEY, rowKey("members", 1)));
      assertEquals([rows.length, calls.get], [1, small]);
      assertEquals(await store.getMany([KEY]), [7]);
    });
  }

  it("is asked for nothing more when it is there at once", async () => {
    const calls = { get: 0 };
    const store = await storeOf("http://kv.example", 0, calls);
    await Array.fromAsync(store.list(KEY, rowKey("members", 1)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    assertEquals(calls.get, 0);
  });
});
