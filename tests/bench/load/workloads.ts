/** The requests of the runs: orders, bulks, cancels and reads. */
import type { Load } from "./load_run.ts";
import { type KeySigner, type NonceRanges, PresignedRequests } from "./presigned.ts";
import { MARKETS } from "./venue_setup.ts";

/** Orders per bulk request: the specification's default limit. */
export const ORDERS_PER_BULK = 100;

const TRADING = "/api/v2/trading/market";
const MIDDLE_TICKS = 30_000;
const TICKS_PER_UNIT = 100;
const PRICE_LEVELS = 400;
const TRADING_SHARE = 0.2;
const LOTS_PER_UNIT = 1_000_000;
const LOTS_MIN = 10_000;
const LOTS_SPREAD = 10_000;

/** Signers, and the nonces they may use. */
export interface Signers {
  readonly signers: readonly KeySigner[];
  readonly nonces: NonceRanges;
}

/** A reproducible stream of numbers in [0, 1): runs with the same seed send the same orders. */
export class RandomStream {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns the next number (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }
}

/**
 * Returns the JSON of a limit order. About one in five crosses the whole book, and takes from the
 * best order or two; the others rest.
 */
export function randomOrder(random: RandomStream): string {
  const market = MARKETS[random.below(MARKETS.length)] ?? MARKETS[0];
  const side = random.next() < 0.5 ? "buy" : "sell";
  if (random.next() >= TRADING_SHARE) return restingOrder(random, market, side);
  const ticks = MIDDLE_TICKS + (side === "buy" ? PRICE_LEVELS : -PRICE_LEVELS);
  return limitOrder(market, side, ticks, LOTS_MIN);
}

/** Returns the JSON of a limit order that does not trade with others of its kind. */
export function restingOrder(random: RandomStream, market: string, side: "buy" | "sell"): string {
  const distance = 1 + random.below(PRICE_LEVELS);
  const ticks = MIDDLE_TICKS + (side === "buy" ? -distance : distance);
  return limitOrder(market, side, ticks, LOTS_MIN + random.below(LOTS_SPREAD));
}

/** Returns the JSON of a limit order at the middle price, which trades with the other side's. */
export function meetingOrder(random: RandomStream, market: string, side: "buy" | "sell"): string {
  return limitOrder(market, side, MIDDLE_TICKS, LOTS_MIN + random.below(LOTS_SPREAD));
}

/** T4: one order per request, to be sent for `seconds`. */
export function orderLoad(by: Signers, count: number, seed: number, seconds = 0): Load {
  const random = new RandomStream(seed);
  const request = () => ({ line: `POST ${TRADING}/orders`, body: randomOrder(random) });
  return signedLoad(by, count, 201, request, seconds);
}

/** T4 with as many orders open at its end as at its start, by {@linkcode pairedOrder}. */
export function meetingLoad(by: Signers, count: number, seconds: number): Load {
  const request = (index: number) => ({ line: `POST ${TRADING}/orders`, body: pairedOrder(index) });
  return signedLoad(by, count, 201, request, seconds);
}

/** Returns the JSON of a limit order: every second one trades with the one before it in its market. */
export function pairedOrder(index: number): string {
  const market = MARKETS[index % MARKETS.length] ?? MARKETS[0];
  const side = Math.floor(index / MARKETS.length) % 2 === 0 ? "buy" : "sell";
  return limitOrder(market, side, MIDDLE_TICKS, LOTS_MIN);
}

/** T5: a hundred orders of {@linkcode orderLoad} per request, to be sent for `seconds`. */
export function bulkLoad(by: Signers, count: number, seed: number, seconds = 0): Load {
  const random = new RandomStream(seed);
  const request = () => ({
    line: `POST ${TRADING}/bulk/orders`,
    body: bulkOf(() => randomOrder(random)),
  });
  return signedLoad(by, count, 201, request, seconds);
}

/** T5 with orders that rest; market and side change from round to round of the members. */
export function restingBulkLoad(by: Signers, count: number, seed: number): Load {
  const random = new RandomStream(seed);
  return signedLoad(by, count, 201, (index) => {
    const round = Math.floor(index / by.signers.length);
    const market = MARKETS[round % MARKETS.length] ?? MARKETS[0];
    const side = index % 2 === 0 ? "buy" : "sell";
    return {
      line: `POST ${TRADING}/bulk/orders`,
      body: bulkOf(() => restingOrder(random, market, side)),
    };
  });
}

/** T2 by id; `ids[m]` are the orders of member `m`, equally many for each. */
export function cancelLoad(by: Signers, ids: readonly (readonly number[])[]): Load {
  const members = by.signers.length;
  const count = members * Math.min(...ids.map((own) => own.length));
  return signedLoad(by, count, 201, (index) => {
    const id = ids[index % members]?.[Math.floor(index / members)];
    return { line: `POST ${TRADING}/orders/cancel/${id}`, body: "" };
  });
}

/** T3: each member cancels all open orders. */
export function cancelAllLoad(by: Signers): Load {
  return signedLoad(by, by.signers.length, 200, () => ({
    line: `POST ${TRADING}/orders/cancel`,
    body: "{}",
  }));
}

/** T8: the first page of each member's orders. */
export function ordersPageLoad(by: Signers, count: number): Load {
  return signedLoad(
    by,
    count,
    200,
    () => ({ line: "GET /api/v2/backend/market/orders", body: "" }),
  );
}

/** M5, unsigned. */
export function depthLoad(count: number): Load {
  return readLoad(MARKETS.map((market) => `/api/v2/backend/public/markets/${market}/depth`), count);
}

/** Unsigned reads of some paths in turn. */
export function readLoad(paths: readonly string[], count: number): Load {
  const encoder = new TextEncoder();
  const requests = paths.map((path) =>
    encoder.encode(`GET ${path} HTTP/1.1\r\nHost: venue\r\n\r\n`)
  );
  const write = (buffer: Uint8Array, index: number) => {
    const request = requests[index % requests.length] ?? new Uint8Array();
    buffer.set(request);
    return request.length;
  };
  return { write, count, accepted: 200 };
}

/**
 * Creates a load of presigned requests, with nonces around the middle of the time that they are
 * sent in.
 */
export function signedLoad(
  by: Signers,
  count: number,
  accepted: number,
  request: (index: number) => { line: string; body: string },
  seconds = 0,
): Load {
  const signed = new PresignedRequests(by.signers, count, by.nonces, seconds * 500);
  const write = (buffer: Uint8Array, index: number) => {
    const { line, body } = request(index);
    return signed.writeInto(buffer, index, line, body);
  };
  return { write, count, accepted };
}

/** Returns the JSON of a bulk of orders. */
export function bulkOf(order: (place: number) => string): string {
  return `[${Array.from({ length: ORDERS_PER_BULK }, (_, place) => order(place)).join(",")}]`;
}

/** Returns the JSON of a limit order; price and volume are given in ticks and lots. */
export function limitOrder(market: string, side: string, ticks: number, lots: number): string {
  const price = (ticks / TICKS_PER_UNIT).toFixed(2);
  const amount = (lots / LOTS_PER_UNIT).toFixed(6);
  return `{"market":"${market}","side":"${side}","type":"limit","price":"${price}","amount":"${amount}"}`;
}
