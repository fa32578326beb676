/** A venue with rows in every table, whose store is damaged. */
import { FEES_MEMBER } from "../../src/domain/people/member.ts";
import {
  addPeople,
  type MoneyParts,
  openMoney,
  pay,
  PEOPLE,
  withdraw,
} from "../e2e/killed_money.ts";
import { units } from "../support/domain_venue.ts";
import { VenueFile } from "../support/engine_venue.ts";
import { Prng } from "../support/prng.ts";

const ORDERS = 200;
/** How far nonces lie ahead of those before, in ms: all of them together not beyond their window. */
const NONCE_MS = 600;
const MARKETS = [["btc", "usdt"], ["eth", "usdt"], ["eth", "btc"]] as const;

/** A value of the store, by its key. */
export interface StoredValue {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

/** A store as it is, and as it once was. */
export interface DamagedStores {
  readonly now: readonly StoredValue[];
  readonly once: readonly StoredValue[];
}

/**
 * Fills a venue and returns all that its store holds.
 *
 * @param foldSteps how many commits of its last window are written; all of them if infinite
 */
export async function fillVenue(seed: number, foldSteps = Infinity): Promise<DamagedStores> {
  await using file = await VenueFile.create();
  const prng = new Prng(seed);
  const parts = await openMoney(file.path);
  const { test } = parts;
  await addPeople(parts);
  for (const [base, quote] of MARKETS) await test.addMarket(base, quote);
  await addSettings(parts);
  await goOn(parts, prng);
  await test.folded();
  const once = await contentsOf(file.path);
  if (foldSteps < Infinity) await cutFold(parts, foldSteps, () => goOn(parts, prng));
  else {
    await goOn(parts, prng);
    await test.folded();
  }
  await test.close();
  return { now: await contentsOf(file.path), once };
}

/**
 * Cuts the fold of all that some work adds short. Until its end nothing is folded: where it takes
 * long, a window would be of a part of it, and might be whole after these steps.
 */
async function cutFold(
  { test }: MoneyParts,
  steps: number,
  work: () => Promise<void>,
): Promise<void> {
  const { store } = test;
  store.plan = (purpose) => purpose === "fold" ? "fail" : "none";
  await work();
  const last = store.commits.fold + steps;
  store.plan = (purpose, count) => purpose === "fold" && count > last ? "fail" : "none";
  await test.foldedSteps(last);
}

async function addSettings({ test }: MoneyParts): Promise<void> {
  await test.must({ kind: "set_settings", changes: { pnlCurrencies: ["usdt", "btc"] } });
  const [operator, ...others] = PEOPLE;
  for (const uid of others) {
    for (const currency of ["usdt", "eth"]) {
      await test.must({ kind: "adjust_balance", uid, currency, amount: units("1000000") });
    }
    const key = { kind: "create_key", uid, kid: `key of ${uid}`, nonceMode: "single" } as const;
    await test.must({ ...key, role: "member", scopes: ["read", "trade"] });
  }
  await test.must({
    kind: "create_key",
    uid: operator,
    kid: "operator",
    role: "operator",
    scopes: ["read", "trade"],
    nonceMode: "single",
  });
  for (const market of ["any", "btcusdt"]) {
    await test.must({ kind: "set_fee", market, group: "any", maker: 1000, taker: 2000 });
  }
  const limits = { limit24h: units("100000"), limit1m: units("1000000") };
  for (const level of [-1, 3]) {
    await test.must({ kind: "set_withdraw_limit", row: { level, group: "any", ...limits } });
  }
}

/** Makes orders, trades, deposits, withdrawals and named acts. */
async function goOn(parts: MoneyParts, prng: Prng): Promise<void> {
  const { test, wallet } = parts;
  const [, ...traders] = PEOPLE;
  for (let i = 0; i < ORDERS; i++) {
    const [base, quote] = prng.pick(MARKETS);
    // Some lack funds, which leaves no trace.
    await test.place(prng.pick(traders), {
      market: `${base}${quote}`,
      side: prng.pick(["buy", "sell"]),
      amount: `0.${prng.between(1, 9)}`,
      price: `${prng.between(100, 120)}`,
      ...(i % 5 === 0 ? { clientOrderId: `c${test.venue.counters.orders}` } : {}),
    });
  }
  for (let i = 0; i < 4; i++) {
    const uid = prng.pick(PEOPLE);
    await pay(parts, uid, "1.5");
    await withdraw(test, uid, "0.25");
    for (let tick = 0; tick < 8; tick++) await wallet.tick();
    await adjustByName(parts, prng);
  }
  while (test.venue.deposits.size === 0) {
    await pay(parts, PEOPLE[0], "2.5");
    await wallet.tick();
  }
  await withdraw(test, PEOPLE[0], "0.5");
}

async function adjustByName({ test }: MoneyParts, prng: Prng): Promise<void> {
  const key = test.venue.keyByKid.get("operator")?.key.index ?? FEES_MEMBER;
  const name = `${prng.uint32()}`;
  // Each later than the one before, so that none is used twice.
  const nonce = test.engine.now() + test.venue.counters.acts * NONCE_MS + prng.below(NONCE_MS);
  const outcome = await test.engine.submit({
    kind: "adjust_balance",
    uid: prng.pick(PEOPLE),
    currency: "btc",
    amount: units("0.00000001"),
    once: { name, request: "request", known: null, checkedAt: test.venue.sequence },
  }, { key, nonce, digest: 0 });
  if ("rejected" in outcome) throw new Error(JSON.stringify(outcome));
}

async function contentsOf(path: string): Promise<StoredValue[]> {
  using kv = await Deno.openKv(path);
  return await Array.fromAsync(kv.list({ prefix: [] }), ({ key, value }) => ({ key, value }));
}
