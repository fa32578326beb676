import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { reject } from "../../../src/domain/rejection.ts";
import { UIDS } from "../../support/beneficiaries.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { type ServedVenue, withServedVenue } from "../../support/served_venue.ts";
import { CLOSE_CODES } from "../../../src/sockets/limits.ts";

const READ = "/api/v2/backend/market/orders";
const BUY = ["btcusdt", "l", "buy", "1", "100"];
const NOWHERE = "00000000-0000-4000-8000-000000000000";

function withAlice(
  test: (alice: RpcClient, served: ServedVenue) => Promise<void>,
): Promise<void> {
  return withServedVenue(async (served) => {
    await test(await RpcClient.open(served, "alice"), served);
    assertEquals(served.venue.unexpected, []);
  });
}

describe("create_order", () => {
  it("answers the uuid of an order that T9 then shows", () =>
    withAlice(async (alice, { venue }) => {
      const [uuid, ...rest] = await alice.call("create_order", BUY);
      assertEquals(rest, []);
      const { body } = await venue.get("alice", `${READ}/${uuid}`);
      const { market, side, ord_type, price, origin_volume, state } = body;
      assertEquals([market, side, ord_type, price, origin_volume, state], [
        "btcusdt",
        "buy",
        "limit",
        "100.0",
        "1.0",
        "wait",
      ]);
    }));

  it("takes letters and words for types, and further fields after the price", () =>
    withAlice(async (alice, { venue }) => {
      const others = { trigger_price: "110", client_order_id: "my-1" };
      const asked = [
        ["post_only", ["btcusdt", "p", "buy", "1", "100"]],
        ["limit", ["btcusdt", "limit", "buy", 0.25, 100.5, { time_in_force: "gtc" }]],
        ["limit", ["btcusdt", "l", "buy", "0.25", "100.5", null]],
        ["stop_limit", ["btcusdt", "sl", "buy", "1", "100", others]],
        ["stop", ["btcusdt", "s", "buy", "1", "7", { trigger_price: "110" }]],
        ["market", ["btcusdt", "m", "buy", "1", "7"]],
      ] as const;
      for (const [type, args] of asked) {
        const [uuid] = await alice.call("create_order", args);
        const { body } = await venue.get("alice", `${READ}/${uuid}`);
        assertEquals(body.ord_type, type);
        if (type === "limit") assertEquals([body.origin_volume, body.price], ["0.25", "100.5"]);
        if (type === "market" || type === "stop") assertEquals(body.price, null);
      }
      const named = await venue.get("alice", `${READ}/client:my-1`);
      assertEquals(named.body.trigger_price, "110.0");
    }));

  it("has a letter for fill-or-kill limit orders, and shows them by it", () =>
    withAlice(async (alice, { venue }) => {
      await venue.order("bob", { side: "sell", amount: "1" });
      const args = ["btcusdt", "f", "buy", "2", "100"];
      const [refused] = await alice.call("create_order", args);
      const [filled] = await alice.call("create_order", ["btcusdt", "f", "buy", "1", "100"]);
      const [[, , , , cancelled, f], [, , , , done, again]] = await alice.call(
        "get_orders",
        [refused, filled],
      );
      assertEquals([cancelled, f], ["c", "f"]);
      assertEquals([done, again], ["d", "f"]);
      const { body } = await venue.get("alice", `${READ}/${filled}`);
      assertEquals([body.ord_type, body.time_in_force], ["limit", "fok"]);
      const [ioc] = await alice.call("create_order", [...BUY, { time_in_force: "ioc" }]);
      const [[, , , , , letter]] = await alice.call("get_orders", [ioc]);
      assertEquals(letter, "l");
      assertEquals(await alice.refusal("create_order", [...args, { time_in_force: "gtc" }]), [
        "market.order.invalid_time_in_force",
      ]);
    }));

  it("answers a repeated client order id with the first order", () =>
    withAlice(async (alice) => {
      const args = [...BUY, { client_order_id: "my-1" }];
      const first = await alice.call("create_order", args);
      assertEquals(await alice.call("create_order", args), first);
      const other = ["btcusdt", "l", "buy", "2", "100", { client_order_id: "my-1" }];
      assertEquals(await alice.refusal("create_order", other), [
        "market.order.duplicate_client_order_id",
      ]);
    }));

  it("refuses with T4's identifiers, and names the field", () =>
    withAlice(async (alice) => {
      const refused = [
        [[], "market.order.missing_market"],
        [["btcusdt"], "market.order.missing_type"],
        [["btcusdt", "x", "buy", "1", "1"], "market.order.invalid_type"],
        [["btcusdt", "l", null, "1", "1"], "market.order.missing_side"],
        [["btcusdt", "l", "up", "1", "1"], "market.order.invalid_side"],
        [["btcusdt", "l", "buy", "", "1"], "market.order.non_decimal_volume"],
        [["btcusdt", "l", "buy", "-1", "1"], "market.order.non_positive_volume"],
        [["btcusdt", "l", "buy", "1"], "market.order.missing_price"],
        [["btcusdt", "l", "buy", "1", "0.000001"], "market.order.invalid_volume_or_price"],
        [["nowhere", "l", "buy", "1", "1"], "market.market.doesnt_exist_or_not_enabled"],
        [["btcusdt", "s", "buy", "1", "1"], "market.order.missing_trigger_price"],
        [[...BUY, { time_in_force: "x" }], "market.order.invalid_time_in_force"],
        [[...BUY, { client_order_id: "ä" }], "market.order.invalid_client_order_id"],
        [[...BUY, "gtc"], "server.method.invalid_message_body"],
        [[...BUY, ["gtc"]], "server.method.invalid_message_body"],
        [["btcusdt", "l", "buy", "999999", "100"], "market.account.insufficient_balance"],
      ] as const;
      for (const [args, identifier] of refused) {
        const errors = await alice.refusal("create_order", args);
        assertEquals(errors.includes(identifier), true, `${JSON.stringify(args)}: ${errors}`);
      }
      const frame = await alice.ask("create_order", ["btcusdt", "l", "up", "1", "1"]);
      assertEquals(frame[4], {
        details: { field: "side", value: "up", rule: "known", type: "limit" },
      });
    }));
});

describe("create_bulk", () => {
  it("answers a uuid or an error for each order", () =>
    withAlice(async (alice, { venue }) => {
      const frame = await alice.ask("create_bulk", [
        BUY,
        ["btcusdt", "l", "buy", "1"],
        ["btcusdt", "l", "buy", "999999", "100"],
        "no order",
        ["btcusdt", "l", "sell", "1", "200"],
      ]);
      const [first, ...rest] = frame[3];
      assertMatch(first, /^[0-9a-f-]{36}$/);
      assertEquals(rest.slice(0, 3), ["error", "error", "error"]);
      const failures: { index: number; errors: string[] }[] = frame[4].failures;
      const errors = failures.toSorted((a, b) => a.index - b.index)
        .map(({ index, errors }) => [index, ...errors]);
      assertEquals(errors, [
        [1, "market.order.missing_price"],
        [2, "market.account.insufficient_balance"],
        [3, "server.method.invalid_message_body"],
      ]);
      const open = await venue.get("alice", `${READ}?state=wait&order_by=asc`);
      assertEquals(open.body.map(({ uuid }: { uuid: string }) => uuid), [first, rest[3]]);
    }));

  it("places the orders in sequence, with or without a client order id", () =>
    withAlice(async (alice, { venue }) => {
      // The first call reads the member's used ids from the store, the second finds them in memory.
      for (const prices of [["1", "2", "3"], ["4", "5", "6"]]) {
        const [first, named, last] = prices.map((price) => ["btcusdt", "l", "buy", "1", price]);
        const uuids = await alice.call("create_bulk", [
          first,
          [...named ?? [], { client_order_id: `at-${prices[1]}` }],
          last,
        ]);
        const { body } = await venue.get("alice", `${READ}?state=wait&order_by=asc`);
        assertEquals(body.map(({ uuid }: { uuid: string }) => uuid), uuids);
        await alice.call("cancel_order", ["all"]);
      }
    }));

  it("ends the connection if the log says that its key is not active", () =>
    withAlice(async (alice, { venue }) => {
      const submit = () => Promise.resolve(reject("key_not_active"));
      Object.assign(venue.engine, { submit });
      assertEquals(await alice.refusal("create_bulk", [BUY, BUY]), ["authz.apikey_not_active"]);
      assertEquals((await alice.stream.closed).code, CLOSE_CODES.accessEnded);
    }));

  it("has the limits of T5", () =>
    withAlice(async (alice, { venue }) => {
      assertEquals(await alice.refusal("create_bulk", []), ["market.order.empty_orders"]);
      const many = Array.from({ length: 101 }, () => BUY);
      const frame = await alice.ask("create_bulk", many);
      assertEquals(frame[3], ["market.order.bulk_limit_exceeded"]);
      assertEquals(frame[4], { details: { value: "101", limit: "100" } });
      await venue.call("operator", "PATCH", "/api/v2/admin/members/IDA11CE00001", {
        json: { bulk_orders_max: 101 },
      });
      assertEquals((await alice.call("create_bulk", many)).length, 101);
    }));
});

describe("cancel_order", () => {
  it("takes an id, a uuid or a client order id, also of ended orders", () =>
    withAlice(async (alice, { venue }) => {
      for (const args of [BUY, BUY, [...BUY, { client_order_id: "c" }]]) {
        await alice.call("create_order", args);
      }
      const orders = (await venue.get("alice", `${READ}?order_by=asc`)).body;
      const [first, second] = orders;
      assertEquals(await alice.call("cancel_order", ["id", first.id]), null);
      assertEquals(await alice.call("cancel_order", ["uuid", second.uuid]), null);
      assertEquals(await alice.call("cancel_order", ["uuid", "client:c"]), null);
      assertEquals(await alice.call("cancel_order", ["id", String(first.id)]), null);
      const states = (await venue.get("alice", READ)).body
        .map(({ state }: { state: string }) => state);
      assertEquals(states, ["cancel", "cancel", "cancel"]);
    }));

  it("takes a market, or all of them", () =>
    withAlice(async (alice, { venue }) => {
      const states = async () =>
        (await venue.get("alice", `${READ}?order_by=asc`)).body
          .map(({ market, state }: Record<string, string>) => `${market} ${state}`);
      const asked = [BUY, BUY, ["ethusdt", "l", "buy", "1", "100"]];
      assertEquals((await alice.call("create_bulk", asked)).includes("error"), false);
      assertEquals(await alice.call("cancel_order", ["market", "btcusdt"]), null);
      assertEquals(await states(), ["btcusdt cancel", "btcusdt cancel", "ethusdt wait"]);
      assertEquals(await alice.call("cancel_order", ["all"]), null);
      assertEquals(await states(), ["btcusdt cancel", "btcusdt cancel", "ethusdt cancel"]);
    }));

  it("cancels nothing on wrong arguments", () =>
    withAlice(async (alice, served) => {
      await alice.call("create_order", BUY);
      const bob = await RpcClient.open(served, "bob");
      const [theirs] = await bob.call("create_order", ["btcusdt", "l", "sell", "1", "200"]);
      const refused = [
        [[], "market.order.invalid_mode"],
        [["each", 1], "market.order.invalid_mode"],
        [["id"], "market.order.invaild_id_or_uuid"],
        [["id", "x"], "market.order.invaild_id_or_uuid"],
        [["id", [1]], "market.order.invaild_id_or_uuid"],
        [["uuid", 1], "market.order.invaild_id_or_uuid"],
        [["id", 999], "record.not_found"],
        [["uuid", theirs], "record.not_found"],
        [["uuid", NOWHERE], "record.not_found"],
        [["market"], "market.order.missing_market"],
        [["market", 7], "market.market.doesnt_exist"],
        [["market", "nowhere"], "market.market.doesnt_exist"],
      ] as const;
      for (const [args, identifier] of refused) {
        const errors = await alice.refusal("cancel_order", args);
        assertEquals(errors, [identifier], JSON.stringify(args));
      }
      const open = await served.venue.get("alice", `${READ}?state=wait`);
      assertEquals(open.body.length, 1);
    }));
});

describe("cancel_bulk", () => {
  it("echoes what it cancelled, and says what is wrong with the others", () =>
    withAlice(async (alice, { venue }) => {
      const uuids = await alice.call("create_bulk", [BUY, BUY]);
      const frame = await alice.ask("cancel_bulk", ["uuid", [uuids[0], NOWHERE, 7, uuids[1]]]);
      assertEquals(frame[3], [uuids[0], "error", "error", uuids[1]]);
      const failures: { index: number; errors: string[] }[] = frame[4].failures;
      assertEquals(failures.toSorted((a, b) => a.index - b.index).map((one) => one.errors), [
        ["record.not_found"],
        ["market.order.invaild_id_or_uuid"],
      ]);
      assertEquals((await venue.get("alice", `${READ}?state=wait`)).body, []);
    }));

  it("takes ids", () =>
    withAlice(async (alice, { venue }) => {
      await alice.call("create_bulk", [BUY, BUY]);
      const ids = (await venue.get("alice", READ)).body.map(({ id }: { id: number }) => id);
      const all = [...ids, "1"];
      // Failures would follow the answer, but there are none.
      assertEquals(await alice.ask("cancel_bulk", ["id", all]), [2, 2, "cancel_bulk", all]);
      assertEquals(await alice.refusal("cancel_bulk", ["id"]), ["market.order.missing_orders"]);
      assertEquals(await alice.refusal("cancel_bulk", ["id", 1]), ["market.order.invalid_orders"]);
      assertEquals(await alice.refusal("cancel_bulk", ["x", ids]), ["market.order.invalid_mode"]);
    }));
});

describe("reading orders", () => {
  it("lists the open ones of a market, or of all, where nothing else is asked for", () =>
    withAlice(async (alice) => {
      const many = Array.from({ length: 60 }, () => BUY);
      const oldest = await alice.call("create_bulk", many);
      const stop = ["btcusdt", "s", "sell", "1", null, { trigger_price: "1" }];
      const more = await alice.call("create_bulk", [...many, stop]);
      await alice.call("create_order", ["ethusdt", "l", "buy", "1", "100"]);
      const [ended] = await alice.call("create_order", BUY);
      await alice.call("cancel_order", ["uuid", ended]);
      const named = async (args: unknown[]) =>
        (await alice.call("list_orders", args)).map((tuple: unknown[]) => tuple[2]);
      const open = new Set(await named(["btcusdt"]));
      assertEquals(open, new Set([...oldest, ...more]));
      assertEquals((await named([])).length, open.size + 1);
      assertEquals((await named(["btcusdt", 1]))[0], ended);
    }));

  it("lists them as tuples, newest first, by market, page, limit and state", () =>
    withAlice(async (alice) => {
      const [uuid] = await alice.call("create_order", ["btcusdt", "l", "buy", "0.25", "9120.50"]);
      await alice.call("create_order", ["ethusdt", "p", "buy", "1", "100"]);
      await alice.call("cancel_order", ["market", "ethusdt"]);
      const [ether, bitcoin] = await alice.call("list_orders", ["", 1, 0, ""]);
      assertEquals(bitcoin.slice(0, 12), [
        "btcusdt",
        1,
        uuid,
        "buy",
        "w",
        "l",
        "9120.5",
        "0",
        "0.25",
        "0.25",
        "0",
        0,
      ]);
      assertEquals([bitcoin.length, Number.isInteger(bitcoin[12])], [19, true]);
      assertEquals(bitcoin.slice(17).map((ms: number) => Math.floor(ms / 1000)), [
        bitcoin[12],
        bitcoin[12],
      ]);
      assertEquals(ether.slice(3, 6), ["buy", "c", "p"]);
      assertEquals(await alice.call("list_orders", ["btcusdt"]), [bitcoin]);
      // With every position filled, but nothing asked for: the open ones.
      for (const blank of [null, "", 0]) {
        assertEquals(await alice.call("list_orders", Array(4).fill(blank)), [bitcoin]);
      }
      assertEquals(await alice.call("list_orders", [null, 0, 5]), [bitcoin]);
      assertEquals(await alice.call("list_orders", [null, 2, 1]), [bitcoin]);
      assertEquals(await alice.call("list_orders", [null, null, null, "cancel"]), [ether]);
      assertEquals(await alice.call("list_orders", ["", 1, 0]), [ether, bitcoin]);
      assertEquals(await alice.call("list_orders", ["btcusdt", 0, 0, "wait"]), [bitcoin]);
      const refused = [
        [["nowhere"], "market.market.doesnt_exist"],
        [[null, -1], "market.order.non_positive_page"],
        [[null, 1, 1001], "market.order.invalid_limit"],
        [[null, 1, 1, "x"], "market.order.invalid_state"],
      ] as const;
      for (const [args, identifier] of refused) {
        assertEquals(await alice.refusal("list_orders", args), [identifier]);
      }
    }));

  it("gets the member's own by uuid", () =>
    withAlice(async (alice, served) => {
      const bob = await RpcClient.open(served, "bob");
      const [theirs] = await bob.call("create_order", ["btcusdt", "l", "sell", "1", "200"]);
      const [a, b] = await alice.call("create_bulk", [BUY, BUY]);
      const orders = await alice.call("get_orders", [b, theirs, NOWHERE, a]);
      assertEquals(orders.map((tuple: unknown[]) => tuple[2]), [b, a]);
      assertEquals(await alice.refusal("get_orders"), ["market.order.empty_orders"]);
      assertEquals(await alice.refusal("get_orders", ["x"]), ["market.order.invaild_id_or_uuid"]);
    }));

  it("gets the trades of an order", () =>
    withAlice(async (alice, served) => {
      const bob = await RpcClient.open(served, "bob");
      const [sold] = await bob.call("create_order", ["btcusdt", "l", "sell", "1", "100"]);
      const [bought] = await alice.call("create_order", ["btcusdt", "l", "buy", "0.25", "100"]);
      const [trade, ...others] = await alice.call("get_order_trades", [bought]);
      assertEquals(others, []);
      const start = ["btcusdt", 1, "100", "0.25", "25", 2, bought, "buy", "buy"];
      assertEquals(trade.slice(0, 9), start);
      assertEquals(trade[10], "btc");
      const [theirs] = await bob.call("get_order_trades", [sold]);
      assertEquals(theirs.slice(5, 9), [1, sold, "sell", "buy"]);
      assertEquals(theirs[10], "usdt");
      assertEquals(await alice.refusal("get_order_trades", [sold]), ["record.not_found"]);
      assertEquals(await alice.refusal("get_order_trades"), ["market.order.invaild_id_or_uuid"]);
    }));
});

describe("a key of one scope", () => {
  const reads: [string, unknown][] = [
    ["list_orders", []],
    ["get_orders", [NOWHERE]],
    ["get_order_trades", [NOWHERE]],
  ];
  const writes: [string, unknown][] = [
    ["create_order", BUY],
    ["create_bulk", [BUY]],
    ["cancel_order", ["all"]],
    ["cancel_bulk", ["uuid", [NOWHERE]]],
    ["cancel_all_after", [60]],
  ];

  for (const scope of ["read", "trade"] as const) {
    it(`may call what the ${scope} scope allows, and nothing else`, () =>
      withServedVenue(async (served) => {
        const { engine } = served.venue;
        const change = { kind: "change_key", kid: "demo-alice", scopes: [scope] } as const;
        await engine.submit({ ...change, uid: UIDS.alice }, null);
        const alice = await RpcClient.open(served, "alice");
        const [own, others] = scope === "read" ? [reads, writes] : [writes, reads];
        for (const [method, args] of others) {
          const refusal = await alice.refusal(method, args);
          assertEquals(refusal, ["authz.scope_not_permitted"], method);
        }
        for (const [method, args] of own) {
          const frame = JSON.stringify(await alice.ask(method, args));
          assertEquals(frame.includes("authz."), false, method);
        }
      }));
  }
});
