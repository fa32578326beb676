import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Prng } from "../support/prng.ts";
import { FaultPlan } from "./faults.ts";
import { type Owner, Scheduler } from "./scheduler.ts";
import { SimDatabase } from "./sim_database.ts";
import { openSimKv } from "./sim_kv.ts";
import { SimLink } from "./sim_link.ts";
import { PROFILES } from "./world_profile.ts";

/** Makes calls on a KV; returns the result. */
type Case = (kv: Deno.Kv) => Promise<unknown>;

const CASES: Readonly<Record<string, Case>> = {
  "reads a key that is not there": (kv) => kv.get(["a"]),
  "reads what was written": async (kv) => {
    await kv.set(["a", 1], { text: "x", big: 2n ** 80n, bytes: new Uint8Array([1, 2]) });
    return (await kv.get(["a", 1])).value;
  },
  "keeps what it was given, whatever becomes of it": async (kv) => {
    const bytes = new Uint8Array([1, 2, 3]);
    const record = { list: [1] };
    await kv.atomic().set(["bytes"], bytes).set(["record"], record).commit();
    bytes[0] = 9;
    record.list.push(2);
    const read = (await kv.get<Uint8Array>(["bytes"])).value;
    read?.fill(0);
    return [(await kv.get(["bytes"])).value, (await kv.get(["record"])).value];
  },
  "reads many in the order asked": async (kv) => {
    await kv.set(["b"], 1);
    return (await kv.getMany([["c"], ["b"], ["a"]])).map(({ key, value }) => [key, value]);
  },
  "reads none": (kv) => kv.getMany([]),
  "reads ten at once": (kv) => kv.getMany(Array.from({ length: 10 }, (_, i) => [i])),
  "reads eleven at once": (kv) => kv.getMany(Array.from({ length: 11 }, (_, i) => [i])),
  "changes nothing where a check fails": async (kv) => {
    await kv.set(["a"], 1);
    const result = await kv.atomic().check({ key: ["a"], versionstamp: null }).set(["a"], 2)
      .set(["b"], 2).commit();
    return [result, (await kv.get(["a"])).value, (await kv.get(["b"])).value];
  },
  "checks a version": async (kv) => {
    await kv.set(["a"], 1);
    const { versionstamp } = await kv.get(["a"]);
    const change = () => kv.atomic().check({ key: ["a"], versionstamp }).set(["a"], 2).commit();
    return [(await change()).ok, (await change()).ok];
  },
  "gives every row of a commit one version, and the next a higher one": async (kv) => {
    await kv.atomic().set(["a"], 1).set(["b"], 1).commit();
    const [a, b] = await kv.getMany([["a"], ["b"]]);
    const next = await kv.set(["a"], 2);
    return [a.versionstamp === b.versionstamp, next.versionstamp > (b.versionstamp ?? "")];
  },
  "does a commit's mutations in their order": async (kv) => {
    await kv.atomic().set(["a"], 1).delete(["a"]).set(["b"], 1).set(["b"], 2).commit();
    return [(await kv.get(["a"])).value, (await kv.get(["b"])).value];
  },
  "commits nothing": async (kv) => (await kv.atomic().commit()).ok,
  "deletes": async (kv) => {
    await kv.set(["a"], 1);
    await kv.delete(["a"]);
    await kv.delete(["never"]);
    return await listed(kv, { prefix: [] });
  },
  "takes a value of the greatest length": async (kv) =>
    (await kv.set(["a"], new Uint8Array(65_536))).ok,
  "takes no longer value": (kv) => kv.set(["a"], new Uint8Array(65_537)),
  "takes a thousand mutations": async (kv) => (await sets(kv, 1000, 1).commit()).ok,
  "takes no more mutations": (kv) => sets(kv, 1001, 1).commit(),
  "takes no more bytes in all": (kv) => sets(kv, 14, 60_000).commit(),
  "takes no more bytes of keys": (kv) => sets(kv, 50, 1, "k".repeat(1800)).commit(),
  "takes no longer key to write": (kv) => kv.set(["a".repeat(2050)], 1),
  "takes no longer key to read": (kv) => kv.get(["a".repeat(2050)]),
  "takes no version that is none": (kv) =>
    kv.atomic().check({ key: ["a"], versionstamp: "1" }).commit(),
  "orders keys": async (kv) => {
    for (const key of ODD_KEYS) await kv.set(key, 1);
    return (await listed(kv, { prefix: [] })).map(({ key }) => key);
  },
  "lists below a prefix, but not the prefix": async (kv) => {
    for (const key of ODD_KEYS) await kv.set(key, 1);
    return [await listed(kv, { prefix: ["a"] }), await listed(kv, { prefix: ["a", "b"] })];
  },
  "lists from a start to before an end": async (kv) => {
    await sets(kv, 30, 1).commit();
    return await listed(kv, { start: ["m", 3], end: ["m", 9] });
  },
  "lists a prefix from a start, or to an end": async (kv) => {
    await sets(kv, 30, 1).commit();
    return [
      await listed(kv, { prefix: ["m"], start: ["m", 27] }),
      await listed(kv, { prefix: ["m"], end: ["m", 3] }),
    ];
  },
  "lists backwards, in batches, up to a limit": async (kv) => {
    await sets(kv, 50, 1).commit();
    return await listed(kv, { prefix: ["m"] }, { reverse: true, batchSize: 7, limit: 20 });
  },
  "lists forwards in batches that do not fit": async (kv) => {
    await sets(kv, 50, 1).commit();
    return await listed(kv, { prefix: ["m"] }, { batchSize: 7, limit: 16 });
  },
  "lists nothing from a key to itself": (kv) => listed(kv, { start: ["m"], end: ["m"] }),
  "lists not from an end to a start": (kv) => listed(kv, { start: ["m", 2], end: ["m", 1] }),
  "lists no batch that is too large": (kv) => listed(kv, { prefix: [] }, { batchSize: 1001 }),
  "refuses to list none": (kv) =>
    // The rest of the sentence differs between versions of the real one.
    listed(kv, { prefix: [] }, { limit: 0 })
      .catch((error: Error) => error.message.startsWith("Limit must be")),
  "sees what was written between two batches": async (kv) => {
    await sets(kv, 10, 1).commit();
    const list = kv.list({ prefix: ["m"] }, { batchSize: 2 });
    await list.next();
    await kv.atomic().delete(["m", 1]).delete(["m", 5]).set(["m", 5.5], 1).commit();
    const rest: Deno.KvKey[] = [];
    for await (const { key } of list) rest.push(key);
    return rest;
  },
  "tells a watcher what there is, and what comes": async (kv) => {
    const reader = kv.watch([["a"]]).getReader();
    const first = await reader.read();
    await kv.set(["other"], 1);
    await kv.set(["a"], 1);
    const second = await reader.read();
    const waiting = reader.read();
    await reader.cancel();
    return [valuesOf(first), valuesOf(second), (await waiting).done];
  },
  "ends a watch with its handle": async (kv) => {
    const reader = kv.watch([["a"]]).getReader();
    await reader.read();
    const waiting = reader.read();
    kv.close();
    return (await waiting).done;
  },
  "answers nothing when it is closed": (kv) => {
    kv.close();
    return kv.get(["a"]);
  },
  "writes nothing when it is closed": (kv) => {
    kv.close();
    return kv.set(["a"], 1);
  },
};

const ODD_KEYS: readonly Deno.KvKey[] = [
  ["a"],
  ["a", ""],
  ["a", "b"],
  ["a", "b", 1],
  ["a", "\u0000"],
  ["a", "é"],
  ["a", "\u{1f600}"],
  ["ab"],
  ["a", 0],
  ["a", -0.5],
  ["a", 1],
  ["a", 2 ** 53],
  ["a", -1e300],
  ["a", Infinity],
  ["a", -Infinity],
  ["a", 255],
  ["a", 256],
];

function sets(kv: Deno.Kv, count: number, bytes: number, name: string = "m"): Deno.AtomicOperation {
  const atomic = kv.atomic();
  for (let i = 0; i < count; i++) atomic.set([name, i], new Uint8Array(bytes));
  return atomic;
}

async function listed(
  kv: Deno.Kv,
  selector: Deno.KvListSelector,
  options: Deno.KvListOptions = {},
): Promise<{ key: Deno.KvKey; value: unknown }[]> {
  const rows = await Array.fromAsync(kv.list(selector, options));
  return rows.map(({ key, value }) => ({ key, value }));
}

function valuesOf(read: { done: boolean; value?: unknown }): unknown {
  return (read.value as Deno.KvEntryMaybe<unknown>[]).map(({ key, value }) => [key, value]);
}

/** Returns the result of a case on a KV, or its error as text. */
async function resultOf(kv: Deno.Kv, ask: Case): Promise<unknown> {
  try {
    return await ask(kv);
  } catch (error) {
    return error instanceof Error ? `${error.constructor.name}: ${error.message}` : error;
  } finally {
    try {
      kv.close();
    } catch {
      // The case has closed it.
    }
  }
}

/** Runs a case on a simulated KV without faults. */
async function simulated(ask: Case): Promise<unknown> {
  const scheduler = new Scheduler();
  const prng = new Prng(1);
  const owner: Owner = { name: "test", isAlive: true, pausedUntil: 0 };
  const net = {
    scheduler,
    database: new SimDatabase(),
    faults: new FaultPlan(prng, false, PROFILES.short),
    prng,
    pace: { hopMs: 1, slowMs: 1, lateMs: 1 },
    isRemote: false,
    outageUntil: 0,
    crash: () => {},
  };
  let result: { readonly value: unknown } | null = null;
  scheduler.after(0, owner, "ask", () => {
    resultOf(openSimKv(new SimLink(net, owner)), ask).then((value) => result = { value });
  });
  await scheduler.advance(() => result !== null);
  return (result as { readonly value: unknown } | null)?.value;
}

describe("like the real KV, the simulated one", () => {
  for (const [name, ask] of Object.entries(CASES)) {
    it(name, async () => {
      const real = await resultOf(await Deno.openKv(":memory:"), ask);
      assertEquals(await simulated(ask), real);
    });
  }
});

describe("the simulated KV", () => {
  it("takes ten checks, like a KV server", async () => {
    const ask = (count: number): Case => async (kv) => {
      const atomic = kv.atomic();
      for (let i = 0; i < count; i++) atomic.check({ key: [i], versionstamp: null });
      return (await atomic.commit()).ok;
    };
    assertEquals(await simulated(ask(10)), true);
    assertEquals(await simulated(ask(11)), "TypeError: Too many checks (max 10)");
  });
});
