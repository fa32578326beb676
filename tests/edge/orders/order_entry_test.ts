import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  cancelNamedOrder,
  placeOrders,
  type Trader,
} from "../../../src/edge/orders/order_entry.ts";
import { OrderOutcomeUnknownError } from "../../../src/edge/errors.ts";
import type { OrderRequest } from "../../../src/domain/command.ts";
import {
  OutcomeUnknownError,
  UnavailableError,
  UnreadableError,
} from "../../../src/engine/engine.ts";
import { withVenue } from "../../support/with_venue.ts";

/** Places orders with these names that have an unknown outcome under the ids from 1 on. */
async function lost(...clientOrderIds: string[]): Promise<OrderOutcomeUnknownError> {
  const ids = clientOrderIds.map((_, i) => i + 1);
  const trader = {
    caller: { member: 1 },
    submit: () => Promise.reject(new OutcomeUnknownError(ids)),
  } as unknown as Trader;
  const orders = clientOrderIds.map((clientOrderId) => ({ clientOrderId }) as OrderRequest);
  const placing = placeOrders(trader, orders, "single", () => null);
  return await assertRejects(() => placing, OrderOutcomeUnknownError);
}

describe("an order whose outcome is unknown", () => {
  it("is named by its client order id, else by its uuid, which may go to another", async () => {
    const { clientOrderIds, orderIds } = await lost("a", "", "c");
    assertEquals([clientOrderIds, orderIds], [["a", "c"], [2]]);
  });
});

describe("a cancel whose outcome is unknown", () => {
  it("is named by its order, and an unavailable venue stays so", () =>
    withVenue(async (venue) => {
      const { id, uuid } = (await venue.order("alice", { client_order_id: "my-1" })).body;
      const { engine } = venue;
      const member = engine.venue.keyByKid.get("demo-alice")?.key.member ?? -1;
      const cancel = (name: string, error: Error) => {
        const submit = () => Promise.reject(error);
        const trader: Trader = { engine, caller: { member }, submit };
        return cancelNamedOrder(trader, name, ["id", "uuid", "client"], () => null);
      };
      const namesOf = async (name: string) => {
        // The ids are those of the lost batch; a cancel has placed no order.
        const lost = () => cancel(name, new OutcomeUnknownError([]));
        const { orderIds, clientOrderIds } = await assertRejects(lost, OrderOutcomeUnknownError);
        return [orderIds, clientOrderIds];
      };
      assertEquals(await namesOf(`${id}`), [[id], []]);
      assertEquals(await namesOf(uuid), [[id], []]);
      assertEquals(await namesOf("client:my-1"), [[], ["my-1"]]);
      // The id belongs to no order, so there is nothing to ask by.
      assertEquals(await namesOf("00000000-0000-8000-8000-000000000000"), [[], []]);
      await assertRejects(() => cancel(`${id}`, new UnavailableError("away")), UnavailableError);
    }));
});

describe("a write whose answer can't be read", () => {
  it("names its order as an unknown outcome does", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      const { uuid } = (await venue.order("alice")).body;
      const named = { client_order_id: "my-1" };
      await venue.order("alice", named);
      const unread = () => Promise.reject(new UnreadableError("away"));
      const errors = ["server.outcome_unknown"];
      Object.assign(engine, { order: unread });
      const repeated = await venue.order("alice", named);
      assertEquals([repeated.status, repeated.body], [504, { errors, ...named }]);
      const bulk = await venue.post("alice", "/api/v2/trading/market/bulk/orders", [
        { market: "btcusdt", side: "buy", type: "limit", amount: "1", price: "100", ...named },
        { market: "btcusdt", side: "buy", type: "limit", amount: "1", price: "98" },
      ]);
      const { id } = [...engine.venue.orders.values()].at(-1) ?? { id: -1 };
      const body = { errors, uuid: engine.uuidOf(id), ...named };
      assertEquals([bulk.status, bulk.body], [504, body]);
      const cancelled = await venue.post("alice", `/api/v2/trading/market/orders/cancel/${uuid}`);
      assertEquals([cancelled.status, cancelled.body], [504, { errors, uuid }]);
    }));
});
