import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";

const BUY = ["btcusdt", "l", "buy", "1", "100"];
const NAMES = ["btcusdt.trades"];
const ORDERS = "/api/v2/backend/market/orders?order_by=asc";

describe("arguments that a method does not have", () => {
  it("are refused by their place, and nothing happens", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      await alice.call("create_order", BUY);
      const refused = [
        ["create_order", [...BUY, {}, "x"], "args.6", "x"],
        ["create_order", [...BUY, { price: "1" }], "args.5.price", "1"],
        ["cancel_order", ["all", "buy", "x"], "args.2", "x"],
        ["cancel_order", ["market", "btcusdt", "buy", ["x"]], "args.3", '["x"]'],
        ["cancel_order", ["uuid", "client:a", "btcusdt"], "args.2", "btcusdt"],
        ["cancel_bulk", ["id", [1], "x"], "args.2", "x"],
        ["list_orders", ["btcusdt", 1, 1, "wait", "buy"], "args.4", "buy"],
        ["get_order_trades", ["client:a", "client:b"], "args.1", "client:b"],
        ["cancel_all_after", [0, 1], "args.1", "1"],
        ["subscribe", ["public", NAMES, "x"], "args.2", "x"],
        ["unsubscribe", ["public", NAMES, "x"], "args.2", "x"],
      ] as const;
      for (const [method, args, field, value] of refused) {
        const answer = await alice.ask(method, args);
        assertEquals(answer.slice(2, 4), ["error", ["server.unexpected_argument"]], method);
        const { rule: _, type: __, ...details } = answer[4].details;
        assertEquals(details, { field, value }, method);
      }
      assertEquals((await alice.call("list_orders", ["btcusdt"])).length, 1);
      assertEquals(await alice.call("unsubscribe", ["public", []]), ["public", []]);
    }));

  it("are refused in the items of a bulk, and behind the arguments", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      const bulk = await alice.ask("create_bulk", [BUY, [...BUY, null, "x"]]);
      assertEquals(bulk[3][1], "error");
      const [{ index, errors, details }] = bulk[4].failures;
      assertEquals([index, errors, details.field], [
        1,
        ["server.unexpected_argument"],
        "args.1.6",
      ]);
      alice.stream.send([1, 99, "cancel_order", ["all"], "btcusdt"]);
      const frame = await alice.stream.next(([, id]) => id === 99);
      assertEquals(frame.slice(2), ["error", ["server.unexpected_argument"], {
        details: { field: "4", value: "btcusdt" },
      }]);
      assertEquals((await alice.call("list_orders", [])).length, 1);
    }));

  it("are named with what was probably meant, if they are options of an order", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      for (const [option, nearest] of [["postOnly", "post_only"], ["tif", "time_in_force"]]) {
        const [, , kind, errors, { details }] = await alice.ask("create_order", [
          ...BUY,
          { [option ?? ""]: true },
        ]);
        assertEquals([kind, errors], ["error", ["server.unknown_field"]]);
        assertEquals([details.field, details.nearest], [option, nearest]);
      }
      assertEquals(await alice.call("list_orders", []), []);
    }));
});

describe("a cancel of all orders", () => {
  it("takes a side of a market, or of all", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const alice = await RpcClient.open(served, "alice");
      const states = async () =>
        (await venue.get("alice", ORDERS)).body
          .map(({ state }: Record<string, string>) => state);
      const sell = ["btcusdt", "l", "sell", "1", "200"];
      const elsewhere = ["ethusdt", "l", "buy", "1", "100"];
      await alice.call("create_bulk", [BUY, sell, elsewhere]);
      assertEquals(await alice.call("cancel_order", ["market", "btcusdt", "sell"]), null);
      assertEquals(await states(), ["wait", "cancel", "wait"]);
      assertEquals(await alice.call("cancel_order", ["all", "sell"]), null);
      assertEquals(await states(), ["wait", "cancel", "wait"]);
      assertEquals(await alice.call("cancel_order", ["all", "buy"]), null);
      assertEquals(await states(), ["cancel", "cancel", "cancel"]);
    }));

  it("cancels nothing if its side is none", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      await alice.call("create_order", BUY);
      for (const side of ["x", null, "", 1]) {
        for (const mode of [["all"], ["market", "btcusdt"]]) {
          const refused = await alice.refusal("cancel_order", [...mode, side]);
          assertEquals(refused, ["market.order.invalid_side"], `${mode} ${side}`);
        }
      }
      assertEquals((await alice.call("list_orders", [])).length, 1);
    }));
});
