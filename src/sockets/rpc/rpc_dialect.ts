/** Stream messages as events of the RPC dialect. */
import type { Side } from "../../domain/trading/order.ts";
import type { WireSource } from "../../edge/wire/wire.ts";
import type { BookLevel } from "../../edge/wire/book_checksum.ts";
import { BestPrices, BookIncrement, BookSnapshot } from "../streams/book_content.ts";
import { CandleChanged, StatusChanged, Tickers, TradeMade } from "../streams/market_contents.ts";
import { BalancesContent, OrderContent, TradeContent } from "../streams/private_content.ts";
import { eventFrame } from "./rpc_frame.ts";
import {
  balanceTuple,
  candleTuple,
  levelTuple,
  memberTradeTuple,
  orderTuple,
  statusTuple,
  tickerTuple,
  tradeTuple,
} from "./rpc_tuples.ts";
import type { Dialect, StreamContent } from "../stream_message.ts";

/** An event without its sequence. */
interface RpcEvent {
  readonly access: "public" | "private";
  readonly name: string;
  readonly args: unknown;
}

/**
 * Creates the dialect of a venue, which its connections share.
 *
 * @param hasExtras whether events carry their sequence and the number of what they tell of, and
 * records more than the family's
 */
export function createRpcDialect(source: WireSource, hasExtras: boolean): Dialect {
  return {
    frame({ content, sequence, event: number }) {
      const event = publicEvent(content, hasExtras) ?? privateEvent(source, content, hasExtras);
      if (event === null) return null;
      const { access, name, args } = event;
      return hasExtras
        ? eventFrame(access, name, args, [sequence, number, content.isLast === true || undefined])
        : eventFrame(access, name, args);
    },
  };
}

function publicEvent(content: StreamContent, hasExtras: boolean): RpcEvent | null {
  if (content instanceof BookIncrement) return bookIncrement(content);
  if (content instanceof TradeMade) {
    const args = tradeTuple(content.market, content.trade, hasExtras);
    return { access: "public", name: "trade", args };
  }
  if (content instanceof CandleChanged) {
    const { market, period, candle } = content;
    const name = `kline.${period}.${market.id}`;
    return { access: "public", name, args: candleTuple(market, candle) };
  }
  if (content instanceof Tickers) {
    const tickers = Object.entries(content.byMarket);
    const args = tickers.map(([market, ticker]) => tickerTuple(market, ticker));
    return { access: "public", name: "tickers", args };
  }
  if (content instanceof BestPrices) return bestPrices(content);
  if (content instanceof StatusChanged) {
    return { access: "public", name: "status", args: statusTuple(content.status) };
  }
  return content instanceof BookSnapshot ? bookSnapshot(content) : null;
}

function bookSnapshot({ market, sequence, levels }: BookSnapshot): RpcEvent {
  const tuples = (side: readonly BookLevel[]) => side.map((level) => levelTuple(market, level));
  const args = [sequence, tuples(levels.asks), tuples(levels.bids)];
  return { access: "public", name: `${market.id}.obs`, args };
}

function bestPrices({ market, best: { bid, ask } }: BestPrices): RpcEvent {
  const args = [bid, ask].map((level) => level === null ? null : levelTuple(market, level));
  return { access: "public", name: `${market.id}.bbo`, args };
}

function bookIncrement({ market, sequence, change }: BookIncrement): RpcEvent {
  const { side, level } = change;
  const args = [sequence, SIDE_NAMES[side], levelTuple(market, level)];
  return { access: "public", name: `${market.id}.obi`, args };
}

const SIDE_NAMES: Readonly<Record<Side, string>> = { buy: "bids", sell: "asks" };

function privateEvent(
  source: WireSource,
  content: StreamContent,
  hasExtras: boolean,
): RpcEvent | null {
  if (content instanceof OrderContent) {
    const args = orderTuple(source, content.order, hasExtras, content.state);
    return { access: "private", name: orderEventName(content), args };
  }
  if (content instanceof TradeContent) {
    const { trade, clientOrderId } = content;
    const args = memberTradeTuple(source, trade, hasExtras ? clientOrderId : null);
    return { access: "private", name: "tr", args };
  }
  if (content instanceof BalancesContent) {
    const args = content.accounts.map((account) => balanceTuple(source.venue, account));
    return { access: "private", name: "bu", args };
  }
  return null;
}

/** Returns the name for a snapshot, a new, cancelled or refused order; otherwise for an update. */
function orderEventName({ cause, state }: OrderContent): string {
  if (cause === null) return "os";
  if (cause === "order_accepted") return "on";
  return state === "cancel" ? "oc" : state === "reject" ? "or" : "ou";
}
