import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { NotSentError } from "../../src/store/kv/lost_calls.ts";
import { CALL_REMOTE_MS_MAX } from "../../src/store/kv/kv_limits.ts";
import { isLockedFault, Store, UnreadableError, UnwrittenError } from "../../src/store/store.ts";
import { Scheduler } from "../simulate/scheduler.ts";
import { withVirtualGlobals } from "../simulate/virtual_globals.ts";
import { Prng } from "../support/prng.ts";

/** A handle whose reads find nothing and whose writes end as `write` does. */
function handleOf(write: () => Promise<unknown>): Deno.Kv {
  const atomic = { check: () => atomic, set: () => atomic, delete: () => atomic, commit: write };
  const get = (key: Deno.KvKey) => Promise.resolve({ key, value: null, versionstamp: null });
  return { get, set: write, delete: write, atomic: () => atomic } as unknown as Deno.Kv;
}

async function storeOf(isRemote: boolean, write: () => Promise<unknown>): Promise<Store> {
  const open = () => Promise.resolve(handleOf(write));
  return new Store(await KvHandles.open("simulated", isRemote, open), "simulated", isRemote);
}

interface Failure {
  readonly error: unknown;
  /** Duration in ms. */
  readonly ms: number;
}

/** Returns a call's error and duration, in virtual time. */
async function failureOf(call: () => Promise<unknown>): Promise<Failure> {
  const scheduler = new Scheduler();
  return await withVirtualGlobals(scheduler, new Prng(1), async () => {
    const failures: Failure[] = [];
    scheduler.after(0, { name: "caller", isAlive: true, pausedUntil: 0 }, "call", () => {
      call().catch((error) => failures.push({ error, ms: scheduler.now }));
    });
    let isOver = false;
    scheduler.after(2 * CALL_REMOTE_MS_MAX, null, "over", () => isOver = true);
    await scheduler.advance(() => failures.length > 0 || isOver);
    const [failure] = failures;
    if (failure === undefined) throw new Error("The call has no end");
    return failure;
  });
}

const WRITES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  written: (store) => store.writeSidecar(["a"], 1),
  deleted: (store) => store.writeSidecar(["a"], null),
  created: (store) => store.createSidecar(["a"], 1),
  "written with others": (store) =>
    store.replaceSidecars([
      ["a", "b"].map((name) => ({ place: [name], value: 1, versionstamp: null })),
    ]),
  changed: (store) => store.changeSidecar(["a"], () => 1),
};

describe("a row beside the log, over a network,", () => {
  for (const [what, write] of Object.entries(WRITES)) {
    it(`that is ${what} without an answer has an unknown outcome`, async () => {
      const store = await storeOf(true, () => new Promise(() => {}));
      const { error, ms } = await failureOf(() => write(store));
      assertInstanceOf(error, UnreadableError);
      assertEquals(ms, CALL_REMOTE_MS_MAX);
    });

    it(`that is ${what} when the connection breaks has an unknown outcome`, async () => {
      const cause = new Error("connection reset");
      const store = await storeOf(true, () => Promise.reject(cause));
      const error = await assertRejects(() => write(store), UnreadableError, "It is unknown");
      assertEquals(error.cause, cause);
    });
  }

  it("that was not sent is known not to be written", async () => {
    const cause = new NotSentError("The KV server does not respond");
    const store = await storeOf(true, () => Promise.reject(cause));
    const error = await assertRejects(() => store.writeSidecar(["a"], 1), UnwrittenError);
    assertEquals(error.cause, cause);
  });

  it("that breaks the platform's rules is known not to be written", async () => {
    const store = await storeOf(true, () => Promise.reject(new TypeError("Value too large")));
    await assertRejects(() => store.writeSidecar(["a"], 1), TypeError, "Value too large");
  });

  it("leaves no timer behind once written", async () => {
    const store = await storeOf(true, () => Promise.resolve({ ok: true, versionstamp: "1" }));
    await store.writeSidecar(["a"], 1);
    assertEquals(await store.createSidecar(["a"], 1), true);
  });
});

const FILE_FAULTS: readonly Error[] = [
  new TypeError("database is locked"),
  new TypeError("database or disk is full"),
  new TypeError("disk I/O error"),
  new TypeError("attempt to write a readonly database"),
  new Deno.errors.BadResource("Bad resource ID"),
];

describe("a row beside the log, in a file,", () => {
  for (const [what, write] of Object.entries(WRITES)) {
    it(`that can't be ${what} is known not to be`, async () => {
      for (const cause of FILE_FAULTS) {
        const store = await storeOf(false, () => Promise.reject(cause));
        const { error } = await failureOf(() => write(store));
        assert(error instanceof UnwrittenError, cause.message);
        assertEquals(error.cause, cause);
        assertEquals(isLockedFault(error), cause === FILE_FAULTS[0]);
      }
    });

    it(`that breaks the platform's rules when it is ${what} is a fault of the program`, async () => {
      const cause = new TypeError("Value too large (max 65536 bytes)");
      const store = await storeOf(false, () => Promise.reject(cause));
      assertEquals((await failureOf(() => write(store))).error, cause);
    });
  }
});
