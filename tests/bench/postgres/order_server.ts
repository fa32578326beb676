/**
 * The HTTP side of the plain venue: checks a call as the venue does, has the database place the
 * order, and answers it.
 *
 *     order_server.ts <settings as JSON>
 */
import postgres from "postgres";
import {
  API_KEY_HEADER,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  verifySignature,
} from "../../../src/edge/callers/signature.ts";
import { KeyedHash } from "../../../src/secrets/keyed_hash.ts";
import { type ClusterAddress, connect } from "./connect.ts";

/** The settings of the server. */
export interface OrderServerSettings {
  readonly address: ClusterAddress;
  /** Number of connections to the database. */
  readonly connections: number;
  readonly port: number;
  readonly nonceWindowMs: number;
  /** Whether orders that do not trade also lock their market. */
  readonly isStrict: boolean;
}

interface Key {
  readonly member: number;
  readonly keyedHash: KeyedHash;
}

interface OrderRow {
  readonly id: string;
  readonly is_buy: boolean;
  readonly price: string;
  readonly amount: string;
  readonly remaining: string;
  readonly state: string;
  readonly created_at: Date;
}

const ORDERS_PATH = "/api/v2/trading/market/orders";
/** The code of `raise exception` without one of its own. */
const RAISED = "P0001";
const DECIMAL = /^\d{1,12}(\.\d{1,16})?$/;

async function main(settings: OrderServerSettings): Promise<void> {
  const server = await OrderServer.open(settings);
  const { port } = settings;
  Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, (request) => server.answer(request));
}

class OrderServer {
  private constructor(
    readonly sql: postgres.Sql,
    readonly keys: ReadonlyMap<string, Key>,
    readonly settings: OrderServerSettings,
  ) {}

  static async open(settings: OrderServerSettings): Promise<OrderServer> {
    const sql = connect(settings.address, settings.connections);
    const rows = await sql<{ kid: string; secret: string; member: number }[]>`
      select kid, secret, member from api_keys`;
    const keys = new Map(rows.map(({ kid, secret, member }) => [
      kid,
      { member, keyedHash: new KeyedHash(secret) },
    ]));
    return new OrderServer(sql, keys, settings);
  }

  async answer(request: Request): Promise<Response> {
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
    if (!/^\d+$/.test(nonce) || age >= this.settings.nonceWindowMs) {
      return refusal(401, "authz.nonce_expired");
    }
    const { market, side, type, price, amount } = await request.json();
    const isWhole = typeof market === "string" && (side === "buy" || side === "sell") &&
      type === "limit" && isPositive(price) && isPositive(amount);
    if (!isWhole) return refusal(422, "market.order.invalid");
    try {
      const [order] = await this.sql<OrderRow[]>`
        select * from place_order(${key.member}, ${nonce}, ${market}, ${side === "buy"},
          ${price}, ${amount}, ${this.settings.isStrict})`;
      return order === undefined ? refusal(500, "server.internal_error") : created(order, market);
    } catch (error) {
      if (!(error instanceof postgres.PostgresError)) throw error;
      if (error.code !== RAISED) return refusal(500, error.message);
      return refusal(error.message === "nonce_already_used" ? 401 : 422, error.message);
    }
  }
}

function isPositive(text: unknown): text is string {
  return typeof text === "string" && DECIMAL.test(text) && Number(text) > 0;
}

function created(order: OrderRow, market: string): Response {
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

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? ""));
