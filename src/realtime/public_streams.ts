/** The streams that everybody may read. */
import type { Engine } from "../engine/engine.ts";
import { BookStream } from "./book_stream.ts";
import { CandleStream } from "./candle_stream.ts";
import type { Hub } from "./hub.ts";
import { TickerStream } from "./ticker_stream.ts";
import { TradeStream } from "./trade_stream.ts";

/** Registers them. */
export function registerPublicStreams(
  hub: Hub,
  engine: Engine,
  onFault: (error: unknown) => void,
): void {
  hub.register(new BookStream(engine));
  hub.register(new TradeStream(hub, engine));
  hub.register(new CandleStream(engine, onFault));
  hub.register(new TickerStream(engine));
}
