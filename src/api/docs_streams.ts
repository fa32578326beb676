/** What the reference page says of streams: the contract's format has no place for them. */
import { markedText, rowsHtml, textHtml } from "./docs_html.ts";
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
← {"btcusdt.ob-snap":{"asks":[["105.0","0.5"]],"bids":[["101.0","2.0"]],"sequence":7},"sequence":7}
← {"success":{"message":"subscribed","streams":["btcusdt.ob-inc"]}}
← {"btcusdt.ob-inc":{"bids":["101.0","2.25"],"sequence":8},"sequence":8}
→ {"event":"unsubscribe","streams":["btcusdt.ob-inc"]}
← {"success":{"message":"unsubscribed","streams":[]}}
→ ping
← pong`;

const STREAMS: readonly (readonly [name: string, meaning: string])[] = [
  [
    "{market}.ob-inc",
    "The book: up to 300 levels a side as `{market}.ob-snap`, best first, then one changed level " +
    "a message; volume `0` takes the level away. Connect again where a sequence is missing.",
  ],
  [
    "{market}.ob-levels",
    "The same book, but all levels that have changed in one message, as " +
    '`{"asks": [[price, volume], …], "bids": […]}`: cheaper to read where the book is busy.',
  ],
  ["{market}.trades", 'Every trade, as `{"trades": [{tid, taker_type, date, …}]}`.'],
  [
    "{market}.kline-{period}",
    "The current candle as `[time, open, high, low, close, volume]` when it changes, at most " +
    "every 2 s, and its last form; periods `1m 5m 15m 30m 1h 2h 4h 6h 12h 1d 3d 1w`, in UTC, " +
    "weeks from Thursday on.",
  ],
  ["global.tickers", "All markets, at most once a second on a change, at least every 5 s."],
  ["order", "Private: every state of every order; begins with the open orders, one a message."],
  ["trade", "Private: every fill, with its fee and liquidity."],
  ["balances, balance", "Private: what has changed, as one map or account by account."],
  ["deposit_address", "Private: addresses that were made."],
];

const RULES = "Every message has a `sequence`, contiguous for each stream. Decimals are texts as " +
  'backend calls answer them, `"101.0"`; candles have numbers. ' +
  "Subscribing to a stream that one has sends what it begins with once more. " +
  "Connecting to a private path needs a key that may read, or a session from the venue's own " +
  "pages; a refused handshake is answered like any call. Private streams go on where a client " +
  "left with `since=12`, or `since=order:12,trade:7` for several; else they begin with how things " +
  "stand, in messages with `snapshot: true` under the number of the last one, and the answer to " +
  "subscribing, which comes behind them, has `sequences` by stream: who is cut off before it comes " +
  "back without `since`. With `checksum=crc32` each " +
  "message of a book carries `checksum`: CRC32 of the ten best asks, then the ten best bids, " +
  "best first, each as `price:volume` in the texts of the messages, all joined with `:`. " +
  "Frames of clients have at most 4 KiB; 300 may come at once, then 50 a second, and 300 be " +
  "unanswered; 300 streams a socket, 10 sockets a key or session.";

const GUARDS = "A key that may trade can hang the member's orders on its socket: opened with " +
  "`cancel_on_disconnect=true`, at a private path or at `/api/v2/trading`, it takes all open " +
  "orders with it (reject_reason `disconnected`), a second after it has ended, whoever ended it " +
  "and whatever other sockets the key has; some 20 s later where the network or the venue's " +
  "process has died. Until then orders may still trade.";

const CODES: readonly (readonly [code: string, meaning: string])[] = [
  ["1003, 1009", "A frame that holds no text, or too much."],
  ["1008", "Too many requests."],
  ["1011", "A fault of the venue: connect again."],
  ["1012", "The venue restarts: connect again."],
  ["4001", "The key, session or member may not read any more."],
  ["4008", "The client was too slow to read what was sent."],
];

/** Anchor of the section. */
export const STREAMS_ANCHOR = "streams";

/** The section. */
export function streamsHtml(shown: ShownVenue): string {
  return `<section class="operation" id="${STREAMS_ANCHOR}"><h3>Streams</h3>
<p class="note">Websockets that push what happens, at <code>/api/v2/stream/public</code> and
<code>/api/v2/stream/private</code>.</p>${textHtml(connecting(shown))}${
    textHtml(signingIn(shown))
  }${textHtml(TALKING)}
<p>${markedText(RULES)}</p>
<p>${markedText(GUARDS)}</p>${rowsHtml(["Stream", "Meaning"], STREAMS)}
<h4>Codes of closing</h4>${rowsHtml(["Code", "Meaning"], CODES)}</section>`;
}
