import { CANDLE_PERIODS } from "../../src/domain/trading/candle.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { plainOrder } from "./plain_record.ts";
import { STREAM_CLIENT_ORDER_IDS } from "./random_command.ts";
import { stateText } from "./state_text.ts";

const ALL = { offset: 0, limit: 100_000, direction: "asc" } as const;

/** Returns everything that can be read of a venue: its state and its whole history. */
export async function everything(engine: Engine): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  const ids = STREAM_CLIENT_ORDER_IDS;
  for (const { member } of engine.venue.members()) {
    const { index, uid } = member;
    const orders = await engine.orders(index, {}, ALL);
    seen[`orders of ${uid}`] = orders.items.map((order) => ({
      ...plainOrder(order),
      place: [order.level?.price, order.previous?.id, order.next?.id],
    }));
    seen[`orders count of ${uid}`] = orders.total;
    const trades = [];
    for (const order of orders.items) {
      trades.push(await engine.orderTrades(index, order, (one) => one));
    }
    seen[`trades by order of ${uid}`] = trades;
    seen[`trades of ${uid}`] = await engine.trades(index, {}, ALL);
    seen[`deposits of ${uid}`] = await engine.deposits(index, {}, ALL);
    seen[`withdrawals of ${uid}`] = await engine.withdraws(index, {}, ALL);
    seen[`transactions of ${uid}`] = await engine.transactions(index, {}, ALL);
    const moment = engine.funds.now(index);
    seen[`funds of ${uid}`] = [
      await engine.funds.before(index, moment, moment.at),
      (await engine.funds.moved(index, moment, {}, ALL)).items,
    ].map((one) => "totals" in one ? one.totals : one);
    const named = ids.map((id) => engine.orderIdByClient(index, id));
    seen[`client order ids of ${uid}`] = await Promise.all(named);
  }
  for (let market = 0; market < engine.venue.books.length; market++) {
    seen[`ticker ${market}`] = engine.ticker(market);
    const request = { limit: 100_000, direction: "desc" } as const;
    seen[`trades ${market}`] = await engine.marketTrades(market, request);
    for (const period of CANDLE_PERIODS) {
      const candles = await engine.candles(market, period, { limit: 100_000 });
      seen[`candles ${market} ${period}`] = candles;
    }
  }
  seen["deposits"] = await engine.allDeposits({}, ALL);
  seen["withdrawals"] = await engine.allWithdraws({}, ALL);
  seen["state"] = stateText(engine.venue, ids, engine.now()).split("\n");
  return seen;
}
