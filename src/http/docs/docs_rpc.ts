/** The section of the reference page on the RPC dialect: orders and streams over one socket. */
import { listHtml, markedText, rowsHtml, tableHtml, textHtml } from "./docs_html.ts";

const TALKING =
  `→ [1,1,"create_order",["btcusdt","l","buy","0.5","30000",{"client_order_id":"my-1"}]]
← [2,1,"create_order",["6c3658d7-aab6-87dd-88b4-8e6c152a93ca"]]
→ [1,2,"create_order",["btcusdt","l","buy","0.5"]]
← [2,2,"error",["market.order.missing_price"],{"details":{"field":"price"}}]
→ [1,3,"list_orders",["btcusdt",1,100,"wait"]]
← [2,3,"list_orders",[["btcusdt",5,"6c3658d7-aab6-87dd-88b4-8e6c152a93ca","buy","w","l","30000",
   "0","0.5","0.5","0",0,1795324329,null,"my-1",null,"gtc",1795324329487,
   1795324329487]]]
→ [1,4,"cancel_order",["uuid","client:my-1"]]
← [2,4,"cancel_order",null]
→ [1,5,"subscribe",["public",["btcusdt.orderbook"]]]
← [3,"btcusdt.obs",[7,[["30100","0.25"]],[["30000","1"]]],7,61,true]
← [2,5,"subscribe",["public",["btcusdt.orderbook"]]]
← [3,"btcusdt.obi",[8,"bids",["30000",""]],8,64,true]`;

const RULES = [
  "A request is `[1, id, method, args]`. Its response is `[2, id, method, args]` or " +
  '`[2, id, "error", identifiers]`, with the same identifiers as over HTTP; further details ' +
  "follow in an object.",
  "The id is a whole number or a string of up to 64 characters. Responses arrive as they become " +
  "known, not in the order of the requests.",
  "Requests that place or cancel orders or set timers are decided in the order in which the socket " +
  "sent them, whatever names they use, and so are the items of a bulk request; none waits for the " +
  "response to another. Those that only read are not ordered: one shows what is durable when it is " +
  "answered, so await the response to a write before you read what came of it.",
  "Amounts and prices are strings or numbers, which are read exactly as written.",
  "Await the responses before you close. A request right before a close frame is carried out, but " +
  "its response can't be sent any more; one right before the end of the connection, without a " +
  "close frame, may never be read. By its client order id you can tell.",
  "The socket is opened with the headers of a signed request, in a session, or by anybody: then a " +
  "key gets it by `login`, once. What is sent behind a log-in waits for it. Requests are not " +
  "signed, but take from the member's rate limit what they cost: 1, or 1 for each item of a bulk, " +
  "or 1 for every 2,048 characters of the frame, whichever is most; `list_orders` and " +
  "`get_order_trades` take 1 more for each 500 orders or trades that they look at, as the same " +
  "reads over HTTP do. There is no `since`: streams " +
  "begin with the current state.",
  "A key needs the scope `read` for private streams and for methods that only read, and `trade` " +
  "for all others.",
  "An unsigned socket only has public streams, and may send 300 requests at once, then 50 a " +
  "second; beyond that it is closed with 1008. So is any socket that is refused that often for " +
  "exceeding a limit.",
  "Limits: 256 unanswered requests of any methods, together up to 4 MiB (unsigned: 64 KiB): " +
  "beyond that `server.rate_limited`, with `limit` and `retry_after`. 16 KiB per frame, and " +
  "256 KiB for `create_bulk`, `cancel_bulk` and `get_orders` (else `server.body_too_large`). 300 " +
  "streams per socket, and names in one request.",
  "Frames are worked on in the order sent, those of different sockets in turn, and long ones one " +
  "at a time; while those of signed sockets wait, others have half of the time.",
];

const BULKS = "The items of a bulk request succeed or fail one by one: a failed item is " +
  '`"error"` in the response, and an object with `failures`, each with `errors` and `index`, ' +
  "follows. In place of a `uuid`, `client:` followed by your own id is accepted.";

const METHODS: readonly (readonly [name: string, args: string, response: string])[] = [
  [
    "create_order",
    "`[market, type, side, amount, price, fields?]`",
    "The order's `[uuid]`, once the venue has accepted it; its first event may come before. With " +
    '`{"response": "result"}` among the fields `[uuid, order, trades]`: what has become of it in ' +
    "its own commit, as over HTTP. " +
    "`type` is a letter or the word; `fields` is an object with all other fields, such as " +
    "`trigger_price` or `client_order_id`, but none that has a place before it. The price of a " +
    "market or stop order is ignored.",
  ],
  [
    "create_bulk",
    "`[[market, type, side, amount, price, fields?], …]`",
    'Each order\'s uuid, or `"error"`; `[uuid, order, trades]` for one that asks for its result.',
  ],
  [
    "cancel_order",
    '`["id" or "uuid", value]`, `["market", market, side?]` or `["all", side?]`',
    "`null`, once done. With a side, only the orders of that side; a side must not be `null`.",
  ],
  ["cancel_bulk", '`["id" or "uuid", [value, …]]`', 'Each value again, or `"error"`.'],
  [
    "list_orders",
    "`[market?, page?, limit?, state?]`",
    "Orders, newest first. `state` is a word; without it, those in any state if a page is given, " +
    'else the open ones, up to 1,000. Leave out an argument with `null`, `""` or 0.',
  ],
  ["get_orders", "`[uuid, …]`", "Those of the orders that are yours."],
  ["get_order_trades", "`[uuid]`", "The order's trades."],
  [
    "cancel_all_after",
    "`[seconds]`",
    "`[now, time or null]`. Sets the key's cancel timer, as over HTTP; 0 clears it.",
  ],
  [
    "login",
    "`[access key, nonce, signature, body signature?]`",
    "`[uid]`, on a socket that nobody has yet: what the headers of a signed handshake would be. " +
    "Refused as that would be; after five refusals the socket is closed with 1008.",
  ],
  [
    "subscribe",
    '`["public" or "private", [stream, …]]`',
    "The same, with all current subscriptions; a stream subscribed to again starts over. " +
    "Public: `{market}.orderbook`, `{market}.bbo`, `{market}.trades`, `{market}.kline-{period}`, " +
    "`tickers`, `status`. Private: `orders`, `trades`, `balances`.",
  ],
  [
    "unsubscribe",
    '`["public" or "private", [stream, …]]`',
    "The same, with the remaining subscriptions.",
  ],
];

const TUPLES: readonly (readonly [name: string, content: string])[] = [
  [
    "order",
    "`[market, id, uuid, side, state, type, price, average price, remaining volume, original " +
    "volume, executed volume, number of trades, time of creation, reason, client order id, " +
    "trigger price, time in force, time of creation in ms, time of the last change in ms]`. The " +
    "reason, the client order id and the trigger price may be `null`, as is the reason of an " +
    "order that its member has cancelled.",
  ],
  ["type", "`l` limit, `m` market, `p` post_only, `s` stop, `sl` stop_limit, `f` fill_or_kill."],
  ["state", "`p` pending, `w` wait, `d` done, `c` cancel, `r` reject, `t` trigger_wait."],
  [
    "own trade",
    "`[market, id, price, amount, total, order id, order uuid, order side, taker side, fee, fee " +
    "currency, time, client order id, liquidity, time in ms]`.",
  ],
  ["balance", "`[currency, available, locked]`."],
];

const EVENTS: readonly (readonly [name: string, args: string])[] = [
  [
    "{market}.obs",
    "Snapshot of the order book: `[sequence, asks, bids]`, with levels as `[price, volume]`.",
  ],
  [
    "{market}.obi",
    'Changed level: `[sequence, "asks" or "bids", [price, volume]]`; volume `""` removes it.',
  ],
  ["{market}.bbo", "Best `[bid, ask]`, each `[price, volume]` or `null`."],
  ["trade", "`[market, id, price, amount, time, taker side, time in ms]`."],
  [
    "kline.{period}.{market}",
    "`[time, open, high, low, close, volume, average price]`.",
  ],
  ["tickers", "Per market `[market, time, open, high, low, close, volume, average price]`."],
  [
    "status",
    "`[state, trading, withdrawals, [[market, state], …], [[currency, deposits, withdrawals], …], " +
    "time]`, with booleans for what is on. A currency that lives on networks ends with " +
    "`[[network, deposits, withdrawals], …]`.",
  ],
  [
    "os, on, ou, oc, or",
    "Private. An order: as it stands on subscribing, new, updated, cancelled, rejected.",
  ],
  ["tr", "Private. An own trade."],
  ["bu", "Private. All balances, whenever an event concerns any."],
  ["systemEvent", 'Private. `["authenticated", uid]`, right after the socket opens.'],
];

const ERRORS: readonly (readonly [identifier: string, meaning: string])[] = [
  ["server.method.invalid_message_body", "The frame is not a request; the id may be `null`."],
  ["server.method_not_allowed", "There is no such method."],
  [
    "server.unexpected_argument",
    "An argument too many or in the wrong place: nothing happens, and `field` in `details` names " +
    "the place, as `args.6` the seventh argument, `args.0.6` that of the first order of a bulk, " +
    "and `4` what follows the arguments.",
  ],
  ["server.unknown_field", "Also: an option of an order that there is not."],
  ["server.rate_limited", "Also: too many unanswered requests."],
  ["server.body_too_large", "A frame of a request without items is longer than 16 KiB."],
  [
    "server.unavailable",
    "Also: some of the streams cannot start now, and are not subscribed to; ask again for all.",
  ],
  ["authz.invalid_session", "Not without a key or session."],
  ["stream.already_logged_in", "A log-in where somebody has the socket already."],
  ["market.order.invalid_mode", "The first argument of a cancel is none of those above."],
  ["market.order.missing_market", "A cancel of a market does not name it."],
  ["stream.invalid_access", "Neither `public` nor `private`."],
  ["stream.invalid_streams", "Not a list of names."],
  [
    "stream.doesnt_exist",
    "Some of the streams do not exist, all of which are named; nothing changes.",
  ],
  [
    "stream.too_many_streams",
    "The socket has no room for all of the streams; or the request has more than 300 names, and " +
    "nothing changes.",
  ],
];

/** Anchor of the section. */
export const RPC_ANCHOR = "orders-over-a-socket";

/** HTML of the section. */
export const RPC_HTML =
  `<section class="operation" id="${RPC_ANCHOR}"><h3>Orders over a websocket</h3>
<p class="note">Orders, timers and streams on one websocket at <code>/api/v2/trading</code>, as
JSON arrays.</p>${textHtml(TALKING)}
${listHtml(RULES)}${tableHtml(["Method", "Args", "Response"], METHODS.map(methodCells))}
<p>${markedText(BULKS)}</p>
<h4>Errors besides those over HTTP</h4>${rowsHtml(["Error", "Meaning"], ERRORS)}
<h4>Records</h4>${rowsHtml(["Record", "Content"], TUPLES)}
<h4>Events</h4><p>${
    markedText(
      "`[3, name, args, sequence]` for public streams, `[4, name, args, sequence, event]` for " +
        "private ones, with the stream's sequence and the number of the event in the venue's log. " +
        "Those of books have that number too, and then `true` where the book is whole after them. " +
        "Under the older paths, `/api/v2/open_finance` and `/api/v2/finex`, frames have no element " +
        "after their args, orders end with their time of creation, or with the reason if they are " +
        "rejected, own trades with their time, others with the taker's side, and the response to `cancel_order` is `[]`. Of one " +
        "event first come its trades, then orders, then balances.",
    )
  }</p>${rowsHtml(["Event", "Args"], EVENTS)}</section>`;

function methodCells([name, args, response]: (typeof METHODS)[number]): string[] {
  return [markedText(`\`${name}\``), markedText(args), markedText(response)];
}
