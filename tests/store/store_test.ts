import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { InvariantError } from "../../src/domain/assert.ts";
import { headKey, type Key, rowKey, sidecarKey } from "../../src/store/keys.ts";
import {
  COMMIT_BYTES_MAX,
  COMMIT_CHECKS_LOCAL_MAX,
  COMMIT_CHECKS_MAX,
  COMMIT_MUTATIONS_MAX,
  GET_MANY_KEYS_MAX,
  VALUE_BYTES_MAX,
} from "../../src/store/kv/kv_limits.ts";
import { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { openStore, type SidecarListing, Store } from "../../src/store/store.ts";
import { VenueFile } from "../support/engine_venue.ts";
import { FaultyStore } from "../support/faulty_store.ts";

/** Returns a commit of values under numbered keys, which checks that a key is absent. */
function commitOf(values: readonly unknown[], check: Key = ["absent"]) {
  return {
    check: { key: check, versionstamp: null },
    mutations: values.map((value, i) => ({ key: rowKey("members", i), value })),
  };
}

async function withStore(run: (store: Store) => Promise<void>, path = ":memory:"): Promise<void> {
  const store = await openStore(path);
  try {
    await run(store);
  } finally {
    store.close();
  }
}

describe("the store", () => {
  it("answers whether a commit was committed or refused", () =>
    withStore(async (store) => {
      const first = await store.commit(commitOf([1, 2], rowKey("members", 0)), "log");
      assertEquals(first.kind, "committed");
      const second = await store.commit(commitOf([3], rowKey("members", 0)), "log");
      assertEquals(second, { kind: "refused" });
      const row = await store.get(rowKey("members", 0));
      assertEquals(row.value, 1);
      assertEquals(row.versionstamp, "versionstamp" in first ? first.versionstamp : "");
    }));

  it("reads nothing under a key too long to be written", () =>
    withStore(async (store) => {
      const rest = [...sidecarKey(["x"])].reduce<number>(
        (sum, part) => sum + `${part}`.length + 2,
        0,
      );
      for (const letter of ["a", "é", "\0"]) {
        const bytes = letter === "a" ? 1 : 2;
        const longest = letter.repeat(Math.floor((2048 - rest - 2) / bytes));
        await store.writeSidecar(["x", longest], 1);
        assertEquals((await store.get(sidecarKey(["x", longest]))).value, 1);
        for (const more of [1, 2, 10_000]) {
          const place = ["x", longest + letter.repeat(more)];
          await assertRejects(() => store.writeSidecar(place, 1), TypeError);
          assertEquals(await store.get(sidecarKey(place)), { value: null, versionstamp: null });
        }
      }
    }));

  it("accepts a commit as large as its limits allow", () =>
    withStore(async (store) => {
      const values = Array.from({ length: COMMIT_MUTATIONS_MAX }, (_, i) => i);
      assertEquals((await store.commit(commitOf(values), "log")).kind, "committed");
      const large = Array.from(
        { length: Math.floor(COMMIT_BYTES_MAX / VALUE_BYTES_MAX) },
        () => new Uint8Array(VALUE_BYTES_MAX),
      );
      assertEquals((await store.commit(commitOf(large), "log")).kind, "committed");
    }));

  it("never sends a commit past its limits", () =>
    withStore(async (store) => {
      const many = Array.from({ length: COMMIT_MUTATIONS_MAX + 1 }, () => 1);
      const wide = [new Uint8Array(VALUE_BYTES_MAX + 1)];
      const heavy = Array.from(
        { length: Math.ceil(COMMIT_BYTES_MAX / VALUE_BYTES_MAX) + 1 },
        () => new Uint8Array(VALUE_BYTES_MAX),
      );
      for (const values of [many, wide, heavy]) {
        await assertRejects(() => store.commit(commitOf(values), "log"), InvariantError, "room");
      }
      assertEquals((await store.get(rowKey("members", 0))).value, null);
    }));

  it("answers failed if a commit meets a closed handle", async () => {
    const store = await openStore(":memory:");
    store.close();
    assertEquals((await store.commit(commitOf([1]), "log")).kind, "failed");
  });

  it("answers unknown if it meets a closed handle to a server", async () => {
    const store = new Store(await KvHandles.open(":memory:", false), undefined, true);
    store.close();
    assertEquals((await store.commit(commitOf([1]), "log")).kind, "unknown");
  });

  it("reads any number of keys in the order asked for", () =>
    withStore(async (store) => {
      const count = 3 * GET_MANY_KEYS_MAX + 1;
      await store.commit(commitOf(Array.from({ length: count }, (_, i) => i)), "log");
      const places = Array.from({ length: count + 1 }, (_, i) => count - i);
      const values = await store.getMany(places.map((i) => rowKey("members", i)));
      assertEquals(values, [null, ...places.slice(1)]);
    }));

  it("lists a range in either direction, up to a limit", () =>
    withStore(async (store) => {
      await store.commit(commitOf(Array.from({ length: 20 }, (_, i) => i)), "log");
      const list = (options: { reverse?: boolean; limit?: number; batch?: number }) =>
        Array.fromAsync(
          store.list(rowKey("members", 3), rowKey("members", 9), options),
          ({ value }) => value,
        );
      assertEquals(await list({}), [3, 4, 5, 6, 7, 8]);
      assertEquals(await list({ reverse: true, batch: 2 }), [8, 7, 6, 5, 4, 3]);
      assertEquals(await list({ limit: 2 }), [3, 4]);
      assertEquals(await list({ limit: 2, reverse: true }), [8, 7]);
    }));

  it("creates a row beside the log once, replaces and deletes it", () =>
    withStore(async (store) => {
      assertEquals(await store.createSidecar(["a"], 1), true);
      assertEquals(await store.createSidecar(["a"], 2), false);
      assertEquals((await store.get(sidecarKey(["a"]))).value, 1);
      await store.writeSidecar(["a"], 3);
      assertEquals((await store.get(sidecarKey(["a"]))).value, 3);
      await store.writeSidecar(["a"], null);
      assertEquals((await store.get(sidecarKey(["a"]))).value, null);
    }));

  it("replaces rows beside the log together as they were read, or none of them", () =>
    withStore(async (store) => {
      const values = async () =>
        await store.getMany([sidecarKey(["a"]), sidecarKey(["b"]), sidecarKey(["c"])]);
      const row = (name: string, value: number, versionstamp: string | null = null) => {
        return { place: [name], value, versionstamp };
      };
      assertEquals(await store.replaceSidecars([[row("a", 1), row("b", 2)]]), [true]);
      const others = [row("c", 3), row("b", 4)];
      assertEquals(await store.replaceSidecars([others]), [false]);
      assertEquals(await store.replaceSidecars(others.map((one) => [one])), [false, false]);
      assertEquals(await values(), [1, 2, null]);
      const [b] = await store.getVersions([sidecarKey(["b"])]);
      const next = row("b", 5, b?.versionstamp ?? null);
      assertEquals(await store.replaceSidecars([[row("c", 3), next]]), [true]);
      assertEquals(await store.replaceSidecars([[row("d", 6), next]]), [false]);
      assertEquals(await values(), [1, 5, 3]);
    }));

  for (
    const [where, isRemote, rowsMax] of [
      ["over a network", true, COMMIT_CHECKS_MAX],
      ["in a file", false, COMMIT_CHECKS_LOCAL_MAX],
    ] as const
  ) {
    it(`writes as many groups of rows together ${where} as a commit may check`, async () => {
      const store = await FaultyStore.open(":memory:", isRemote);
      try {
        const group = (from: number, count: number) =>
          Array.from(
            { length: count },
            (_, i) => ({ place: [from + i], value: from + i, versionstamp: null }),
          );
        const groups = [group(0, 4), group(4, rowsMax - 4), group(rowsMax, 1), group(200, 1)];
        await store.writeSidecar([200], "there");
        assertEquals(await store.replaceSidecars(groups), [true, true, false, false]);
        assertEquals((await store.get(sidecarKey([rowsMax]))).value, null);
        assertEquals(await store.replaceSidecars([]), []);
        await assertRejects(() => store.replaceSidecars([group(300, rowsMax + 1)]), InvariantError);
      } finally {
        store.close();
      }
    });
  }

  it("applies concurrent changes to a row beside the log one at a time", () =>
    withStore(async (store) => {
      const next = (old: unknown) => Number(old ?? 0) + 1;
      const values = await Promise.all(
        Array.from({ length: 8 }, () => store.changeSidecar(["n"], next)),
      );
      assertEquals(values.sort((a, b) => a - b), [1, 2, 3, 4, 5, 6, 7, 8]);
      assertEquals((await store.get(sidecarKey(["n"]))).value, 8);
      const refusing = () => {
        throw new RangeError("Not this one");
      };
      await assertRejects(() => store.changeSidecar(["n"], refusing), RangeError);
      assertEquals((await store.get(sidecarKey(["n"]))).value, 8);
      assertEquals(await store.changeSidecar(["n"], () => null), null);
      assertEquals((await store.get(sidecarKey(["n"]))).value, null);
    }));

  it("lists rows beside the log after a given one, in either direction", () =>
    withStore(async (store) => {
      for (const i of [1, 2, 3, 5]) await store.writeSidecar(["n", i], i);
      await store.writeSidecar(["others"], 9);
      const values = async (options: SidecarListing) =>
        (await store.listSidecar(["n"], options)).map(({ value }) => value);
      assertEquals(await values({ limit: 3 }), [1, 2, 3]);
      assertEquals(await values({ limit: 2, after: ["n", 1] }), [2, 3]);
      assertEquals(await values({ limit: 9, after: ["n", 4] }), [5]);
      assertEquals(await values({ limit: 9, after: ["n", 5] }), []);
      assertEquals(await values({ limit: 2, isReverse: true, after: ["n", 5] }), [3, 2]);
      assertEquals(await values({ limit: 9, isReverse: true, after: ["n", 1] }), []);
    }));

  it("keeps commits in its file, and creates the file's directory", async () => {
    await using file = await VenueFile.create();
    const path = `${file.directory}/a/b/venue.kv`;
    await withStore(async (store) => {
      // Another handle that is being opened may lock the file; such a commit certainly failed.
      let kind = "failed";
      while (kind === "failed") ({ kind } = await store.commit(commitOf([42]), "log"));
      assertEquals(kind, "committed");
      await store.reopenWriter();
      await store.writeSidecar(["b"], 43);
    }, path);
    await withStore(async (store) => {
      assertEquals((await store.get(rowKey("members", 0))).value, 42);
      assertEquals((await store.get(sidecarKey(["b"]))).value, 43);
    }, path);
  });

  it("tells watchers the current values of their keys", () =>
    withStore(async (store) => {
      const stop = new AbortController();
      const { promise, resolve } = Promise.withResolvers<void>();
      const watching = store.watch([headKey(), sidecarKey(["a"])], stop.signal, ([head, other]) => {
        if (head?.value === 1 && head.versionstamp !== null && other?.value === null) resolve();
      });
      const mutations = [{ key: headKey(), value: 1 }];
      await store.commit({ check: { key: headKey(), versionstamp: null }, mutations }, "log");
      await promise;
      stop.abort();
      await watching;
    }));

  it("ends a watch whose watcher fails", async () => {
    const kv = await Deno.openKv(":memory:");
    let isCancelled = false;
    const reports = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue([{ value: 1, versionstamp: "0" }]),
        cancel: () => void (isCancelled = true),
      });
    kv.watch = reports as typeof kv.watch;
    const handles = new KvHandles(() => Promise.resolve(kv), false, kv, kv, [kv]);
    const store = new Store(handles, ":memory:", false);
    const { signal } = new AbortController();
    const fail = () => {
      throw new RangeError("an unknown head");
    };
    await assertRejects(() => store.watch([headKey()], signal, fail), RangeError);
    assertEquals(isCancelled, true);
    store.close();
  });

  it("deletes everything under a key without reading anything else", async () => {
    const store = await FaultyStore.open(":memory:");
    await store.commit(commitOf(Array.from({ length: 800 }, (_, i) => i)), "log");
    const places = [["kept"], ["old"], ["old", 1], ["old", "b", 2], ["older"]];
    for (const place of places) await store.writeSidecar(place, 1);
    await store.deleteAll(sidecarKey(["old"]));
    assertEquals(store.rowsRead, 3);
    const left = await store.listSidecar([], { limit: 9 });
    assertEquals(left.map(({ place }) => place), [["kept"], ["older"]]);
    await store.deleteAll(rowKey("members"));
    assertEquals(store.rowsRead, 3 + left.length + 800);
    const rows = store.list(rowKey("members", 0), rowKey("members", Infinity));
    assertEquals(await Array.fromAsync(rows), []);
    store.close();
  });
});
