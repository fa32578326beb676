import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import type { VenueEvent } from "../../../src/domain/event.ts";
import { CANDLE_PERIODS } from "../../../src/domain/trading/candle.ts";
import type { MarketTrade } from "../../../src/domain/trading/trade_record.ts";
import type { WithdrawLimit } from "../../../src/domain/money/withdraw_limits.ts";
import { foldCandles } from "../../../src/engine/fold/candle_fold.ts";
import { noteEvents } from "../../../src/engine/fold/fold_part.ts";
import { foldHistories } from "../../../src/engine/fold/history_fold.ts";
import { withdrawLimitsSheet } from "../../../src/engine/fold/money_sheets.ts";
import { candlesSheet, openOrdersSheet } from "../../../src/engine/fold/row_sheets.ts";
import { MemoryRows } from "../../../src/engine/fold/row_source.ts";
import { MARKET_TRADE_CODEC } from "../../../src/store/rows/order_codec.ts";
import { noPause } from "../../support/folded_events.ts";

it("events are noted all, and others get their turn every 512", async () => {
  const event: VenueEvent = { kind: "pnl_currencies_set", currencies: [], kept: [] };
  let [noted, pauses] = [0, 0];
  const pause = () => Promise.resolve(void (pauses += 1));
  await noteEvents(Array(2000).fill({ events: [event] }), () => noted += 1, pause);
  assertEquals([noted, pauses], [2000, 3]);
});

it("limits of withdrawals are apart for each level and each group", async () => {
  const sheet = withdrawLimitsSheet(new MemoryRows());
  const limits = [1, 2].flatMap((level) =>
    ["any", "vip"].map((group) => ({ level, group }) as WithdrawLimit)
  );
  await sheet.load(limits);
  for (const limit of limits) sheet.put(limit, limit, 1);
  const places = (await sheet.changes(1, noPause)).map(({ place }) => place);
  assertEquals(places, [[1, "any"], [1, "vip"], [2, "any"], [2, "vip"]]);
});

it("a candle is changed once, however many of its trades there are", async () => {
  const sheet = candlesSheet(new MemoryRows());
  let changes = 0;
  const change = sheet.change.bind(sheet);
  sheet.change = (...args) => {
    changes += 1;
    change(...args);
  };
  const trades = [1, 2, 3].map((id) => ({ id, market: 0, at: id, price: 1, volume: 1 }));
  const markets = [{ market: 0, trades: trades as unknown as MarketTrade[], unit: 1n }];
  await foldCandles(sheet, markets, 1, noPause);
  assertEquals(changes, CANDLE_PERIODS.length);
});

it("others get their turn while the rows of very many items are looked for", async () => {
  const orders = Array.from({ length: 2000 }, (_, id) => id);
  let pauses = 0;
  const pause = () => Promise.resolve(void (pauses += 1));
  const sheet = openOrdersSheet(new MemoryRows());
  await sheet.load(orders, pause);
  const ofRows = Math.floor(2000 / 16 / 4);
  assertEquals(pauses, 3 + ofRows);
});

it("others get their turn among the trades of a market, and behind each history", async () => {
  const rows = new MemoryRows();
  const trades = Array.from({ length: 2000 }, (_, i) => (
    { id: i + 1, market: 0, at: i, price: 1, volume: 1, takerSide: "buy" } as const
  ));
  let pauses = 0;
  const pause = () => Promise.resolve(void (pauses += 1));
  await foldCandles(candlesSheet(rows), [{ market: 0, trades, unit: 1n }], 1, pause);
  const ofRows = CANDLE_PERIODS.length / 4;
  assertEquals(pauses, 4 + ofRows);
  const ofMarkets = new Map([[0, trades], [1, trades], [2, trades]]);
  const histories = { table: "market_trades", codec: MARKET_TRADE_CODEC } as const;
  await foldHistories(rows, histories, ofMarkets, 1, pause);
  assertEquals(pauses, 4 + ofRows + ofMarkets.size);
});
