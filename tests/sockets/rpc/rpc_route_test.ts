import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BULK_BODY_BYTES_MAX } from "../../../src/edge/reading/body.ts";
import { STREAMS_PER_READER_MAX } from "../../../src/sockets/sending/hub.ts";
import { SINGLE_FRAME_BYTES_MAX } from "../../../src/sockets/rpc/rpc_connection.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import type { Frame } from "../../support/stream_client.ts";

const OWN = "/api/v2/trading";
const OLDER = "/api/v2/open_finance";
const OLDER_TOO = "/api/v2/finex";
const ORDER = ["btcusdt", "l", "buy", "1", "100"];

describe("a frame of an unsigned socket", () => {
  it("has room for as many streams as it may read, whatever their names", () =>
    withServedVenue(async (served) => {
      served.realtime.hub.register({
        access: "public",
        has: (stream) => stream.startsWith("x"),
        begin() {},
      });
      // Ids of markets are those of two currencies, of up to 16 letters each.
      const names = Array.from(
        { length: STREAMS_PER_READER_MAX },
        (_, i) => `${`${i}`.padStart(32, "x")}.kline-15m`,
      );
      const id = "i".repeat(64);
      // Some clients write a space after each comma.
      const frame = `[1, "${id}", "unsubscribe", ["public", ["${names.join('", "')}"]]]`;
      assert(frame.length <= SINGLE_FRAME_BYTES_MAX, `${frame.length} bytes`);
      const anybody = await RpcClient.open(served, null);
      anybody.stream.send(frame.replace("unsubscribe", "subscribe"));
      assertEquals(await anybody.stream.next(), [2, id, "subscribe", ["public", names]]);
      anybody.stream.send(frame);
      assertEquals(await anybody.stream.next(), [2, id, "unsubscribe", ["public", []]]);
    }));

  it("ends the socket if it is longer than that, but not that of a member", () =>
    withServedVenue(async (served) => {
      const padded = (bytes: number) => '[1,"a","subscribe",["public",[]]]'.padEnd(bytes);
      const answer = [2, "a", "subscribe", ["public", []]];
      for (const path of [OWN, OLDER]) {
        const alice = await RpcClient.open(served, "alice", path);
        for (const bytes of [SINGLE_FRAME_BYTES_MAX + 1, BULK_BODY_BYTES_MAX]) {
          alice.stream.send(padded(bytes));
          const refused = [2, "a", "error", ["server.body_too_large"]];
          assertEquals((await alice.stream.next()).slice(0, 4), refused);
        }
        alice.stream.send(padded(SINGLE_FRAME_BYTES_MAX));
        assertEquals(await alice.stream.next(), answer);
        alice.stream.send('[1,"b","get_orders",[]]'.padEnd(BULK_BODY_BYTES_MAX));
        const empty = [2, "b", "error", ["market.order.empty_orders"]];
        assertEquals((await alice.stream.next()).slice(0, 4), empty);
        const anybody = await RpcClient.open(served, null, path);
        anybody.stream.send(padded(SINGLE_FRAME_BYTES_MAX));
        assertEquals(await anybody.stream.next(), answer);
        anybody.stream.send(padded(SINGLE_FRAME_BYTES_MAX + 1));
        const end = await Promise.race([anybody.stream.closed, anybody.stream.next()]);
        assertEquals(end.code, 1009);
      }
    }));
});

describe("the RPC dialect under its older names", () => {
  it("has no extra element in any frame", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice", OLDER);
      const frames: Frame[] = [];
      const requests = [
        ["subscribe", ["private", ["order", "trade", "balances"]]],
        ["subscribe", ["public", ["btcusdt.orderbook", "btcusdt.trades", "tickers"]]],
        ["create_order", ORDER],
        ["create_order", ["btcusdt", "l", "buy", "1"]],
        ["create_bulk", [ORDER, ["btcusdt", "l", "buy", "0", "1"]]],
        ["cancel_bulk", ["uuid", ["nowhere"]]],
        ["cancel_order", ["all"]],
        ["no_method", []],
      ] as const;
      for (const [i, [method, args]] of requests.entries()) {
        alice.stream.send([1, i, method, args]);
        await alice.stream.next((frame) => frames.push(frame) > 0 && frame[1] === i);
      }
      const names = new Set(frames.map(([kind, , name]) => kind > 2 ? "event" : name));
      assert(names.has("event") && names.has("error"), [...names].join());
      for (const frame of frames) {
        const [kind] = frame;
        assertEquals(frame.length, kind === 2 ? 4 : 3, JSON.stringify(frame));
        assert(Array.isArray(frame[kind === 2 ? 3 : 2]), JSON.stringify(frame));
      }
    }));

  it("is the same under both", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice", OLDER_TOO);
      await alice.call("subscribe", ["private", ["order"]]);
      alice.stream.send([1, "a", "create_order", ORDER]);
      assertEquals((await alice.stream.next((frame) => frame[1] === "on")).length, 3);
      assertEquals(await alice.call("cancel_order", ["all"]), []);
    }));

  it("adds the numbers of events and error details under its current name", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice", OWN);
      await alice.call("subscribe", ["private", ["order"]]);
      alice.stream.send([1, "a", "create_order", ORDER]);
      assertEquals((await alice.stream.next((frame) => frame[1] === "on")).length, 5);
      const [, , , identifiers, beside] = await alice.ask("create_order", ORDER.slice(0, 4));
      assertEquals(identifiers, ["market.order.missing_price"]);
      assertEquals(beside, { details: { field: "price", rule: "required", type: "limit" } });
      assertEquals(await alice.call("cancel_order", ["all"]), null);
    }));
});
