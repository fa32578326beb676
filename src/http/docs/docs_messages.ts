/** The part of the reference page on streams that shows their messages and errors. */
import { rowsHtml, textHtml } from "./docs_html.ts";

/** Messages of an order that has filled, as alice's streams and the public ones got them. */
const MESSAGES =
  `← {"order":{"id":2,"uuid":"02ce15cf-27a3-84f8-9ef2-290a15fe2a1c","market":"btcusdt",
   "kind":"bid","side":"buy","ord_type":"limit","price":"30000.0","avg_price":"30000.0",
   "state":"done","origin_volume":"0.5","remaining_volume":"0.0","executed_volume":"0.5",
   "executed_total":"15000.0","fees":{"btc":"0.001"},
   "at":1795473074,"created_at":1795473074,"updated_at":1795473074,
   "created_at_ms":1795473074218,"updated_at_ms":1795473074218,"trades_count":1,
   "time_in_force":"gtc","trigger_price":null,"client_order_id":"my-1","reject_reason":null},
   "sequence":2,"event":61}
← {"trade":{"id":1,"price":"30000.0","amount":"0.5","total":"15000.0","market":"btcusdt",
   "side":"buy","taker_type":"buy","date":1795473074,"created_at":1795473074,
   "created_at_ms":1795473074218,"order_id":2,"order_uuid":"02ce15cf-27a3-84f8-9ef2-290a15fe2a1c","client_order_id":"my-1",
   "fee":"0.002","fee_currency":"btc","fee_amount":"0.001","liquidity":"taker"},
   "sequence":1,"event":61}
← {"balances":{"btc":["100.499","0.0"],"eth":["1000.0","0.0"],"usdt":["9985000.0","0.0"],
   "bch":["1000.0","0.0"]},"sequence":5,"event":61}
← {"balance":{"currency":"btc","balance":"100.499","locked":"0.0"},"sequence":5,"event":61}
← {"deposit":{"id":1,"currency":"btc","amount":"2.0","fee":"0.0","txid":"tx-1",
   "confirmations":0,"state":"submitted","transfer_type":"crypto",
   "created_at":"2026-11-23T22:31:14Z","completed_at":null,"tid":"TIDB97F4A7C15"},
   "sequence":6,"event":66}
← {"withdraw":{"id":1,"currency":"btc","type":"coin","amount":"1.0","fee":"0.001",
   "blockchain_txid":null,"state":"accepted","waits_for":"payout","approval_reason":null,
   "confirmations":0,"transfer_type":"crypto","created_at":"2026-11-23T22:31:14Z",
   "updated_at":"2026-11-23T22:31:14Z","done_at":null,"beneficiary_id":1},
   "sequence":8,"event":71}
← {"deposit_address":{"type":"create","currencies":["usdt"],
   "address":"usdt1qzjz4h202h90u0j2ftxqtzqv5nnf4fl4q"},"sequence":1}
← {"btcusdt.trades":{"trades":[{"tid":1,"taker_type":"buy","date":1795473074,
   "created_at":1795473074,"created_at_ms":1795473074218,"price":"30000.0","amount":"0.5"}]},
   "sequence":1}
← {"btcusdt.bbo":{"bid":null,"ask":["30100.0","0.25"]},"sequence":2}
← {"btcusdt.kline-1m":[1795473060,30000,30000,30000,30000,0.5],"sequence":1}
← {"global.tickers":{"btcusdt":{"name":"BTC/USDT","base_unit":"btc","quote_unit":"usdt",
   "close":"30000.0","at":1795473075,"low":"30000.0","high":"30000.0","open":"30000.0",
   "last":"30000.0","volume":"15000.0","amount":"0.5","avg_price":"30000.0",
   "price_change_percent":"+0.00%","buy":"0.0","sell":"0.0"}},"sequence":1}
← {"global.status":{"state":"operational","trading":true,"withdrawals":true,
   "markets":{"btcusdt":"enabled"},
   "currencies":{"btc":{"deposit_enabled":true,"withdrawal_enabled":true}},
   "time":"2026-11-23T22:31:14.000Z"},"sequence":1}`;

const DIFFERENCES: readonly (readonly [name: string, difference: string])[] = [
  [
    "order",
    "Adds `kind` (`bid`, `ask`) and `at` (the same as `created_at`); lacks the fee rates and " +
    "`self_trade_prevention`. `state` is `pending` while the book may still refuse the order.",
  ],
  [
    "trade",
    "`date` and `created_at` are both the time in Unix seconds, not in ISO 8601. Adds the " +
    "`order_uuid` and the `client_order_id` of your order.",
  ],
  ["withdraw", "Lacks `rid` and `note`, which are sealed; adds `beneficiary_id`."],
  ["balances", "By currency `[balance, locked]`, all of them in every message."],
  ["balance", "One of the balances that an event concerns."],
  [
    "deposit_address",
    "Only the address, as `legacy`, its `network` where the currency lives on one, your `tag` at it " +
    "where the currency has tags, and the currencies that it takes.",
  ],
  [
    "{market}.trades",
    "`tid` is the `id`; `date` and `created_at` are both the time in Unix seconds; lacks `total` " +
    "and `market`.",
  ],
  [
    "global.tickers",
    "Adds `name`, `base_unit`, `quote_unit` and `close` (the same as `last`); lacks `vol`.",
  ],
];

const ERRORS: readonly (readonly [error: string, meaning: string])[] = [
  ["401, 403, 422 authz.…", "The signature or session is refused, as in any signed request."],
  ["403 authz.cross_site_request", "A session's cookie came from a page of another site."],
  [
    "422 stream.invalid_since",
    "`since` is malformed, is given twice for a stream, or does not tell of a private stream that " +
    "is asked for.",
  ],
  ["422 stream.invalid_checksum", "`checksum` is neither `crc32` nor `true`."],
  ["422 stream.invalid_cancel_on_disconnect", "It is neither `true` nor `false`."],
  ["422 market.order.timer_without_key", "`cancel_on_disconnect` without a key."],
  ["422 market.order.cancel_timer_limit", "The key has too many cancel timers."],
  ["421 stream.other_port", "The venue has another port for sockets that are signed, or not."],
  ["426 stream.upgrade_required", "The request is not a websocket handshake of version 13."],
  ["422 authz.invalid_api_key_headers", "A header, or the `field` of a log-in, is missing."],
  [
    "422 stream.already_logged_in",
    "A log-in over a socket that somebody has: whoever opened it, or has logged in.",
  ],
  ["429 stream.too_many_sockets", "The key, session, member or address has too many sockets."],
  [
    "429 stream.endless_message",
    "The member's sockets had sent messages that did not end, and are refused for a while.",
  ],
  ["503 server.unavailable", "The venue takes no more sockets now: retry."],
];

/** Returns the examples, the differences and the errors as HTML. */
export function messagesHtml(): string {
  return `<h4>Messages</h4>${textHtml(MESSAGES)}
<h4>How they differ from records over HTTP</h4>${rowsHtml(["Stream", "Difference"], DIFFERENCES)}
<h4>Errors of the handshake, and of log-ins</h4>${rowsHtml(["Error", "Meaning"], ERRORS)}
<p>On an open socket, a request that can't be met is answered
<code>{"error":{"message":"…"}}</code>, in words for people. One such error names all streams of a
request or of the address that there are not, or that are private while the path is public; the
others are in the list of the reply, which follows.</p>`;
}
