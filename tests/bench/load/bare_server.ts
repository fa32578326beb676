/**
 * An application that takes a signed order and does nothing with it: what any on Hono costs that
 * checks signature and fields. Listens at `PORT` of this machine.
 */
import { Hono } from "hono";
import * as z from "zod";
import {
  API_KEY_HEADER,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  verifySignature,
} from "../../../src/edge/callers/signature.ts";
import { KeyedHash } from "../../../src/secrets/keyed_hash.ts";

const decimal = z.string().regex(/^\d{1,12}(\.\d{1,16})?$/);
/** What the load sends. */
const ORDER = z.object({
  market: z.string().max(20),
  side: z.enum(["buy", "sell"]),
  type: z.literal("limit"),
  price: decimal,
  amount: decimal,
});

if (import.meta.main) main(Number(Deno.env.get("PORT")));

function main(port: number): void {
  const app = new Hono();
  app.get("/api/v2/backend/public/health/ready", (context) => context.body(null));
  app.post("/api/v2/trading/market/orders", async (context) => {
    const { req } = context;
    const kid = req.header(API_KEY_HEADER) ?? "";
    const nonce = req.header(NONCE_HEADER) ?? "";
    const signature = req.header(SIGNATURE_HEADER) ?? "";
    if (!verifySignature(keyedHashOf(kid), nonce, kid, signature)) {
      return context.json({ errors: ["authz.invalid_signature"] }, 401);
    }
    const order = ORDER.safeParse(await req.json());
    if (!order.success) return context.json({ errors: ["market.order.invalid"] }, 422);
    return context.json(answerOf(order.data), 201);
  });
  Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, app.fetch);
}

const keyedHashes = new Map<string, KeyedHash>();

/** Each key's secret is the key itself. */
function keyedHashOf(kid: string): KeyedHash {
  let keyedHash = keyedHashes.get(kid);
  if (keyedHash === undefined) keyedHashes.set(kid, keyedHash = new KeyedHash(kid));
  return keyedHash;
}

let lastId = 0;

/** Returns an answer with the fields of the venue's, and as long. */
function answerOf({ market, side, type, price, amount }: z.infer<typeof ORDER>) {
  const ms = Date.now();
  const seconds = Math.floor(ms / 1000);
  return {
    uuid: "400ecdec-9694-8e3a-997b-f59c3048cf81",
    side,
    type,
    market_id: market,
    volume: amount,
    price,
    state: "pending",
    created_at: seconds,
    id: ++lastId,
    market,
    ord_type: type,
    avg_price: "0",
    updated_at: seconds,
    created_at_ms: ms,
    updated_at_ms: ms,
    origin_volume: amount,
    remaining_volume: amount,
    executed_volume: "0",
    executed_total: "0",
    fees: {},
    maker_fee: "0.002",
    taker_fee: "0.002",
    trades_count: 0,
    time_in_force: "gtc",
    trigger_price: null,
    self_trade_prevention: "cancel_newest",
    client_order_id: null,
    reject_reason: null,
  };
}
