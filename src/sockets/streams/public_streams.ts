/** The streams that anybody may read. */
import type { Engine } from "../../engine/engine.ts";
import { BOOK_FORMS } from "./book_feed.ts";
import { BookStream } from "./book_stream.ts";
import { CandleStream } from "./candle_stream.ts";
import type { Hub } from "../sending/hub.ts";
import { SendBudget } from "../sending/send_budget.ts";
import { TickerStream } from "./ticker_stream.ts";
import { TradeStream } from "./trade_stream.ts";

/** Registers the public streams. */
export function registerPublicStreams(
  hub: Hub,
  engine: Engine,
  onFault: (error: unknown) => void,
): void {
  const budget = new SendBudget();
  engine.onEntry((events) => budget.noteEvents(events.length));
  for (const form of BOOK_FORMS) hub.register(new BookStream(engine, form, budget));
  hub.register(new TradeStream(hub, engine));
  hub.register(new CandleStream(engine, onFault));
  hub.register(new TickerStream(engine));
}
