import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { placeOrders, type Trader } from "../../src/api/order_entry.ts";
import { OrderOutcomeUnknownError } from "../../src/api/errors.ts";
import type { OrderRequest } from "../../src/domain/command.ts";
import { OutcomeUnknownError } from "../../src/engine/engine.ts";

/** Places orders of these names, of which nobody knows whether they landed under ids from 1 on. */
async function lost(...clientOrderIds: string[]): Promise<OrderOutcomeUnknownError> {
  const ids = clientOrderIds.map((_, i) => i + 1);
  const trader = {
    caller: { member: 1 },
    services: { ordersPerBulkMax: 100 },
    submit: () => Promise.reject(new OutcomeUnknownError(ids)),
  } as unknown as Trader;
  const orders = clientOrderIds.map((clientOrderId) => ({ clientOrderId }) as OrderRequest);
  const placing = placeOrders(trader, orders, "single", () => null);
  return await assertRejects(() => placing, OrderOutcomeUnknownError);
}

describe("an order whose outcome is unknown", () => {
  it("is named by its client order id, else by its uuid, which another may get if it was lost", async () => {
    const { clientOrderIds, orderIds } = await lost("a", "", "c");
    assertEquals([clientOrderIds, orderIds], [["a", "c"], [2]]);
  });
});
