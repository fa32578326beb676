/**
 * The plain venue's program: has the database place each order.
 *
 *     order_server.ts <settings as JSON>
 */
import postgres from "postgres";
import { connect } from "./connect.ts";
import {
  type AskedOrder,
  type OrderServerSettings,
  type PlacedOrder,
  SignedOrders,
} from "./signed_orders.ts";

/** The code of `raise exception` without one of its own. */
const RAISED = "P0001";

async function main(settings: OrderServerSettings): Promise<void> {
  const sql = connect(settings.address, settings.connections);
  const orders = await SignedOrders.open(sql, settings.nonceWindowMs);
  orders.serve(settings.port, (asked) => place(sql, asked, settings.isStrict));
}

async function place(
  sql: postgres.Sql,
  { member, nonce, market, isBuy, price, amount }: AskedOrder,
  isStrict: boolean,
): Promise<PlacedOrder | string> {
  try {
    const [order] = await sql<PlacedOrder[]>`
      select * from place_order(${member}, ${nonce}, ${market}, ${isBuy}, ${price}, ${amount},
        ${isStrict})`;
    if (order === undefined) throw new Error("An order that is not refused is returned");
    return order;
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== RAISED) throw error;
    return error.message;
  }
}

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? ""));
