/** What the reference page says of the RPC dialect: orders and streams over one socket. */
import { markedText, rowsHtml, tableHtml, textHtml } from "./docs_html.ts";

const TALKING =
  `→ [1,1,"create_order",["btcusdt","l","buy","0.5","30000",{"client_order_id":"my-1"}]]
← [2,1,"create_order",["6c3658d7-aab6-87dd-88b4-8e6c152a93ca"]]
→ [1,2,"create_order",["btcusdt","l","buy","0.5"]]
← [2,2,"error",["market.order.missing_price"],{"details":{"field":"price"}}]
→ [1,3,"list_orders",["btcusdt",1,100,"wait"]]
← [2,3,"list_orders",[["btcusdt",5,"6c3658d7-aab6-87dd-88b4-8e6c152a93ca","buy","w","l","30000",
   "0","0.5","0.5","0",0,1795324329]]]
→ [1,4,"cancel_order",["uuid","client:my-1"]]
← [2,4,"cancel_order",null]
→ [1,5,"subscribe",["public",["btcusdt.orderbook"]]]
← [3,"btcusdt.obs",[7,[["30100","0.25"]],[["30000","1"]]],7]
← [2,5,"subscribe",["public",["btcusdt.orderbook"]]]
← [3,"btcusdt.obi",[8,"bids",["30000",""]],8]`;

const RULES = "A request is `[1, id, method, args]`; its answer `[2, id, method, args]`, or " +
  '`[2, id, "error", identifiers]` with the identifiers of calls over HTTP, and what else there ' +
  "is to know in an object behind them. The id is a whole number or a text of at most 64 " +
  "characters; answers come as they are known, not in the order of the requests. Amounts and " +
  "prices are texts or numbers, which are read as they are written. The socket is opened with the " +
  "headers of a signed call, or in a session; nobody signs the requests, but each counts as one " +
  "call of its caller. Unsigned, it has the public streams, at 300 requests at once, then 50 a " +
  "second; who was refused as often for asking too much is closed with 1008. At most 256 requests " +
  "may be unanswered at a time, of 4 MiB together, unsigned of 256 KiB; no frame has more than " +
  "256 KiB.";

const BULKS =
  'Of many each is done or fails on its own: a failed one is `"error"` in the answer, ' +
  "which then has an object behind it with `failures`, each with its `errors` and `index`. Where " +
  "`uuid` stands, `client:` and the member's own id will do, too.";

const METHODS: readonly (readonly [name: string, args: string, answer: string])[] = [
  [
    "create_order",
    "`[market, type, side, amount, price, fields?]`",
    "The order's `[uuid]`, once the venue has taken it. Type: a letter, or the word; `fields`: an " +
    "object with what has no place of its own, such as `trigger_price` or `client_order_id`. The " +
    "price of a market or stop order is passed over.",
  ],
  [
    "create_bulk",
    "`[[market, type, side, amount, price, fields?], …]`",
    'Each order\'s uuid, or `"error"`.',
  ],
  [
    "cancel_order",
    '`["id" or "uuid", value]`, `["market", market]` or `["all"]`',
    "`null`, once it is done.",
  ],
  ["cancel_bulk", '`["id" or "uuid", [value, …]]`', 'Each value again, or `"error"`.'],
  [
    "list_orders",
    "`[market?, page?, limit?, state?]`",
    'Orders, newest first; the state as a word. Of what is not asked for, `null`, `""` or 0.',
  ],
  ["get_orders", "`[uuid, …]`", "Those of these orders that the member has."],
  ["get_order_trades", "`[uuid]`", "The order's trades."],
  [
    "cancel_all_after",
    "`[seconds]`",
    "`[now, time or null]`: sets the key's cancel timer, as over HTTP; 0 clears it.",
  ],
  [
    "subscribe",
    '`["public" or "private", [stream, …]]`',
    "The same with all streams that are read now; one that was read before begins once more. " +
    "Public: `{market}.orderbook`, " +
    "`{market}.trades`, `{market}.kline-{period}`, `tickers`; private: `orders`, `trades`, " +
    "`balances`.",
  ],
  ["unsubscribe", '`["public" or "private", [stream, …]]`', "The same with what remains."],
];

const TUPLES: readonly (readonly [name: string, meaning: string])[] = [
  [
    "order",
    "`[market, id, uuid, side, state, type, price, average price, remaining, original and " +
    "executed volume, number of trades, time of creation]`; of a refused order also the reason.",
  ],
  ["type", "`l` limit, `m` market, `p` post_only, `s` stop, `sl` stop_limit, `f` fill_or_kill."],
  ["state", "`p` pending, `w` wait, `d` done, `c` cancel, `r` reject, `t` trigger_wait."],
  [
    "own trade",
    "`[market, id, price, amount, total, the order's id, uuid and side, the taker's side, fee, " +
    "its currency, time]`.",
  ],
  ["balance", "`[currency, available, locked]`."],
];

const EVENTS: readonly (readonly [name: string, meaning: string])[] = [
  [
    "{market}.obs",
    "The book as it stands: `[sequence, asks, bids]`, levels as `[price, volume]`.",
  ],
  ["{market}.obi", 'A level: `[sequence, "asks" or "bids", [price, volume]]`; `""` ends it.'],
  ["trade", "`[market, id, price, amount, time, the taker's side]`."],
  [
    "kline.{period}.{market}",
    "`[time, open, high, low, close, volume, average price]`.",
  ],
  ["tickers", "Of each market `[market, time, open, high, low, close, volume, average price]`."],
  [
    "os, on, ou, oc, or",
    "Private: an order as it stands when subscribing, new, changed, cancelled, refused.",
  ],
  ["tr", "Private: an own trade."],
  ["bu", "Private: the balances that have changed."],
  ["systemEvent", 'Private: `["authenticated", uid]`, right after the socket is opened.'],
];

/** Anchor of the section. */
export const RPC_ANCHOR = "orders-over-a-socket";

/** The section. */
export const RPC_HTML = `<section class="operation" id="${RPC_ANCHOR}"><h3>Orders over a socket</h3>
<p class="note">Orders, timers and streams on one websocket at <code>/api/v2/trading</code>, in
JSON arrays.</p>${textHtml(TALKING)}
<p>${markedText(RULES)}</p>${tableHtml(["Method", "Args", "Answer"], METHODS.map(methodCells))}
<p>${markedText(BULKS)}</p>
<h4>Records</h4>${rowsHtml(["Record", "Meaning"], TUPLES)}
<h4>Events</h4><p>${
  markedText(
    "`[3, name, args, sequence]` of public streams, `[4, name, args, sequence]` of " +
      "private ones; the sequence is the stream's. Under the older names of the path, " +
      "`/api/v2/open_finance` and `/api/v2/finex`, no frame has an element behind its args, and " +
      "`cancel_order` is answered `[]`.",
  )
}</p>${rowsHtml(["Event", "Args"], EVENTS)}</section>`;

function methodCells([name, args, answer]: (typeof METHODS)[number]): string[] {
  return [markedText(`\`${name}\``), markedText(args), markedText(answer)];
}
