import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BULK_BODY_BYTES_MAX } from "../../../src/edge/reading/body.ts";
import { UnavailableError } from "../../../src/engine/engine.ts";
import {
  REQUESTS_IN_FLIGHT_LENGTH_MAX,
  REQUESTS_IN_FLIGHT_MAX,
} from "../../../src/sockets/rpc/rpc_connection.ts";
import { eventually } from "../../support/eventually.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withoutSocket } from "../../support/rpc_without_socket.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import type { Frame } from "../../support/stream_client.ts";
import { withVenue } from "../../support/with_venue.ts";

const BUY = ["btcusdt", "l", "buy", "1", "100"];

/** Returns the answer to a request beyond a limit of what may be under way. */
function tooMany(id: number, limit: number): Frame {
  const details = { limit: String(limit) };
  return [2, id, "error", ["server.rate_limited"], { details, retry_after: 1 }];
}

describe("an open connection", () => {
  it("limits the number of unanswered requests", () =>
    withVenue(async (venue) => {
      const { connection, frames } = withoutSocket(venue, () => new Promise(() => {}));
      for (let id = 0; id < REQUESTS_IN_FLIGHT_MAX; id++) {
        connection.onText(`[1,${id},"list_orders"]`);
      }
      await Promise.resolve();
      assertEquals(frames, []);
      connection.onText('[1,999,"list_orders"]');
      assertEquals(frames, [tooMany(999, REQUESTS_IN_FLIGHT_MAX)]);
    }));

  it("limits the length of unanswered requests", () =>
    withVenue(async (venue) => {
      const { connection, frames } = withoutSocket(venue, () => new Promise(() => {}));
      const longest = (id: number) =>
        `[1,${id},"create_bulk",[${JSON.stringify(BUY)}]]`.padEnd(BULK_BODY_BYTES_MAX);
      const count = REQUESTS_IN_FLIGHT_LENGTH_MAX.signed / BULK_BODY_BYTES_MAX;
      for (let id = 0; id < count; id++) connection.onText(longest(id));
      await Promise.resolve();
      assertEquals(frames, []);
      connection.onText('[1,999,"list_orders"]');
      assertEquals(frames, [tooMany(999, REQUESTS_IN_FLIGHT_LENGTH_MAX.signed)]);
    }));

  it("limits unanswered anonymous requests more", () =>
    withVenue(async (venue) => {
      const { connection, frames } = withoutSocket(venue, () => new Promise(() => {}), null);
      const limit = REQUESTS_IN_FLIGHT_LENGTH_MAX.unsigned;
      for (let id = 0; id <= 4; id++) {
        connection.onText(`[1,${id},"subscribe",["public",[]]]`.padEnd(limit / 5 + 1));
      }
      assertEquals(frames, [tooMany(4, limit)]);
      await eventually("the others", () => frames.length === 5);
      connection.onText('[1,99,"subscribe",["public",[]]]');
      await eventually("one more", () => frames.length === 6);
      assertEquals(frames.slice(1).map(([, id]) => id), [0, 1, 2, 3, 99]);
    }));

  it("has room for requests again when others are answered", () =>
    withVenue(async (venue) => {
      const fault = new UnavailableError("away");
      const { connection, frames } = withoutSocket(venue, () => Promise.reject(fault));
      const longest = '[1,1,"get_orders",["x"]]'.padEnd(BULK_BODY_BYTES_MAX);
      for (let i = 0; i <= REQUESTS_IN_FLIGHT_LENGTH_MAX.signed / BULK_BODY_BYTES_MAX; i++) {
        connection.onText(longest);
        await eventually("the answer", () => frames.length > i);
      }
      for (let i = 0; i < REQUESTS_IN_FLIGHT_MAX; i++) {
        const count = frames.length;
        connection.onText('[1,1,"list_orders"]');
        await eventually("the answer", () => frames.length > count);
      }
      assertEquals(new Set(frames.map(([, , , errors]) => errors[0])).size, 1);
      assertEquals(frames[0][3], ["server.unavailable"]);
    }));
});

describe("requests that a client sends without waiting", () => {
  const NOBODYS = "b436163d-5c73-81ea-be71-1831bf9834b0";
  const REQUESTS: readonly (readonly [method: string, args: unknown[]])[] = [
    ["list_orders", []],
    ["get_orders", [NOBODYS]],
    ["get_order_trades", [NOBODYS]],
    ["create_order", BUY],
    ["create_bulk", [BUY]],
    ["cancel_order", ["all"]],
    ["cancel_order", ["uuid", NOBODYS]],
    ["cancel_bulk", ["uuid", [NOBODYS]]],
    ["cancel_all_after", [60]],
    ["subscribe", ["public", ["btcusdt.trades"]]],
  ];

  for (const [method, args] of REQUESTS) {
    it(`are answered up to the limit, and then refused for it: ${method} ${args[0]}`, () =>
      withServedVenue(async (served) => {
        const { stream } = await RpcClient.open(served, "alice");
        const count = REQUESTS_IN_FLIGHT_MAX + 100;
        for (let id = 1; id <= count; id++) stream.send([1, id, method, args]);
        const told = new Map<number, Frame>();
        while (told.size < count) {
          const frame = await stream.next(([kind]) => kind === 2);
          told.set(frame[1], frame);
        }
        const refused = [...told.values()].filter(([, , , errors]) =>
          String(errors).startsWith("server.")
        );
        for (const frame of refused) assertEquals(frame, tooMany(frame[1], REQUESTS_IN_FLIGHT_MAX));
        await stream.close();
      }));
  }
});

describe("what a frame costs", () => {
  const EMPTY_ORDERS = 80_000;

  it("is its items, or its length if that is more", () =>
    withServedVenue(async (served) => {
      const long = (method: string) => `[1,1,"${method}",["x"]]`.padEnd(40_000);
      const refusal = [2, 2, "error", ["server.rate_limited"], { retry_after: 1 }];
      const frames: readonly string[] = [
        JSON.stringify([1, 1, "create_bulk", Array(20).fill(BUY)]),
        JSON.stringify([1, 1, "create_bulk", Array(20).fill(BUY)]).replace(
          "create",
          "cr\\u0065ate",
        ),
        JSON.stringify([1, 1, "get_orders", Array(20).fill("x")]),
        long("get_orders"),
        long("fly"),
        "x".repeat(40_000),
      ];
      const { stream } = await RpcClient.open(served, "alice");
      for (const frame of frames) {
        served.venue.clock.now += 1_000;
        stream.send(frame);
        stream.send([1, 2, "list_orders"]);
        assertEquals(await stream.next(([, id]) => id === 2), refusal, frame.slice(0, 30));
      }
      served.venue.clock.now += 1_000;
      stream.send(JSON.stringify([1, 3, "cancel_bulk", ["id", Array(20).fill("x")]]));
      stream.send([1, 4, "cancel_order", ["all"]]);
      assertEquals((await stream.next(([, id]) => id === 4))[3], ["server.rate_limited"]);
      stream.send([1, 5, "list_orders"]);
      assertEquals((await stream.next(([, id]) => id === 5))[2], "list_orders");
    }, { rateLimit: 20 }));

  it("is known before it is parsed, and so are too many items", () =>
    withServedVenue(async (served) => {
      const { stream } = await RpcClient.open(served, "alice");
      const items = Array(EMPTY_ORDERS).fill("{}").join(",");
      for (const frame of [`"create_bulk",[${items}]]`, `"cancel_bulk",["id",[${items}]]]`]) {
        for (const end of ["", "}}} no JSON"]) {
          stream.send(`[1,1,${frame}${end}`);
          assertEquals(await stream.next(), [
            2,
            1,
            "error",
            ["market.order.bulk_limit_exceeded"],
            { details: { value: String(EMPTY_ORDERS), limit: "100" } },
          ]);
        }
      }
    }));

  it("does not hide in what the items hold", () =>
    withServedVenue(async (served) => {
      const { stream } = await RpcClient.open(served, "alice");
      stream.send(`[1,1,"create_bulk",[[${Array(EMPTY_ORDERS).fill("{}").join(",")}]]]`);
      const refusal = [2, 1, "error", ["server.method.invalid_message_body"]];
      assertEquals((await stream.next()).slice(0, 4), refusal);
    }));
});
