// deno-lint-ignore-file no-console
/**
 * A back-test: a strategy trades through a series of prices on a venue in memory, whose other member
 * quotes around each of them. It buys below the mean of the last prices and sells above, and tells
 * what it has gained, to the last digit.
 *
 *     PRICES=20000,19000,21000 deno run --allow-all src/client/examples/back_test.ts
 */
import { decimalOf, unitsOf, Venue } from "../client.ts";

const [market, base, quote, amount] = ["btcusdt", "btc", "usdt", "0.1"];
/** Digits of prices and of balances; from a price to either quote; prices in the mean. */
const [priceDigits, digits, away, window] = [2, 16, unitsOf("5", 2), 3];
const prices = (Deno.env.get("PRICES") ?? "20000,20000,20000,19000,20500,21000,19500,20000")
  .split(",").map((price) => unitsOf(price, priceDigits));

/** Starts a demo venue in memory, and returns its process and where it listens. */
async function startVenue(): Promise<{ process: Deno.ChildProcess; url: string }> {
  const main = new URL("../../../main.ts", import.meta.url).href;
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", main, "--demo"],
    env: { KV_PATH: ":memory:", RATE_LIMIT: "off", PORT: "0" },
    stdout: "piped",
  }).spawn();
  let printed = "";
  for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    const [, url] = /"url":"([^"]+)".*"event":"listening"/.exec(printed) ?? [];
    if (url !== undefined) return { process, url };
  }
  throw new Error(`the venue has not started: ${printed}`);
}

async function backTest(url: string): Promise<void> {
  const as = (name: string) =>
    new Venue(url, { key: { kid: `demo-${name}`, secret: `demo-${name}-secret` } });
  const [trader, maker] = [as("alice"), as("bob")];
  const before = { base: await balance(trader, base), quote: await balance(trader, quote) };
  let trades = 0;
  for (const [i, price] of prices.entries()) {
    const limit = { market, type: "limit" } as const;
    const quotes = await maker.placeOrders([
      { ...limit, side: "buy", amount, price: decimalOf(price - away, priceDigits) },
      { ...limit, side: "sell", amount, price: decimalOf(price + away, priceDigits) },
    ]);
    const known = prices.slice(Math.max(0, i - window), i);
    const above = price * BigInt(known.length) - known.reduce((sum, one) => sum + one, 0n);
    if (above !== 0n) {
      const side = above < 0n ? "buy" : "sell";
      await trader.placeOrder({ market, type: "market", side, amount, response: "result" });
      trades += 1;
    }
    for (const { uuid } of quotes) await maker.cancelOrder(uuid);
  }
  const bases = await balance(trader, base) - before.base;
  const quotes = await balance(trader, quote) - before.quote;
  const value = bases * (prices.at(-1) ?? 0n) + quotes * 10n ** BigInt(priceDigits);
  console.log(`trades ${trades}`);
  console.log(`${base} ${decimalOf(bases, digits)}, ${quote} ${decimalOf(quotes, digits)}`);
  console.log(`profit ${decimalOf(value, digits + priceDigits)} ${quote} at the last price`);
}

async function balance(venue: Venue, currency: string): Promise<bigint> {
  const all = await venue.get("/api/v2/backend/account/balances");
  const { balance = "0", locked = "0" } = all.find((one) => one.currency === currency) ?? {};
  return unitsOf(balance, digits) + unitsOf(locked, digits);
}

const given = Deno.env.get("VENUE");
const own = given === undefined ? await startVenue() : null;
try {
  await backTest(own?.url ?? given ?? "");
} finally {
  own?.process.kill("SIGINT");
  await own?.process.status;
}
