/**
 * An older copy put back under processes whose calls are on their way, with versionstamps that come
 * again: what they held is written nowhere, and who starts on the copy goes on alone.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { auditStore } from "../../src/engine/start/audit.ts";
import { beginEpoch } from "../../src/server/restore.ts";
import { sleep } from "../../src/store/kv/in_time.ts";
import { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { Store } from "../../src/store/store.ts";
import { readHead } from "../../src/store/log/venue_log.ts";
import { EngineVenue } from "../support/engine_venue.ts";
import { Prng } from "../support/prng.ts";
import { SimDatabase } from "./sim_database.ts";
import { openSimKv } from "./sim_kv.ts";
import type { SimLink } from "./sim_link.ts";

const ORDERS = 30;
/** Longer than an idle venue waits until it folds. */
const FOLD_MS = 500;

/** A process's way to the database, which may be cut for a while: then its calls wait. */
class Line {
  #passing: Promise<void> = Promise.resolve();
  #release: () => void = () => {};
  waiting = 0;

  constructor(readonly database: SimDatabase) {}

  /** A link with neither faults nor virtual time. */
  get link(): SimLink {
    const call = async <T>(effect: () => T): Promise<T> => {
      this.waiting += 1;
      await this.#passing;
      this.waiting -= 1;
      return effect();
    };
    return { net: { database: this.database }, read: call, commit: call } as unknown as SimLink;
  }

  freeze(): void {
    this.#passing = new Promise((resolve) => this.#release = resolve);
  }

  thaw(): void {
    this.#release();
  }
}

function handlesOn(line: Line): Promise<KvHandles> {
  return KvHandles.open("simulated", false, () => Promise.resolve(openSimKv(line.link)));
}

async function storeOn(line: Line): Promise<Store> {
  return new Store(await handlesOn(line), ":memory:", false);
}

/** Opens a process that is never told of what others write, but has to ask. */
async function processOn(line: Line): Promise<EngineVenue> {
  const prepare = (store: EngineVenue["store"]) => store.isWatchDropped = true;
  return await EngineVenue.open({ isShared: true, handles: await handlesOn(line), prepare });
}

function price(prng: Prng): string {
  return String(prng.between(10, 20));
}

/** Submits orders of both sides, whatever becomes of them. */
async function trade(venue: EngineVenue, prng: Prng, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const side = prng.chance(0.5) ? "buy" : "sell";
    await venue.place(prng.pick(["alice", "bob"]), { side, amount: "1", price: price(prng) })
      .catch(() => {});
  }
}

async function version(database: SimDatabase): Promise<string> {
  const store = await storeOn(new Line(database));
  const { versionstamp } = await readHead(store);
  store.close();
  return versionstamp ?? "";
}

/** Puts a copy back under two processes, with commits of both on their way; returns the audit. */
async function restored(seed: number, isProper: boolean): Promise<void> {
  const prng = new Prng(seed);
  const database = new SimDatabase();
  const lines = [new Line(database), new Line(database)];
  const old = [await processOn(lines[0] as Line), await processOn(lines[1] as Line)];
  const [one, other] = old as [EngineVenue, EngineVenue];
  await one.addUsual();
  await other.engine.fresh();
  await trade(one, prng, ORDERS);
  if (prng.chance(0.5)) await sleep(FOLD_MS);
  const copy = database.copy();
  await Promise.all(old.map((venue) => trade(venue, prng, prng.between(1, ORDERS))));
  for (const line of lines) line.freeze();
  const trading = old.map((venue) => trade(venue, prng, 1));
  await sleep(prng.between(1, FOLD_MS));
  const held = await version(database);

  database.putBack(copy);
  if (isProper) {
    const store = await storeOn(new Line(database));
    const switches = { trading: true, withdrawals: true };
    const first = { epoch: "lost", sequence: 1, at: 1, reached: 0 };
    const copy = { name: "copy", acts: 0, switches, first, members: 2 };
    await beginEpoch(store, await readHead(store), Date.now(), copy);
    store.close();
  }
  const next = await processOn(new Line(database));
  const switches = { trading: true, withdrawals: true };
  await next.must({ kind: "set_switches", switches });
  // Until the head's version is the one that the others' commits check, which only an epoch tells
  // apart, or a later one.
  const isReached = (now: string) => isProper ? now >= held : now > held;
  while (!isReached(await version(database))) await trade(next, prng, 1);
  for (const line of lines) line.thaw();
  await trade(next, prng, ORDERS);
  for (const venue of old) await venue.health("invariant_broken");
  await Promise.all(trading);
  await sleep(FOLD_MS);
  await trade(next, prng, 1);
  await next.folded();
  assertEquals(next.engine.health(), { isReady: true, reason: "" });
  for (const venue of [...old, next]) await venue.close();

  const store = await storeOn(new Line(database));
  const { differences, figures } = await auditStore(store);
  store.close();
  assertEquals([seed, differences], [seed, []]);
  assertEquals(figures.get("events"), figures.get("folded"));
  assert(lines.every(({ waiting }) => waiting === 0));
}

describe("an older copy put back under processes amid their commits", () => {
  for (const isProper of [false, true]) {
    const how = isProper ? "by a restore" : "by nobody's leave";
    it(`goes on without what they held, if put back ${how}`, async () => {
      for (let seed = 1; seed <= 5; seed++) await restored(seed, isProper);
    });
  }
});
