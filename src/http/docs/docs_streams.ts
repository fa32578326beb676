/** The section of the reference page on streams, which OpenAPI cannot describe. */
import { listHtml, rowsHtml, textHtml } from "./docs_html.ts";
import { messagesHtml } from "./docs_messages.ts";
import { type ShownVenue, signingLines } from "./docs_signing.ts";

function connecting({ origin }: ShownVenue): string {
  return `URL=${socketOrigin(origin)}/api/v2/stream
websocat "$URL/public?stream=btcusdt.ob-inc,btcusdt.trades"`;
}

function signingIn(shown: ShownVenue): string {
  return `URL=${socketOrigin(shown.origin)}/api/v2/stream
${signingLines(shown)}
websocat "$URL/private?stream=order,balances" \\
  -H "X-Auth-Apikey: $KEY" -H "X-Auth-Nonce: $NONCE" -H "X-Auth-Signature: $SIGNATURE"`;
}

function socketOrigin(origin: string): string {
  return origin.replace(/^http/, "ws");
}

const TALKING = `→ {"event":"subscribe","streams":["btcusdt.ob-inc"]}
← {"btcusdt.ob-snap":{"asks":[["105.0","0.5"]],"bids":[["101.0","2.0"]],"sequence":7},"sequence":7,
   "event":61,"last":true}
← {"success":{"message":"subscribed","streams":["btcusdt.ob-inc"]}}
← {"btcusdt.ob-inc":{"bids":["101.0","2.25"],"sequence":8},"sequence":8,"event":64,"last":true}
→ {"event":"unsubscribe","streams":["btcusdt.ob-inc"]}
← {"success":{"message":"unsubscribed","streams":[]}}
→ ping
← pong`;

const LOGGING_IN =
  `→ {"event":"login","apikey":"demo-alice","nonce":"1795473074000","signature":"2f8c…"}
← {"success":{"message":"logged_in","uid":"ID0000000001","streams":[]}}
→ {"event":"subscribe","streams":["order","btcusdt.trades"]}
→ {"event":"login","apikey":"demo-alice","nonce":"1795473074001","signature":"00"}
← {"error":{"message":"stream.already_logged_in","event":"login",
   "errors":["stream.already_logged_in"]}}`;

const STREAMS: readonly (readonly [name: string, description: string])[] = [
  [
    "{market}.ob-inc",
    "Order book: up to 300 levels per side as `{market}.ob-snap`, best first, then one changed " +
    "level per message; volume `0` removes the level. In a longer book the venue keeps the best " +
    "300: it sends those that drop out with volume `0` and those that move up with theirs, so a " +
    "client never trims. Reconnect if a sequence is missing. `last` is `true` on the last message of " +
    "a push, after which the book is whole: as it was after `event`, the number in the venue's log " +
    "that depths and private messages have too.",
  ],
  [
    "{market}.ob-levels",
    "The same with all changed levels in one message, " +
    '`{"asks": [[price, volume], …], "bids": […]}`: cheaper to read for a busy market. It begins ' +
    "with a `{market}.ob-snap` of its own sequence: take one of the two on a socket, not both.",
  ],
  [
    "{market}.bbo",
    "The best bid and ask, each as `[price, volume]` or `null`: as they are at the subscription, " +
    "then whenever either changes. What comes and goes between two pushes is not told.",
  ],
  [
    "{market}.trades",
    "Every trade, as it happens. The sequence counts the market's trades since the venue's " +
    "process started, whether or not anybody reads: a client that comes back sees by a gap that " +
    "it has missed some, to be read over HTTP, and by a lower sequence that the process is new.",
  ],
  [
    "{market}.kline-{period}",
    "Current candle, `[time, open, high, low, close, volume]`, on change but at most every 2 s, " +
    "and its final form. Periods: `1m 5m 15m 30m 1h 2h 4h 6h 12h 1d 3d 1w`, in UTC; weeks start " +
    "on Thursday.",
  ],
  ["global.tickers", "Tickers of all markets: on change at most once a second, else every 5 s."],
  [
    "global.status",
    "What the venue, its markets and its currencies on their networks take, as `public/status` over HTTP: as it is " +
    "at the subscription, then whole on every change. A halt of trading is told here.",
  ],
  [
    "order",
    "Private. Every state of every order; starts with the open orders, one per message. The " +
    "first message of an order often arrives before the response to the request that placed it: " +
    "recognise it by `client_order_id`.",
  ],
  [
    "trade",
    "Private. Every fill, with its fee and liquidity. A trade with yourself " +
    "(`self_trade_prevention` `none`) comes twice under one id, as the maker's, then as the " +
    "taker's, as in the list of trades.",
  ],
  [
    "deposit",
    "Private. Each state of a deposit, confirmations included, in the shape of the list of " +
    "deposits. Begins with nothing: read the list over HTTP.",
  ],
  [
    "withdraw",
    "Private. Each state of a withdrawal, in the shape of the list of withdrawals, but for `rid` " +
    "and `note`; `beneficiary_id` says where it goes. Begins with nothing.",
  ],
  [
    "balances",
    "Private. All balances, as the list over HTTP has them, whenever an event concerns any. A " +
    "client that has left more than 1 MiB unread gets the last such message only, once it has " +
    "caught up: its `sequence` is then not the next one, but nothing is missing.",
  ],
  ["balance", "Private. The balances that an event concerns, one by one."],
  ["deposit_address", "Private. Newly created addresses."],
];

const RULES = [
  "Every message has a `sequence` that is contiguous within its stream, except in `deposit` and " +
  "`withdraw`: there it is that of `balances` at that event, so it rises with gaps, and `since` may " +
  "be the last sequence of `balances` too.",
  'Decimals are strings as in lists over HTTP, `"101.0"`; candles contain numbers.',
  "What one event does to a member is told as `trade`, then `order`, `deposit` or `withdraw`, then " +
  "`balances` and `balance`, " +
  "whichever of them a socket reads; what is replayed comes in the same order, event by event.",
  "Private messages, except of `deposit_address`, have the number of their `event` in the " +
  "venue's log: it is the same in all of them, and replays of several streams can be merged by " +
  "it. A snapshot has that of the last event that it includes.",
  "Subscribing to a stream again repeats its opening messages.",
  "A stream that cannot start because the venue's store is away ends alone: an `error` names it, " +
  "and the reply's list lacks it. Subscribe to it again.",
  "A private path requires a key with the scope `read`, or a session from the venue's own pages. " +
  "A refused handshake gets the same response as any HTTP request.",
  "A client that can't send headers with its handshake, as in a browser, opens the public path and " +
  "logs in by a message, whose `apikey`, `nonce`, `signature` and, if need be, `body_signature` are " +
  "what the headers of a signed handshake of that very URL would be. From then on the socket is the " +
  "key's: it may read private streams, counts among the key's sockets, takes 1 of the rate limit, " +
  "and ends with the key. A refusal has the identifiers of a refused handshake in `errors`, with " +
  "`details` and `retry_after` where that has them. Nobody logs in twice on a socket, nor where the " +
  "handshake was signed (`stream.already_logged_in`). After five refusals it is closed with 1008.",
  "Private streams resume where a client left off with `since=12`, or " +
  "`since=order:12,trade:7` for several. Without it they start with the current state, in " +
  "messages with `snapshot: true` and the last message's sequence; the reply to the subscription " +
  "follows with `sequences` per stream. A client that is cut off before that reply reconnects " +
  "without `since`.",
  "What was missed, and the open orders that `order` begins with, take 1 of the rate limit for " +
  "each 50 messages. They are never refused for it, but wait until what was spent is refilled.",
  "The handshake of `/api/v2/stream/private` takes `since` for streams that it asks for, once for " +
  "each. A message takes it too: " +
  '`{"event":"subscribe","streams":["order"],"since":{"order":12}}`, where an `error` names what ' +
  "is not asked for or public, beside the success of the others. It goes back 10,000 messages of a " +
  "stream, as long as they are among the last 200,000 events of the venue; beyond that an `error` " +
  "says so, and the current state follows: read what happened in between over HTTP. For `deposit` " +
  "and `withdraw` 10,000 changes of balances are the limit. Of `balances` " +
  "the first may be left out if a stop order was open then that has ended since. " +
  "`deposit_address` keeps nothing: its sequence counts your new addresses since the venue's " +
  "process started, and an `error` tells if there were any after `since`.",
  "Under the older paths, `/api/v2/ranger` and `/api/v2/websocket`, a message to everybody has the " +
  "stream's key alone, as clients of the family know it, without the `sequence` behind it.",
  "With `checksum=crc32`, every order book message has a `checksum`, as a depth has over HTTP if " +
  "asked in the same way: the CRC32 of the ten best asks, then the ten best bids, best first, each " +
  "as `price:volume` exactly as sent, all joined with `:`. That of the asks `100.25` × `1.0` and " +
  "the bids `99.5` × `2.0` is the CRC32 of `100.25:1.0:99.5:2.0`, 3720841938.",
  "A push of a book has every level that has changed since the last one, once, as it is by then; one " +
  "that has come and gone has volume `0`, whether you knew it or not. So a book read over HTTP is " +
  "followed by the messages whose `event` is greater than its own, as the guide for clients says.",
  "Limits: 4 KiB per client frame; bursts of 300 requests, then 50 a second, of 256 characters " +
  "each: a longer one counts as several; 300 unanswered requests, together up to 64 KiB; 300 " +
  "streams per socket; 10 sockets per key or session, and 100 per member; 1,000 unsigned ones per address (IPv6: " +
  "/48). A fifth of the venue's places are for signed callers, who also get that of the unsigned " +
  "socket that was idle the longest.",
  "With `cancel_on_disconnect=true`, at a private path or at `/api/v2/trading`, a key with the " +
  "scope `trade` ties the member's orders to the socket: all open orders are cancelled " +
  "(reject_reason `disconnected`), those on halted markets included, a second after the client " +
  "closes it or its key loses access, whatever other sockets the key has, or about 20 s after " +
  "the network fails. Until then orders may still trade, and those placed meanwhile are " +
  "cancelled too. The key's next such socket opens once those of one that has just closed are " +
  "cancelled.",
  "What the venue itself cuts is not the client's end: after any other close code, and after the " +
  "venue's process or its store has failed, the orders have 20 s, counted anew once a venue of " +
  "one process is back. If the key opens such a socket within that time, it replaces the one " +
  "that was cut, and nothing is cancelled.",
];

const CODES: readonly (readonly [code: string, meaning: string])[] = [
  ["1001", "Pings stayed unanswered for 60 s, or 20 s with `cancel_on_disconnect`: reconnect."],
  ["1003, 1009", "The frame is binary, whatever it holds, or is too large."],
  ["1008", "Too many requests."],
  ["1011", "Internal error: reconnect."],
  ["1012", "The venue is restarting: reconnect."],
  [
    "1013",
    "Unsigned: the place was needed for a signed caller, or no unsigned sockets are admitted for " +
    "now (503 with `Retry-After`). Reconnect later, or sign.",
  ],
  ["4001", "The key, session or member may no longer open the socket."],
  ["4008", "The client read too slowly."],
];

/** Anchor of the section. */
export const STREAMS_ANCHOR = "streams";

/** Returns the section as HTML. */
export function streamsHtml(shown: ShownVenue): string {
  return `<section class="operation" id="${STREAMS_ANCHOR}"><h3>Streams</h3>
<p class="note">Websockets that push events, at <code>/api/v2/stream/public</code> and
<code>/api/v2/stream/private</code>.</p>${textHtml(connecting(shown))}${
    textHtml(signingIn(shown))
  }${textHtml(TALKING)}${textHtml(LOGGING_IN)}
${listHtml(RULES)}${rowsHtml(["Stream", "Description"], STREAMS)}
${messagesHtml()}
<h4>Close codes</h4>${rowsHtml(["Code", "Meaning"], CODES)}</section>`;
}
