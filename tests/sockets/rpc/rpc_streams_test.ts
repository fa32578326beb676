import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ApiError } from "../../../src/edge/errors.ts";
import { yieldToOthers } from "../../../src/engine/yield_to_others.ts";
import { Hub, STREAMS_PER_READER_MAX } from "../../../src/sockets/sending/hub.ts";
import { RpcStreams } from "../../../src/sockets/rpc/rpc_streams.ts";
import { eventually } from "../../support/eventually.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import type { Frame } from "../../support/stream_client.ts";

const READ = "/api/v2/backend/market/orders";

/** Reads frames until each event has occurred as often as given; returns all frames by event. */
async function collect(
  client: RpcClient,
  counts: Readonly<Record<string, number>>,
): Promise<Record<string, Frame[]>> {
  const missing: Record<string, number> = { ...counts };
  const found: Record<string, Frame[]> = {};
  while (Object.values(missing).some((count) => count > 0)) {
    const frame = await client.stream.next();
    const name = frame[0] === 2 ? frame[2] : frame[1];
    (found[name] ??= []).push(frame);
    if (name in missing) missing[name] = (missing[name] ?? 0) - 1;
  }
  return found;
}

/** Returns an order event's state letter, remaining and executed volume. */
function progress([, , tuple]: Frame): unknown[] {
  return [tuple[4], tuple[8], tuple[10]];
}

describe("a bot's session", () => {
  it("connects, subscribes, places, is filled in parts, and cancels", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      alice.stream.send([1, 1, "subscribe", ["private", ["orders", "trades", "balances"]]]);
      const begun = await collect(alice, { subscribe: 1 });
      assertEquals(begun["subscribe"], [
        [2, 1, "subscribe", ["private", ["orders", "trades", "balances"]]],
      ]);
      assertEquals(begun["os"], undefined);
      const balances = new Map(
        begun["bu"]?.[0]?.[2].map(([id, ...halves]: string[]) => [id, halves]),
      );
      assertEquals(balances.get("usdt"), ["10000000", "0"]);

      alice.stream.send([1, 2, "create_order", ["btcusdt", "l", "buy", "2", "100"]]);
      const placed = await collect(alice, { create_order: 1, on: 1, bu: 1 });
      const [uuid] = placed["create_order"]?.[0]?.[3] ?? [];
      const on = placed["on"]?.[0];
      assertEquals([on[0], on[2][2], ...progress(on)], [4, uuid, "w", "2", "0"]);
      const others = [["btc", "100", "0"], ["eth", "1000", "0"]];
      const bch = ["bch", "1000", "0"];
      assertEquals(placed["bu"]?.[0]?.[2], [...others, ["usdt", "9999800", "200"], bch]);

      await served.venue.order("bob", { side: "sell", amount: "0.5" });
      const filled = await collect(alice, { ou: 1, tr: 1, bu: 1 });
      const ou = filled["ou"]?.[0];
      assertEquals([ou[2][2], ...progress(ou), ou[2][7]], [uuid, "w", "1.5", "0.5", "100"]);
      const trade = filled["tr"]?.[0]?.[2];
      const start = ["btcusdt", 1, "100", "0.5", "50", on[2][1], uuid, "buy", "sell"];
      assertEquals(trade.slice(0, 9), start);
      const [base, , quote] = filled["bu"]?.[0]?.[2] ?? [];
      assertEquals([base[0], quote], ["btc", ["usdt", "9999800", "150"]]);

      alice.stream.send([1, 3, "cancel_order", ["uuid", uuid]]);
      const ended = await collect(alice, { cancel_order: 1, oc: 1, bu: 1 });
      const oc = ended["oc"]?.[0];
      assertEquals([oc[2][2], ...progress(oc)], [uuid, "c", "1.5", "0.5"]);
      assertEquals(ended["bu"]?.[0]?.[2][2], ["usdt", "9999950", "0"]);
      assertEquals([on[3], ou[3] - on[3], oc[3] - on[3]], [on[3], 1, 2]);
      const read = await served.venue.get("alice", `${READ}/${uuid}`);
      assertEquals([read.body.state, read.body.trades.length], ["cancel", 1]);
    }));

  it("sees what the book refuses, with the reason, and what it fills", () =>
    withServedVenue(async (served) => {
      await served.venue.order("bob", { side: "sell", amount: "1" });
      const alice = await RpcClient.open(served, "alice");
      await alice.call("subscribe", ["private", ["order"]]);
      alice.stream.send([1, 9, "create_order", ["btcusdt", "p", "buy", "1", "100"]]);
      const { on, or } = await collect(alice, { create_order: 1, on: 1, or: 1 });
      assertEquals(on?.map(progress), [["p", "1", "0"]]);
      assertEquals([...progress(or?.[0]), or?.[0]?.[2][13]], ["r", "1", "0", "would_take"]);
      alice.stream.send([1, 10, "create_order", ["btcusdt", "l", "buy", "1", "100"]]);
      const bought = await collect(alice, { create_order: 1, on: 1, ou: 1 });
      assertEquals(bought["on"]?.map(progress), [["w", "1", "0"]]);
      assertEquals(bought["ou"]?.map(progress), [["d", "0", "1"]]);
    }));
});

describe("subscribing", () => {
  it("answers all streams that are read, by the requested names", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      assertEquals(await alice.call("subscribe", ["private", ["order"]]), ["private", ["order"]]);
      assertEquals(await alice.call("subscribe", ["private", ["orders", "trade"]]), [
        "private",
        ["order", "trade"],
      ]);
      const books = ["btcusdt.orderbook", "btcusdt.trades", "tickers", "btcusdt.kline-15m"];
      assertEquals(await alice.call("subscribe", ["public", books]), ["public", books]);
      assertEquals(await alice.call("unsubscribe", ["private", ["orders", "balances"]]), [
        "private",
        ["trade"],
      ]);
      assertEquals(await alice.call("subscribe", ["private", ["orders"]]), [
        "private",
        ["trade", "orders"],
      ]);
      assertEquals(await alice.call("unsubscribe", ["public", books.slice(1)]), [
        "public",
        ["btcusdt.orderbook"],
      ]);
    }));

  it("is answered once the streams' snapshots are sent", async () => {
    const hub = new Hub();
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    hub.register({ access: "public", has: () => true, begin: () => begun });
    const reader = new FramesReader(null);
    const answer = new RpcStreams(hub, reader).subscribe(["public", ["tickers"]])
      .then(() => reader.send('"answer"'));
    await yieldToOthers();
    assertEquals(reader.frames, []);
    resolve();
    await answer;
  });

  it("keeps no names of rejected streams", async () => {
    const hub = new Hub();
    hub.register({ access: "public", has: (stream) => stream.endsWith(".trades"), begin() {} });
    hub.register({ access: "private", has: (stream) => stream === "order", begin() {} });
    const streams = new RpcStreams(hub, new FramesReader(7));
    const many = Array.from({ length: STREAMS_PER_READER_MAX }, (_, i) => `m${i}.trades`);
    await streams.subscribe(["public", many]);
    await assertRejects(() => streams.subscribe(["private", ["orders"]]), ApiError);
    streams.unsubscribe(["public", ["m0.trades"]]);
    assertEquals(await streams.subscribe(["private", ["order"]]), ["private", ["order"]]);
  });

  it("takes no more names in one request than a reader may have streams", async () => {
    const asked: string[] = [];
    const hub = new Hub();
    hub.register({
      access: "public",
      has: (stream) => asked.push(stream) > 0,
      begin() {},
    });
    const streams = new RpcStreams(hub, new FramesReader(7));
    const many = Array.from({ length: STREAMS_PER_READER_MAX + 1 }, (_, i) => `m${i}.trades`);
    const refused = (
      error: ApiError,
    ): unknown[] => [error.status, error.errors, error.extras.details];
    const limit = String(STREAMS_PER_READER_MAX);
    const expected = [422, ["stream.too_many_streams"], { field: "streams", limit }];
    // Nobody looks whether they repeat each other, or are names at all.
    for (const names of [many, many.map(() => "m1.trades"), many.map((_, i) => i)]) {
      const error = await assertRejects(() => streams.subscribe(["public", names]), ApiError);
      assertEquals(refused(error), expected);
      assertEquals(
        refused(assertThrows(() => streams.unsubscribe(["public", names]), ApiError)),
        expected,
      );
    }
    assertEquals(asked, []);
    const all = many.slice(1);
    assertEquals(await streams.subscribe(["public", all]), ["public", all]);
    assertEquals(streams.unsubscribe(["public", all]), ["public", []]);
  });

  it("ends with the connection", () =>
    withServedVenue(async (served) => {
      const { hub } = served.realtime;
      const alice = await RpcClient.open(served, "alice");
      const member = served.venue.engine.venue.keyByKid.get("demo-alice")?.key.member ?? -1;
      await alice.call("subscribe", ["public", ["btcusdt.trades"]]);
      await alice.call("subscribe", ["private", ["orders"]]);
      assertEquals(hub.topic("btcusdt.trades")?.subscriptions.size, 1);
      assertEquals(hub.memberTopics(member)?.size, 1);
      await alice.stream.close();
      await eventually("the end of the streams", () => hub.topic("btcusdt.trades") === undefined);
      assertEquals(hub.memberTopics(member), undefined);
    }));

  it("changes nothing if a stream does not exist", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      const refused = [
        [undefined, "stream.invalid_access"],
        [["all", ["order"]], "stream.invalid_access"],
        [["public"], "stream.invalid_streams"],
        [["public", "tickers"], "stream.invalid_streams"],
        [["public", [["tickers"]]], "stream.invalid_streams"],
        [["public", ["tickers", "nowhere.trades"]], "stream.doesnt_exist"],
        [["public", ["order"]], "stream.doesnt_exist"],
        [["public", ["btcusdt.kline-7m"]], "stream.doesnt_exist"],
        [["private", ["order", "tickers"]], "stream.doesnt_exist"],
        [["private", ["__proto__"]], "stream.doesnt_exist"],
      ] as const;
      for (const [args, identifier] of refused) {
        assertEquals(await alice.refusal("subscribe", args), [identifier], JSON.stringify(args));
      }
      for (const method of ["subscribe", "unsubscribe"]) {
        const names = ["nowhere.trades", "btcusdt.trades", "order"];
        const frame = await alice.ask(method, ["public", names]);
        assertEquals(frame.slice(3), [["stream.doesnt_exist"], {
          details: { field: "streams", value: "nowhere.trades, order" },
        }]);
      }
      assertEquals(await alice.call("unsubscribe", ["public", []]), ["public", []]);
      assertEquals(await alice.call("unsubscribe", ["private", []]), ["private", []]);
    }));
});

describe("public events", () => {
  it("show a book from its snapshot on", () =>
    withServedVenue(async (served) => {
      await served.venue.order("bob", { side: "sell", amount: "2", price: "110.5" });
      const anybody = await RpcClient.open(served, null);
      anybody.stream.send([1, 1, "subscribe", ["public", ["btcusdt.orderbook"]]]);
      const [, , [sequence, asks, bids], place] = await anybody.stream.next();
      assertEquals([place, asks, bids], [sequence, [["110.5", "2"]], []]);
      assertEquals((await anybody.stream.next())[2], "subscribe");
      await served.venue.order("alice", { amount: "1", price: "100" });
      assertEquals(await anybody.stream.next(), [
        3,
        "btcusdt.obi",
        [sequence + 1, "bids", ["100", "1"]],
        sequence + 1,
        served.venue.engine.venue.sequence,
        true,
      ]);
      await served.venue.order("alice", { amount: "2", price: "110.5" });
      assertEquals((await anybody.event("btcusdt.obi")).slice(1), ["asks", ["110.5", ""]]);
    }));

  it("show trades, candles and tickers", () =>
    withServedVenue(async (served) => {
      const anybody = await RpcClient.open(served, null);
      const streams = ["btcusdt.trades", "btcusdt.kline-15m", "tickers"];
      await anybody.call("subscribe", ["public", streams]);
      await served.venue.order("bob", { side: "sell", amount: "2" });
      await served.venue.order("alice", { amount: "1.5" });
      const found = await collect(anybody, { "trade": 1, "kline.15m.btcusdt": 1 });
      const trade = found["trade"]?.[0]?.[2];
      assertEquals([...trade.slice(0, 4), trade[5]], ["btcusdt", 1, "100", "1.5", "buy"]);
      const candle = found["kline.15m.btcusdt"]?.[0]?.[2];
      assertEquals(candle.slice(1), ["100", "100", "100", "100", "1.5", "100"]);
      assertEquals(candle[0] % 900, 0);
      const [, , tickers] = await anybody.stream.next((frame) =>
        frame[1] === "tickers" && frame[2].some((one: Frame) => one[6] === "1.5")
      );
      const bitcoin = tickers.find(([market]: Frame) => market === "btcusdt");
      assertEquals(bitcoin.slice(2), ["100", "100", "100", "100", "1.5", "100"]);
      assert(tickers.some(([market]: Frame) => market === "ethusdt"));
    }));

  it("are limited per connection, and those it has continue", () =>
    withServedVenue(async (served) => {
      served.realtime.hub.register({
        access: "public",
        has: (stream) => stream.startsWith("test"),
        begin() {},
      });
      const anybody = await RpcClient.open(served, null);
      const many = Array.from({ length: STREAMS_PER_READER_MAX }, (_, i) => `test${i}.trades`);
      await anybody.call("subscribe", ["public", many]);
      const more = ["public", ["btcusdt.trades"]];
      assertEquals(await anybody.refusal("subscribe", more), ["stream.too_many_streams"]);
      assertEquals(await anybody.call("unsubscribe", ["public", ["test0.trades"]]), [
        "public",
        many.slice(1),
      ]);
      const streams = await anybody.call("subscribe", more);
      assertEquals(streams, ["public", [...many.slice(1), "btcusdt.trades"]]);
    }));
});
