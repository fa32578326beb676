// deno-lint-ignore-file no-console
/**
 * A bot that makes a market: a bid and an ask around the middle of the others' prices. Both follow it,
 * and are renewed when they are filled. If the bot is lost, so are its orders, by the heartbeat.
 *
 *     KID=… SECRET=… MARKET=btcusdt deno run --allow-net --allow-env market_maker.ts
 *
 * Outside of the venue's sources, import from `http://127.0.0.1:8000/client.js`.
 */
import { decimalOf, type Level, unitsOf, Venue, VenueError } from "../client.ts";

const set = (name: string, otherwise: string) => Deno.env.get(name) ?? otherwise;
const key = { kid: set("KID", "demo-alice"), secret: set("SECRET", "demo-alice-secret") };
const [market, amount] = [set("MARKET", "btcusdt"), set("AMOUNT", "0.1")];
/** In 1/10,000: from the middle to either quote, and how far quotes may be off before they move. */
const [away, slack] = [BigInt(set("AWAY_BPS", "20")), BigInt(set("SLACK_BPS", "5"))];
const BPS = 10_000n;

const venue = new Venue(set("VENUE", "http://127.0.0.1:8000"), { key });
const markets = await venue.get("/api/v2/backend/public/markets");
const digits = markets.find(({ id }) => id === market)?.price_precision ?? 0;
const tickers = await venue.get("/api/v2/backend/public/markets/tickers");
/** The middle where others don't quote: the last price, which may be given to begin with. */
let last = unitsOf(set("PRICE", tickers[market]?.ticker.last ?? "0"), digits);
type Side = "buy" | "sell";
const quotes: Partial<Record<Side, { readonly name: string; readonly price: bigint }>> = {};
let changes = Promise.withResolvers<void>();
const ending = new AbortController();
ending.signal.onabort = () => changes.resolve();
Deno.addSignalListener("SIGINT", () => ending.abort());
const heart = await venue.keepAlive(15);
const book = venue.book(market, { onChange: () => changes.resolve() });
venue.listen(`${market}.trades`, {
  onMessage: ({ trades }) => last = unitsOf(trades.at(-1)?.price ?? "0", digits),
});
venue.listen("order", {
  onMessage: ({ client_order_id, side, state }) => {
    const isOver = state === "done" || state === "cancel" || state === "reject";
    if (!isOver || quotes[side]?.name !== client_order_id) return;
    delete quotes[side];
    changes.resolve();
  },
  // What has become of the quotes is not known.
  onGap: () => ending.abort(),
});

/** Returns the best price of others, as far as one can tell. */
const best = (side: Side, levels: readonly Level[]) =>
  levels.map(([price]) => unitsOf(price, digits)).find((price) => price !== quotes[side]?.price);

async function move(side: Side, price: bigint): Promise<void> {
  const off = price - (quotes[side]?.price ?? 0n);
  if ((off < 0n ? -off : off) * BPS <= slack * price) return;
  if (quotes[side] !== undefined) await venue.cancelOrder(`client:${quotes[side].name}`);
  const name = crypto.randomUUID();
  quotes[side] = { name, price };
  const order = { market, side, amount, price: decimalOf(price, digits), client_order_id: name };
  try {
    await venue.placeOrder({ ...order, type: "post_only" });
    console.log(side, amount, "at", order.price);
  } catch (error) {
    if (!(error instanceof VenueError)) throw error;
    delete quotes[side];
    console.log(side, "refused:", error.message);
  }
}

while (!ending.signal.aborted) {
  const [bid, ask] = [best("buy", book.bids), best("sell", book.asks)];
  const middle = bid === undefined || ask === undefined ? last : (bid + ask) / 2n;
  const gap = middle * away / BPS;
  const isReady = book.isKnown && middle > 0n;
  if (isReady) await Promise.all([move("buy", middle - gap), move("sell", middle + gap)]);
  await changes.promise;
  changes = Promise.withResolvers();
}
for (const { name } of Object.values(quotes)) await venue.cancelOrder(`client:${name}`);
await heart.stop();
venue.close();
console.log("ended");
