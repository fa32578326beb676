/** The HTTP side that the venues on PostgreSQL share: checks a call as the venue does. */
import type { Sql } from "postgres";
import {
  API_KEY_HEADER,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  verifySignature,
} from "../../../src/edge/callers/signature.ts";
import { KeyedHash } from "../../../src/secrets/keyed_hash.ts";
import type { ClusterAddress } from "./connect.ts";

/** The settings of a server, which it gets as JSON on its command line. */
export interface OrderServerSettings {
  readonly address: ClusterAddress;
  /** Number of connections to the database, where it takes more than one. */
  readonly connections: number;
  readonly port: number;
  readonly nonceWindowMs: number;
  /** Whether orders that do not trade also lock their market, where the database has locks. */
  readonly isStrict: boolean;
}

/** An order that is asked for by a valid call; price and amount are positive decimals. */
export interface AskedOrder {
  readonly member: number;
  /** Only digits. */
  readonly nonce: string;
  readonly market: string;
  readonly isBuy: boolean;
  readonly price: string;
  readonly amount: string;
}

/** An order as it is answered. */
export interface PlacedOrder {
  readonly id: string | number;
  readonly is_buy: boolean;
  readonly price: string;
  readonly amount: string;
  readonly remaining: string;
  readonly state: string;
  readonly created_at: Date;
}

interface Key {
  readonly member: number;
  readonly keyedHash: KeyedHash;
}

const ORDERS_PATH = "/api/v2/trading/market/orders";
const DECIMAL = /^\d{1,12}(\.\d{1,16})?$/;

/** Answers signed calls that place orders. */
export class SignedOrders {
  private constructor(
    readonly keys: ReadonlyMap<string, Key>,
    readonly nonceWindowMs: number,
  ) {}

  /** Reads all keys. */
  static async open(sql: Sql, nonceWindowMs: number): Promise<SignedOrders> {
    const rows = await sql<{ kid: string; secret: string; member: number }[]>`
      select kid, secret, member from api_keys`;
    const keys = new Map(rows.map(({ kid, secret, member }) => [
      kid,
      { member, keyedHash: new KeyedHash(secret) },
    ]));
    return new SignedOrders(keys, nonceWindowMs);
  }

  /** Answers requests at the port, with what `place` makes of their orders: a text refuses one. */
  serve(port: number, place: (asked: AskedOrder) => Promise<PlacedOrder | string>): void {
    Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, async (request) => {
      const asked = await this.#read(request);
      if (asked instanceof Response) return asked;
      const placed = await place(asked);
      if (typeof placed !== "string") return created(placed, asked.market);
      return refusal(placed === "nonce_already_used" ? 401 : 422, placed);
    });
  }

  /** Returns the order, or the refusal of a wrong call. */
  async #read(request: Request): Promise<AskedOrder | Response> {
    const { method, url, headers } = request;
    if (method !== "POST" || !url.endsWith(ORDERS_PATH)) return refusal(404, "route.not_found");
    const kid = headers.get(API_KEY_HEADER) ?? "";
    const nonce = headers.get(NONCE_HEADER) ?? "";
    const key = this.keys.get(kid);
    const signature = headers.get(SIGNATURE_HEADER) ?? "";
    if (key === undefined || !verifySignature(key.keyedHash, nonce, kid, signature)) {
      return refusal(401, "authz.invalid_signature");
    }
    const age = Math.abs(Date.now() - Number(nonce));
    if (!/^\d+$/.test(nonce) || age >= this.nonceWindowMs) {
      return refusal(401, "authz.nonce_expired");
    }
    const { market, side, type, price, amount } = await request.json();
    const isWhole = typeof market === "string" && (side === "buy" || side === "sell") &&
      type === "limit" && isPositive(price) && isPositive(amount);
    if (!isWhole) return refusal(422, "market.order.invalid");
    return { member: key.member, nonce, market, isBuy: side === "buy", price, amount };
  }
}

function isPositive(text: unknown): text is string {
  return typeof text === "string" && DECIMAL.test(text) && Number(text) > 0;
}

function created(order: PlacedOrder, market: string): Response {
  const { id, price, amount, remaining, state } = order;
  const body = {
    id: Number(id),
    market,
    side: order.is_buy ? "buy" : "sell",
    type: "limit",
    price,
    origin_volume: amount,
    remaining_volume: remaining,
    state,
    created_at: order.created_at.toISOString(),
  };
  return Response.json(body, { status: 201 });
}

function refusal(status: number, error: string): Response {
  return Response.json({ errors: [error] }, { status });
}
