import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RpcClient } from "../../support/rpc_client.ts";
import { type ServedVenue, withServedVenue } from "../../support/served_venue.ts";

const BUY = ["btcusdt", "l", "buy", "1", "100"];
const RESULT = { response: "result" };

function withAlice(
  test: (alice: RpcClient, served: ServedVenue) => Promise<void>,
  path?: string,
): Promise<void> {
  return withServedVenue(async (served) => {
    await test(await RpcClient.open(served, "alice", path), served);
    assertEquals(served.venue.unexpected, []);
  });
}

describe("an order over a socket that asks for its result", () => {
  it("is answered with its uuid, the order and its trades, as they are read", () =>
    withAlice(async (alice, { venue }) => {
      await venue.order("bob", { side: "sell", amount: "0.4" });
      const [uuid, order, trades] = await alice.call("create_order", [
        ...BUY,
        { ...RESULT, client_order_id: "my-1" },
      ]);
      assertEquals([order[2], order[4], order[8], order[10], order[11]], [
        uuid,
        "w",
        "0.6",
        "0.4",
        1,
      ]);
      assertEquals([order], await alice.call("get_orders", [uuid]));
      assertEquals(trades, await alice.call("get_order_trades", [uuid]));
      assertEquals(trades.length, 1);
    }));

  it("is answered with its present state if it is a repeat", () =>
    withAlice(async (alice, { venue }) => {
      const args = [...BUY, { ...RESULT, client_order_id: "my-1" }];
      const [uuid, first, none] = await alice.call("create_order", args);
      assertEquals([first[4], none], ["w", []]);
      await venue.order("bob", { side: "sell" });
      const [again, order, trades] = await alice.call("create_order", args);
      assertEquals([again, order[4], trades.length], [uuid, "d", 1]);
    }));

  it("has the answer in its place in a bulk", () =>
    withAlice(async (alice, { venue }) => {
      await venue.order("bob", { side: "sell", amount: "0.4" });
      const [plain, told, refused] = await alice.call("create_bulk", [
        [...BUY, { response: "ack" }],
        ["btcusdt", "m", "sell", "0.6", "0", RESULT],
        [...BUY, { response: "all" }],
      ]);
      assertEquals(typeof plain, "string");
      const [uuid, order, trades] = told;
      assertEquals([order[2], order[4], order[10], trades.length], [uuid, "c", "0", 0]);
      assertEquals(order[13], "self_trade");
      assertEquals(refused, "error");
    }));

  it("is refused if it asks for anything else, or at another place", () =>
    withAlice(async (alice) => {
      const unknown = await alice.ask("create_order", [...BUY, { response: "all" }]);
      assertEquals(unknown[3], ["market.order.invalid_response"]);
      assertEquals(unknown[4].details.field, "response");
      const surplus = await alice.refusal("create_order", [...BUY, {}, "result"]);
      assertEquals(surplus, ["server.unexpected_argument"]);
    }));

  it("has the family's records under the older paths", () =>
    withAlice(async (alice, { venue }) => {
      await venue.order("bob", { side: "sell", amount: "0.4" });
      const [uuid, order, trades] = await alice.call("create_order", [...BUY, RESULT]);
      assertEquals([order.length, order[2], trades.length, trades[0].length], [13, uuid, 1, 12]);
    }, "/api/v2/open_finance"));
});
