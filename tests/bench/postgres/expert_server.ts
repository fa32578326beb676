/**
 * The expert venue's program.
 *
 *     expert_server.ts <settings as JSON>
 */
import { connect } from "./connect.ts";
import { ExpertVenue } from "./expert_venue.ts";
import { type OrderServerSettings, SignedOrders } from "./signed_orders.ts";

async function main({ address, nonceWindowMs, port }: OrderServerSettings): Promise<void> {
  // Otherwise the database plans each flush anew, which takes as long as the flush itself.
  const sql = connect(address, 1, { plan_cache_mode: "force_generic_plan" });
  const orders = await SignedOrders.open(sql, nonceWindowMs);
  const venue = await ExpertVenue.open(sql, nonceWindowMs);
  orders.serve(port, (asked) => venue.place(asked));
}

if (import.meta.main) await main(JSON.parse(Deno.args[0] ?? ""));
