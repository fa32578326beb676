/** The demo's bots, on a venue as its operator starts it. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { unitsOf, Venue } from "../../../src/client/client.ts";
import { runAudit } from "../../../src/engine/start/audit.ts";
import { readConfig } from "../../../src/server/config.ts";
import { Logger } from "../../../src/server/logger.ts";
import { VenueServer } from "../../../src/server/venue_server.ts";
import { eventually } from "../../support/eventually.ts";

const MARKETS = ["btcusdt", "ethusdt", "ethbtc", "bchusdt"] as const;
const BOTS = ["demo-maker", "demo-taker-1", "demo-taker-2", "demo-taker-3"];
/** What all bots are given together. */
const GIVEN = { btc: "650", eth: "10400", usdt: "39000000", bch: "14500" };
const DIGITS = 16;

/** A demo that runs, and what it has logged. */
interface Running {
  readonly server: VenueServer;
  readonly lines: string[];
}

async function start(kvPath: string, args: readonly string[] = ["--bots"]): Promise<Running> {
  const config = readConfig({ PORT: "0", KV_PATH: kvPath }, ["--demo", ...args]);
  const lines: string[] = [];
  const server = await VenueServer.start(config, new Logger("info", (line) => lines.push(line)));
  return { server, lines };
}

function as({ server }: Running, kid: string): Venue {
  return new Venue(server.url, { key: { kid, secret: `${kid}-secret` } });
}

/** Waits until both sides of a market are quoted, and somebody has traded since a trade. */
async function isAlive(running: Running, market: string, since = 0): Promise<void> {
  const venue = new Venue(running.server.url);
  const path = { market };
  await eventually(`quotes and trades on ${market}`, async () => {
    const depth = await venue.get("/api/v2/backend/public/markets/{market}/depth", { path });
    const [last] = await venue.get("/api/v2/backend/public/markets/{market}/trades", {
      path,
      query: { limit: 1 },
    });
    return depth.asks.length >= 10 && depth.bids.length >= 10 && (last?.id ?? 0) > since;
  });
}

async function lastOrder(running: Running): Promise<number> {
  const ids = await Promise.all(BOTS.map(async (kid) => {
    const query = { limit: 1 };
    const [last] = await as(running, kid).get("/api/v2/backend/market/orders", { query });
    return last?.id ?? 0;
  }));
  return Math.max(...ids);
}

/** Returns what the bots have together, and the fees that they have paid. */
async function totals(running: Running): Promise<Record<string, bigint>> {
  const sums: Record<string, bigint> = {};
  const add = (currency: string, amount: string) => {
    sums[currency] = (sums[currency] ?? 0n) + unitsOf(amount, DIGITS);
  };
  for (const kid of BOTS) {
    const bot = as(running, kid);
    for (const { currency, balance, locked } of await bot.balances()) {
      add(currency, balance);
      add(currency, locked);
    }
    for await (const trade of bot.walk("/api/v2/backend/market/trades")) {
      add(trade.fee_currency, trade.fee_amount);
    }
  }
  return sums;
}

function eventsOf({ lines }: Running): string[] {
  return lines.map((line) => JSON.parse(line).event);
}

async function assertNobodyQuotes(running: Running): Promise<void> {
  assertEquals(await as(running, "demo-maker").openOrders(), []);
  const balances = await as(running, "demo-maker").balances();
  assertEquals(balances.filter(({ locked }) => Number(locked) > 0), []);
}

describe("the demo's bots", () => {
  it("quote and trade on all markets, a few orders a second, and leave nothing behind", async () => {
    const running = await start(":memory:");
    for (const market of MARKETS) await isAlive(running, market);
    const [first, begun] = [await lastOrder(running), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    const seconds = (performance.now() - begun) / 1000;
    const rate = (await lastOrder(running) - first) / seconds;
    assert(rate > 0.5 && rate < 10, `${rate} orders a second`);
    const stopping = performance.now();
    await running.server.stop();
    assert(performance.now() - stopping < 2_000, `${performance.now() - stopping} ms`);
    assertEquals(eventsOf(running).slice(-2), ["listening", "stopped"]);
  });

  it("go on where they were on the same file, and neither make nor lose money", async () => {
    const directory = await Deno.makeTempDir();
    const path = `${directory}/demo.db`;
    const first = await start(path);
    for (const market of MARKETS) await isAlive(first, market);
    const operator = as(first, "demo-operator");
    await operator.patch("/api/v2/admin/markets/{id}", {
      path: { id: "btcusdt" },
      body: { state: "halted", reason: "a test" },
    });
    await first.server.stop();
    assertEquals(eventsOf(first).slice(-1), ["stopped"]);
    // What a halted market holds stays there; the next start takes it back once it may.
    const second = await start(path);
    await isAlive(second, "ethusdt");
    await as(second, "demo-operator").patch("/api/v2/admin/markets/{id}", {
      path: { id: "btcusdt" },
      body: { state: "enabled", reason: "a test" },
    });
    const since = await new Venue(second.server.url).get(
      "/api/v2/backend/public/markets/{market}/trades",
      { path: { market: "btcusdt" }, query: { limit: 1 } },
    );
    await isAlive(second, "btcusdt", since[0]?.id);
    await second.server.stop();
    const third = await start(path, []);
    await assertNobodyQuotes(third);
    const given = Object.entries(GIVEN).map(([id, amount]) => [id, unitsOf(amount, DIGITS)]);
    assertEquals(await totals(third), Object.fromEntries(given));
    const order = { market: "ethusdt", type: "limit", amount: "1", price: "1040" } as const;
    await as(third, "demo-alice").placeOrder({ ...order, side: "sell" });
    await as(third, "demo-bob").placeOrder({ ...order, side: "buy" });
    await third.server.stop();
    const fourth = await start(path);
    await isAlive(fourth, "ethusdt");
    const bids = (await as(fourth, "demo-maker").openOrders("ethusdt"))
      .filter(({ side }) => side === "buy").map(({ price }) => Number(price));
    assert(Math.abs(Math.max(...bids) - 1040) < 10, `${Math.max(...bids)}`);
    await fourth.server.stop();
    assertEquals((await runAudit(path)).differences, []);
    await Deno.remove(directory, { recursive: true });
  });
});
