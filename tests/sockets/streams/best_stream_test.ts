import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { PORTION_FRAMES } from "../../../src/sockets/limits.ts";
import { eventually } from "../../support/eventually.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";

const STREAM = "btcusdt.bbo";

describe("the stream of best prices", () => {
  it("begins with both as they are, and tells whenever either changes", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      await venue.order("alice", { price: "101", amount: "2" });
      const client = await listen(`?stream=${STREAM}`);
      const told = { bid: ["101.0", "2.0"], ask: null };
      assertEquals(await client.next(), { [STREAM]: told, sequence: 1 });
      await client.message("success");
      const book = await listen("?stream=btcusdt.ob-inc");
      await venue.order("bob", { side: "sell", price: "105", amount: "0.5" });
      const both = { bid: ["101.0", "2.0"], ask: ["105.0", "0.5"] };
      assertEquals(await client.next(), { [STREAM]: both, sequence: 2 });
      // Neither is the best.
      await venue.order("alice", { price: "100", amount: "2" });
      await venue.order("bob", { side: "sell", price: "106", amount: "2" });
      await book.next((frame) => frame["btcusdt.ob-inc"]?.asks?.[0] === "106.0");
      const placed = await venue.order("alice", { price: "102.5" });
      const better = { ...both, bid: ["102.5", "1.0"] };
      assertEquals(await client.next(), { [STREAM]: better, sequence: 3 });
      await venue.order("bob", { side: "sell", price: "102.5", amount: "0.25" });
      assertEquals(await client.next(), {
        [STREAM]: { ...both, bid: ["102.5", "0.75"] },
        sequence: 4,
      });
      await venue.post("alice", `/api/v2/trading/market/orders/cancel/${placed.body.uuid}`);
      assertEquals(await client.next(), { [STREAM]: both, sequence: 5 });
    });
  });

  it("of an empty book has neither, and goes on where it was for those who come later", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      const none = { [STREAM]: { bid: null, ask: null }, sequence: 1 };
      const first = await listen(`?stream=${STREAM}`);
      assertEquals(await first.next(), none);
      await first.message("success");
      await first.close();
      await venue.order("alice", { price: "101", amount: "2" });
      const one = { [STREAM]: { bid: ["101.0", "2.0"], ask: null }, sequence: 2 };
      const second = await listen(`?stream=${STREAM}`);
      assertEquals(await second.next(), one);
      const third = await listen(`?stream=${STREAM}`);
      assertEquals(await third.next(), one);
      // Asked for again, it begins again.
      await third.message("success");
      third.send({ event: "subscribe", streams: [STREAM] });
      assertEquals(await third.next(), one);
    });
  });

  it("ends as the book does, whatever came between, and counts without a gap", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      const client = await listen(`?stream=${STREAM}`);
      const orders = Array.from({ length: 300 }, (_, i) => ({
        market: "btcusdt",
        side: i % 2 === 0 ? "buy" : "sell",
        type: "limit",
        amount: "0.01",
        price: String(i % 2 === 0 ? 100 + (i * 7) % 50 : 200 - (i * 11) % 50),
      }));
      for (let i = 0; i < orders.length; i += 100) {
        await venue.post("alice", "/api/v2/trading/market/bulk/orders", orders.slice(i, i + 100));
      }
      await venue.order("alice", { price: "149.5", amount: "7" });
      let last = 0;
      const { [STREAM]: best } = await client.next((frame) => {
        if (!Object.hasOwn(frame, STREAM)) return false;
        assertEquals(frame.sequence, last + 1);
        last = frame.sequence;
        const { bid, ask } = frame[STREAM];
        assert(bid === null || ask === null || Number(bid[0]) < Number(ask[0]), "never crossed");
        return bid?.[1] === "7.0";
      });
      const { body: { asks, bids } } = await venue.get(
        null,
        "/api/v2/backend/public/markets/btcusdt/depth",
      );
      const numbers = (level: unknown[]) => level.map(Number);
      // A depth has the best ask last.
      const depth = [numbers(bids[0]), numbers(asks.at(-1))];
      assertEquals([numbers(best.bid), numbers(best.ask)], depth);
    });
  });

  it("brings all of many readers to the last of them, however many turns that takes", async () => {
    await withServedVenue(async ({ venue, realtime: { hub } }) => {
      const readers = Array.from({ length: 3 * PORTION_FRAMES }, () => new FramesReader(0));
      for (const reader of readers) hub.subscribe(reader, [STREAM]);
      for (let price = 101; price < 120; price++) {
        await venue.order("alice", { price: String(price), amount: "2" });
      }
      await eventually(
        "all know the last",
        () => readers.every(({ frames }) => frames.at(-1)?.includes('"bid":["119.0","2.0"]')),
      );
      for (const { frames } of readers) {
        const sequences = frames.map((frame) => JSON.parse(frame).sequence);
        assertEquals(sequences, sequences.map((_, i) => i + 1));
      }
      for (const reader of readers) hub.leave(reader);
    });
  });

  it("is there over sockets of orders too, and not of markets that are not", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await RpcClient.open(served, null);
      client.stream.send([1, 1, "subscribe", ["public", [STREAM]]]);
      assertEquals(await client.stream.next(), [3, STREAM, [null, null], 1]);
      assertEquals(await client.stream.next(), [2, 1, "subscribe", ["public", [STREAM]]]);
      await venue.order("alice", { price: "101", amount: "2" });
      assertEquals(await client.stream.next(), [3, STREAM, [["101", "2"], null], 2]);
      const none = ["public", ["nothing.bbo"]];
      assertEquals(await client.refusal("subscribe", none), ["stream.doesnt_exist"]);
    });
  });
});
