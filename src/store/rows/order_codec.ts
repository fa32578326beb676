/** Orders and trades as bytes in rows. */
import {
  CLOSE_REASONS,
  type Order,
  ORDER_STATES,
  ORDER_TYPES,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
} from "../../domain/trading/order.ts";
import type { MarketTrade, MemberTrade } from "../../domain/trading/trade_record.ts";
import type { RecordCodec } from "./block_codec.ts";
import type { ByteReader } from "../byte_reader.ts";
import type { ByteWriter } from "../byte_writer.ts";
import { codeOf, wordOf } from "../log/event_codec.ts";

/** Marks an order that holds what it has paid in fees. */
const KEEPS_FEES = 128;

/** Complete orders, open or ended. */
export const ORDER_CODEC: RecordCodec<Order> = {
  write: writeOrder,
  read: readOrder,
  pass: passOrder,
  id: (order) => order.id,
};

/** A market's trades. */
export const MARKET_TRADE_CODEC: RecordCodec<MarketTrade> = {
  write: writeMarketTrade,
  read: readMarketTrade,
  id: (trade) => trade.id,
};

/** A member's trades. */
export const MEMBER_TRADE_CODEC: RecordCodec<MemberTrade> = {
  write(writer, trade) {
    writeMarketTrade(writer, trade);
    const { ownTaker } = trade;
    const isMaker = trade.liquidity === "maker" ? 1 : 0;
    writer.byte(codeOf(SIDES, trade.side) + 2 * isMaker + (ownTaker === undefined ? 0 : 4));
    writer.uint(trade.orderId);
    writer.uint(trade.feeRate);
    if (ownTaker === undefined) return;
    writer.uint(ownTaker.orderId);
    writer.uint(ownTaker.feeRate);
  },
  // The fields are in the order of `takerTradeOf`: from a row or memory, JSON is the same.
  read(reader) {
    const trade = readMarketTrade(reader);
    const flags = reader.byte();
    const view: MemberTrade = {
      ...trade,
      side: wordOf(SIDES, flags % 2),
      orderId: reader.uint(),
      feeRate: reader.uint(),
      liquidity: (flags & 2) > 0 ? "maker" : "taker",
    };
    if (flags < 4) return view;
    return { ...view, ownTaker: { orderId: reader.uint(), feeRate: reader.uint() } };
  },
  id: (trade) => trade.id,
};

function writeMarketTrade(writer: ByteWriter, trade: MarketTrade): void {
  writer.uint(trade.id);
  writer.uint(trade.market);
  writer.uint(trade.price);
  writer.uint(trade.volume);
  writer.byte(codeOf(SIDES, trade.takerSide));
  writer.uint(trade.at);
}

function readMarketTrade(reader: ByteReader): MarketTrade {
  return {
    id: reader.uint(),
    market: reader.uint(),
    price: reader.uint(),
    volume: reader.uint(),
    takerSide: wordOf(SIDES, reader.byte()),
    at: reader.uint(),
  };
}

function writeOrder(writer: ByteWriter, order: Order): void {
  writer.uint(order.id);
  writer.uint(order.member);
  writer.uint(order.market);
  writer.byte(codeOf(SIDES, order.side) + 2 * codeOf(ORDER_TYPES, order.type));
  writer.byte(
    codeOf(TIMES_IN_FORCE, order.timeInForce) +
      4 * codeOf(SELF_TRADE_PREVENTIONS, order.selfTrade) +
      (order.feesPaid === null ? 0 : KEEPS_FEES),
  );
  writer.byte(codeOf(ORDER_STATES, order.state));
  writer.byte(codeOf(CLOSE_REASONS, order.reason));
  writer.uint(order.price);
  writer.uint(order.triggerPrice);
  writer.uint(order.volume);
  writer.uint(order.remaining);
  writer.uint(order.makerFee);
  writer.uint(order.takerFee);
  writer.text(order.clientOrderId);
  writer.bigint(order.locked);
  writer.bigint(order.quoteMoved);
  if (order.feesPaid !== null) writer.bigint(order.feesPaid);
  writer.uint(order.tradesCount);
  writer.uint(order.firstTrade);
  writer.uint(order.lastTrade);
  writer.uint(order.createdAt);
  writer.int(order.updatedAt - order.createdAt);
  writer.uint(order.priority);
}

/** Passes over what `writeOrder` writes. */
function passOrder(reader: ByteReader): number {
  const id = reader.uint();
  reader.passIntegers(2);
  reader.passBytes(1);
  const how = reader.byte();
  reader.passBytes(2);
  reader.passIntegers(6);
  reader.passBytes(reader.uint());
  reader.passBigint();
  reader.passBigint();
  if (how >= KEEPS_FEES) reader.passBigint();
  reader.passIntegers(6);
  return id;
}

/** Builds the record field by field like `createOrder`, so that both have one shape in memory. */
function readOrder(reader: ByteReader): Order {
  const id = reader.uint();
  const member = reader.uint();
  const market = reader.uint();
  const what = reader.byte();
  const how = reader.byte();
  const state = wordOf(ORDER_STATES, reader.byte());
  const reason = wordOf(CLOSE_REASONS, reader.byte());
  const price = reader.uint();
  const triggerPrice = reader.uint();
  const volume = reader.uint();
  const remaining = reader.uint();
  const makerFee = reader.uint();
  const takerFee = reader.uint();
  const clientOrderId = reader.text();
  const locked = reader.bigint();
  const quoteMoved = reader.bigint();
  const feesPaid = how >= KEEPS_FEES ? reader.bigint() : null;
  const tradesCount = reader.uint();
  const firstTrade = reader.uint();
  const lastTrade = reader.uint();
  const createdAt = reader.uint();
  return {
    id,
    member,
    market,
    side: wordOf(SIDES, what % 2),
    type: wordOf(ORDER_TYPES, what >> 1),
    timeInForce: wordOf(TIMES_IN_FORCE, how % 4),
    selfTrade: wordOf(SELF_TRADE_PREVENTIONS, (how % KEEPS_FEES) >> 2),
    price,
    triggerPrice,
    volume,
    clientOrderId,
    makerFee,
    takerFee,
    createdAt,
    remaining,
    locked,
    quoteMoved,
    feesPaid,
    tradesCount,
    firstTrade,
    lastTrade,
    state,
    reason,
    updatedAt: createdAt + reader.int(),
    priority: reader.uint(),
    level: null,
    previous: null,
    next: null,
    memberPrevious: null,
    memberNext: null,
  };
}
