import {
  assert,
  assertEquals,
  assertNotStrictEquals,
  assertRejects,
  assertStrictEquals,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { sidecarKey } from "../../../src/store/keys.ts";
import { KvHandles } from "../../../src/store/kv/kv_handles.ts";
import { LOST_CALLS_MAX } from "../../../src/store/kv/lost_calls.ts";
import { Store, UnreadableError } from "../../../src/store/store.ts";

async function withHandles(
  isRemote: boolean,
  run: (handles: KvHandles) => Promise<void>,
): Promise<void> {
  const handles = await KvHandles.open(":memory:", isRemote);
  try {
    await run(handles);
  } finally {
    handles.close();
  }
}

/** A call that ends under the test's control. */
interface HeldCall {
  readonly call: (kv: Deno.Kv) => Promise<void>;
  readonly end: () => void;
  /** Returns the handle that the call got. */
  readonly kv: () => Deno.Kv;
}

function heldCall(): HeldCall {
  const { promise, resolve } = Promise.withResolvers<void>();
  const given: Deno.Kv[] = [];
  const call = (kv: Deno.Kv) => {
    given.push(kv);
    return promise;
  };
  return { call, end: resolve, kv: () => given[0] as Deno.Kv };
}

/** Counts handles without calls; closing one twice throws, as with real ones. */
class OpenedHandles {
  opened = 0;
  closed = 0;

  readonly open = (): Promise<Deno.Kv> => {
    this.opened += 1;
    let isClosed = false;
    const close = () => {
      if (isClosed) throw new Deno.errors.BadResource("Bad resource ID");
      isClosed = true;
      this.closed += 1;
    };
    const kv = { close } as unknown as Deno.Kv;
    return new Promise((resolve) => setTimeout(() => resolve(kv)));
  };
}

/** Loses calls until the server counts as away, then makes one that is answered. */
async function tryAfterAbsence(handles: KvHandles): Promise<void> {
  for (let i = 0; i < LOST_CALLS_MAX; i++) handles.lost.lose();
  await handles.read(() => Promise.resolve());
}

describe("the handles of a KV", () => {
  it("of a server give each call its own handle, and never the log's", () =>
    withHandles(true, async (handles) => {
      const calls = Array.from({ length: 4 }, heldCall);
      const done = calls.map(({ call }, i) =>
        i % 2 === 0 ? handles.read(call) : handles.write(call)
      );
      const used = new Set(calls.map(({ kv }) => kv()));
      assertEquals(used.size, calls.length);
      assert(!used.has(handles.writer));
      for (const { end } of calls) end();
      await Promise.all(done);
    }));

  it("are free again once a call has succeeded or failed", () =>
    withHandles(true, async (handles) => {
      const first = heldCall();
      const ended = handles.read(first.call);
      first.end();
      await ended;
      await handles.read(() => Promise.reject(new Error("away"))).catch(() => {});
      const next = heldCall();
      const done = handles.read(next.call);
      assertStrictEquals(next.kv(), first.kv());
      next.end();
      await done;
    }));

  it("of a local KV write with one and read with another", async () => {
    const directory = await Deno.makeTempDir({ prefix: "kv_handles_" });
    const handles = await KvHandles.open(`${directory}/venue.db`, false);
    const [read, write] = [heldCall(), heldCall()];
    const done = [handles.read(read.call), handles.write(write.call)];
    assertStrictEquals(write.kv(), handles.writer);
    assertNotStrictEquals(read.kv(), handles.writer);
    read.end();
    write.end();
    await Promise.all(done);
    handles.close();
    await Deno.remove(directory, { recursive: true });
  });

  it("of a local KV fail no call that waits for an answer when the log's is replaced", async () => {
    const file = new OpenedHandles();
    const handles = await KvHandles.open("simulated", false, file.open);
    const calls = Array.from({ length: 3 }, heldCall);
    const [row, fold, log] = calls as [HeldCall, HeldCall, HeldCall];
    const done = [handles.write(row.call), handles.write(fold.call), handles.callWriter(log.call)];
    await handles.reopenWriter();
    assertNotStrictEquals(handles.writer, row.kv());
    for (const { end } of calls) {
      assertEquals(file.closed, 0);
      end();
      await new Promise((resolve) => setTimeout(resolve));
    }
    await Promise.all(done);
    assertEquals(file.closed, 1);
    const [next, last] = [heldCall(), heldCall()];
    const waiting = [handles.write(next.call), handles.write(last.call)];
    await handles.reopenWriter();
    handles.close();
    next.end();
    last.end();
    await Promise.all(waiting);
    assertEquals(file.closed, file.opened);
  });

  it("of a file write what waits on one that is replaced", async () => {
    const directory = await Deno.makeTempDir({ prefix: "kv_handles_" });
    const path = `${directory}/venue.db`;
    const handles = await KvHandles.open(path, false);
    const store = new Store(handles, path, false);
    const places = Array.from({ length: 50 }, (_, i) => ["row", i]);
    const writing = places.map((place, i) => store.writeSidecar(place, i));
    await store.reopenWriter();
    await Promise.all(writing);
    assertEquals((await store.listSidecar(["row"], { limit: 99 })).length, places.length);
    store.close();
    await Deno.remove(directory, { recursive: true });
  });

  it("are reopened once each when many calls waited for a server that is back", async () => {
    const server = new OpenedHandles();
    const handles = await KvHandles.open("simulated", true, server.open);
    await tryAfterAbsence(handles);
    const opened = server.opened;
    await Promise.all(Array.from({ length: 200 }, () => handles.read(() => Promise.resolve())));
    // One of the sixteen handles has been tried already.
    assertEquals(server.opened - opened, 15);
    handles.close();
    assertEquals(server.closed, server.opened);
  });

  it("are either all opened or all closed", async () => {
    for (const [isRemote, last] of [[true, 5], [false, 1]] as const) {
      const kv = new OpenedHandles();
      const open = () => kv.opened === last ? Promise.reject(new Error("away")) : kv.open();
      await assertRejects(() => KvHandles.open("simulated", isRemote, open), Error, "away");
      await new Promise((resolve) => setTimeout(resolve, 10));
      assertEquals([kv.opened, kv.closed], [last, last]);
    }
  });

  it("that cannot be reopened send nothing and say so", async () => {
    const server = new OpenedHandles();
    let isAway = false;
    const open = () => isAway ? Promise.reject(new TypeError("failed to connect")) : server.open();
    const handles = await KvHandles.open("simulated", true, open);
    const store = new Store(handles, "simulated", true);
    const key = sidecarKey(["row"]);
    const commit = { check: { key, versionstamp: null }, mutations: [{ key, value: 1 }] };
    isAway = true;
    for (let i = 0; i < LOST_CALLS_MAX; i++) handles.lost.lose();
    await assertRejects(() => store.writeSidecar(["row"], 1), UnreadableError);
    await assertRejects(() => store.get(key), UnreadableError);
    assertEquals((await store.commit(commit, "log")).kind, "failed");
    handles.close();
  });

  it("are closed even if one is being reopened meanwhile", async () => {
    for (const what of ["reopenWriter", "reopenWatcher"] as const) {
      const server = new OpenedHandles();
      const handles = await KvHandles.open("simulated", true, server.open);
      const reopened = handles[what]();
      handles.close();
      await reopened;
      assertEquals(server.closed, server.opened, what);
    }
  });

  it("reopen the log's once for two requests at the same time, and again later", async () => {
    const server = new OpenedHandles();
    const handles = await KvHandles.open("simulated", true, server.open);
    const { opened } = server;
    const { writer } = handles;
    await Promise.all([handles.reopenWriter(), handles.reopenWriter()]);
    assertEquals(server.opened, opened + 1);
    assertNotStrictEquals(handles.writer, writer);
    await handles.reopenWriter();
    assertEquals(server.opened, opened + 2);
    handles.close();
    assertEquals(server.closed, server.opened);
  });

  it("serve lists after reopening, each starting on the new handle", async () => {
    const directory = await Deno.makeTempDir({ prefix: "kv_handles_" });
    const open = () => Deno.openKv(`${directory}/venue.db`);
    const handles = await KvHandles.open("simulated", true, open);
    const store = new Store(handles, "simulated", true);
    for (let i = 0; i < 3; i++) await store.writeSidecar(["row", i], i);
    for (let round = 0; round < 2; round++) {
      await tryAfterAbsence(handles);
      const lists = Array.from({ length: 8 }, async (_, i) => {
        const range = [sidecarKey(["row"]), sidecarKey(["row", 9])] as const;
        if (i % 2 === 0) return (await store.listSidecar(["row"], { limit: 9 })).length;
        return (await Array.fromAsync(store.list(...range))).length;
      });
      assertEquals(await Promise.all(lists), lists.map(() => 3));
    }
    // The call that tries a server that is away may be a list.
    for (let i = 0; i < LOST_CALLS_MAX; i++) handles.lost.lose();
    await store.listSidecar(["row"], { limit: 9 });
    assertEquals(handles.lost.isServerAway, false);
    store.close();
    await Deno.remove(directory, { recursive: true });
  });
});
