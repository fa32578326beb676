import { assert, assertEquals, assertLess } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { headKey } from "../../../src/store/keys.ts";
import { KvHandles } from "../../../src/store/kv/kv_handles.ts";
import { CALL_REMOTE_MS_MAX } from "../../../src/store/kv/kv_limits.ts";
import { LOST_CALLS_MAX } from "../../../src/store/kv/lost_calls.ts";
import { Store } from "../../../src/store/store.ts";
import { Scheduler } from "../../simulate/scheduler.ts";
import { withVirtualGlobals } from "../../simulate/virtual_globals.ts";
import { Prng } from "../../support/prng.ts";

const HOUR_MS = 3_600_000;
const FOUND = { key: headKey(), value: 7, versionstamp: "1" };

/**
 * A KV server that can stop answering. A connection used meanwhile stays dead, unless what was sent
 * over it is answered later.
 */
class SilentServer {
  isAway = false;
  /** Number of calls received and not answered. */
  unanswered = 0;
  handles = 0;
  #epoch = 0;
  #waiting: (() => void)[] = [];

  readonly open = (): Promise<Deno.Kv> => {
    this.handles += 1;
    // Opening makes a call as well.
    const connection = { deadSince: this.isAway ? this.#epoch : -1 };
    const call = <T>(answer: T): Promise<T> => {
      if (this.isAway) connection.deadSince = this.#epoch;
      if (connection.deadSince !== this.#epoch) return Promise.resolve(answer);
      this.unanswered += 1;
      return new Promise((resolve) => this.#waiting.push(() => resolve(answer)));
    };
    const atomic = {
      check: () => atomic,
      set: () => atomic,
      commit: () => call({ ok: true, versionstamp: "2" }),
    };
    const kv = { get: () => call(FOUND), atomic: () => atomic, close: () => {} };
    return Promise.resolve(kv as unknown as Deno.Kv);
  };

  /** Answers all received calls over their old connections. */
  answerAll(): void {
    this.isAway = false;
    this.#epoch += 1;
    for (const answer of this.#waiting.splice(0)) answer();
  }
}

/** Runs a test with a store on such a server, in virtual time. */
async function withSilence(
  run: (server: SilentServer, store: Store, wait: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  const scheduler = new Scheduler();
  await withVirtualGlobals(scheduler, new Prng(1), async () => {
    const server = new SilentServer();
    const handles = await KvHandles.open("simulated", true, server.open);
    const store = new Store(handles, "simulated", true);
    const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    let running = Promise.resolve();
    let isOver = false;
    scheduler.after(0, { name: "caller", isAlive: true, pausedUntil: 0 }, "run", () => {
      running = run(server, store, wait).finally(() => isOver = true);
      running.catch(() => {});
    });
    await scheduler.advance(() => isOver);
    await running;
  });
}

/** Reads once per second for `ms`; returns how many reads succeeded. */
async function readFor(
  store: Store,
  ms: number,
  wait: (ms: number) => Promise<void>,
): Promise<number> {
  let found = 0;
  for (let waited = 0; waited < ms; waited += 1000) {
    store.get(headKey()).then(() => found += 1, () => {});
    await wait(1000);
  }
  return found;
}

describe("a KV server that answers nothing", () => {
  it("is hardly asked any more, however long it is away and however many calls want it", () =>
    withSilence(async (server, store, wait) => {
      server.isAway = true;
      await readFor(store, HOUR_MS, wait);
      // The calls in flight before the loss is noticed, and one attempt every half minute.
      assertLess(server.unanswered, LOST_CALLS_MAX + 10 + HOUR_MS / 25_000);
    }));

  it("is used fully again as soon as it answers a pending call", () =>
    withSilence(async (server, store, wait) => {
      server.isAway = true;
      await readFor(store, HOUR_MS, wait);
      server.answerAll();
      await wait(100);
      assertEquals(await readFor(store, 10_000, wait), 10);
    }));

  it("is found again over a new connection if the old ones stay dead", () =>
    withSilence(async (server, store, wait) => {
      server.isAway = true;
      await readFor(store, HOUR_MS, wait);
      server.isAway = false;
      // The next attempt comes within half a minute.
      await readFor(store, 35_000, wait);
      assertEquals(await readFor(store, 10_000, wait), 10);
    }));

  it("is sent no commit, which fails as known not to have happened", () =>
    withSilence(async (server, store, wait) => {
      server.isAway = true;
      const check = { key: headKey(), versionstamp: null };
      const commit = () =>
        store.commit({ check, mutations: [{ key: headKey(), value: 1 }] }, "log");
      assertEquals((await commit()).kind, "unknown");
      await readFor(store, 60_000, wait);
      const { unanswered } = server;
      const outcomes = await Promise.all([commit(), commit(), commit()]);
      const notSent = outcomes.filter(({ kind }) => kind === "failed").length;
      assertEquals(notSent + server.unanswered - unanswered, outcomes.length);
      assert(notSent >= outcomes.length - 1);
    }));
});

describe("a handle to a KV server", () => {
  it("is replaced once after losing a call", () =>
    withSilence(async (server, store, wait) => {
      const { handles } = server;
      server.isAway = true;
      const lost = store.get(headKey()).catch(() => "lost");
      await wait(1);
      server.isAway = false;
      assertEquals(await lost, "lost");
      await wait(2 * CALL_REMOTE_MS_MAX);
      assertEquals(server.handles, handles + 1);
      assertEquals((await store.get(headKey())).value, 7);
    }));
});
