import { assert, assertEquals, assertNotStrictEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KvHandles } from "../../src/store/kv_handles.ts";

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

/** A call that ends when it is told to. */
interface HeldCall {
  readonly call: (kv: Deno.Kv) => Promise<void>;
  readonly end: () => void;
  /** The handle that it was given. */
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

describe("the handles of a KV", () => {
  it("of a server give each call one of its own, and never the log's", () =>
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

  it("are free again when a call has ended, well or badly", () =>
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
});
