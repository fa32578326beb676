/** All that the client offers: what `GET /client.js` serves. */
export { Venue, type VenueOptions } from "./venue.ts";
export { OutcomeUnknownError, UnreachableError, VenueError } from "./calls/venue_error.ts";
export type { ErrorBody } from "./calls/venue_error.ts";
export type { Key } from "./calls/signing.ts";
export type { Records } from "./contract_calls.ts";
export type { Heartbeat, HeartbeatOptions } from "./orders/heartbeat.ts";
export type {
  OrderInput,
  PlacedOrder,
  PlacingOptions,
  ResultInput,
  ResultOrder,
} from "./orders/order_placing.ts";
export type { AcceptedOrder, OrderSocket } from "./orders/order_socket.ts";
export type { SocketResult } from "./orders/socket_result.ts";
export type { Book, BookListener } from "./streams/book.ts";
export type {
  BalanceMessage,
  BestMessage,
  DepositAddressMessage,
  DepositMessage,
  Level,
  LevelsMessage,
  MarketTradesMessage,
  MessageNumbers,
  OrderMessage,
  StatusMessage,
  StreamMessages,
  TickerMessage,
  TradeMessage,
  WithdrawMessage,
} from "./streams/stream_messages.ts";
export type { Listening, StreamListener } from "./streams/venue_streams.ts";
export { decimalOf, unitsOf } from "./decimals.ts";
export { compareDecimals } from "./streams/decimal_order.ts";
export type { Walked, WalkedPath, WalkParts } from "./lists/list_walk.ts";
