import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BOOK_FORMS } from "../../../src/sockets/streams/book_feed.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { registerPublicStreams } from "../../../src/sockets/realtime.ts";
import { UNPAUSED_FRAMES } from "../../../src/sockets/sending/send_budget.ts";
import { StreamMessage } from "../../../src/sockets/stream_message.ts";
import type { StreamSource, Subscription } from "../../../src/sockets/sending/subscription.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { addStream, runStream } from "../../support/engine_stream.ts";
import { EngineVenue } from "../../support/engine_venue.ts";
import { allTold, FramesReader } from "../../support/frames_reader.ts";
import { Prng } from "../../support/prng.ts";
import { STREAM_MARKETS } from "../../support/random_command.ts";
import { RebuiltBook } from "../../support/rebuilt_book.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";

const COMMANDS_PER_ROUND = 100;
const ROUNDS = 20;

describe("subscribing again to a stream", () => {
  it("sends a book again, with no gap after it", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      for (const [i, form] of BOOK_FORMS.entries()) {
        const client = await listen(`?stream=btcusdt.${form}`);
        await client.message("success");
        const book = new RebuiltBook("btcusdt");
        await venue.order("alice", { price: `${50 + i}` });
        await client.message(`btcusdt.${form}`);
        client.send({ event: "subscribe", streams: [`btcusdt.${form}`, `btcusdt.${form}`] });
        const snapshot = await client.next();
        assertEquals(snapshot.sequence, 2);
        book.take(snapshot);
        assertEquals((await client.next()).success.streams, [`btcusdt.${form}`]);
        await venue.order("alice", { price: `${40 + i}` });
        book.take(await client.next());
        const depth = await venue.get(null, "/api/v2/backend/public/markets/btcusdt/depth");
        const shown = depth.body.bids.map((level: string[]) => level.map(Number));
        assertEquals(book.depth().bids.map((level) => level.map(Number)), shown);
      }
    });
  });

  it("sends a book again in the RPC dialect", () =>
    withServedVenue(async (served) => {
      const anybody = await RpcClient.open(served, null);
      await anybody.call("subscribe", ["public", ["btcusdt.orderbook"]]);
      await served.venue.order("alice", { amount: "1", price: "100" });
      const [before] = await anybody.event("btcusdt.obi");
      anybody.stream.send([1, 9, "subscribe", ["public", ["btcusdt.orderbook"]]]);
      assertEquals(await anybody.event("btcusdt.obs"), [before, [], [["100", "1"]]]);
      await served.venue.order("alice", { amount: "1", price: "99" });
      assertEquals(await anybody.event("btcusdt.obi"), [before + 1, "bids", ["99", "1"]]);
    }));

  it("sends a member's snapshots again, and continues the numbering", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await served.listenAs("alice", "?stream=order,trade,balances");
      await client.message("success");
      const { body } = await venue.order("alice", { price: "100" });
      const placed = await client.message("order");
      const locked = await client.message("balances");
      client.send({ event: "subscribe", streams: ["order", "trade", "balances"] });
      const order = await client.next();
      assertEquals([order.order.id, order.snapshot, order.sequence], [
        body.id,
        true,
        placed.sequence,
      ]);
      const balances = await client.next();
      assertEquals([balances.snapshot, balances.sequence], [true, locked.sequence]);
      assertEquals(balances.balances.usdt, locked.balances.usdt);
      const { sequences } = (await client.next()).success;
      assertEquals(sequences, {
        order: placed.sequence,
        trade: 0,
        balances: locked.sequence,
      });
      await venue.post("alice", `/api/v2/trading/market/orders/cancel/${body.id}`);
      assertEquals((await client.message("order")).sequence, placed.sequence + 1);
      assertEquals((await client.message("balances")).sequence, locked.sequence + 1);
    });
  });

  for (const form of BOOK_FORMS) {
    it(`leaves no gap while others are being sent ${form}`, async () => {
      await using test = await EngineVenue.open();
      await addStream(test, 1000n);
      const hub = new Hub();
      registerPublicStreams(hub, test.engine, (error) => {
        throw error;
      });
      const [{ base, quote } = { base: "", quote: "" }] = STREAM_MARKETS;
      const market = `${base}${quote}`;
      // More than are served without a pause, so that rounds overlap with new subscriptions.
      const readers = Array.from({ length: UNPAUSED_FRAMES + 100 }, () => new FramesReader(0));
      for (const reader of readers) await hub.subscribe(reader, [`${market}.${form}`]);
      const prng = new Prng(11);
      for (let round = 0; round < ROUNDS; round++) {
        await runStream(test, prng, COMMANDS_PER_ROUND);
        await sleep(round % 3);
        for (const reader of [readers[0], readers.at(-1)]) {
          if (reader !== undefined) await hub.subscribe(reader, [`${market}.${form}`]);
        }
      }
      await allTold(readers);
      const books = [readers[0], readers[1], readers.at(-1)].map((reader) => {
        const book = new RebuiltBook(market);
        for (const frame of reader?.frames ?? []) book.take(JSON.parse(frame));
        return book;
      });
      const [first, second, last] = books.map((book) => [book.sequence, book.depth()]);
      assertEquals([first, last], [second, second]);
      assert((books[1]?.count ?? 0) > 0, "there were changes");
      for (const reader of readers) hub.leave(reader);
    });
  }

  it("loses nothing that comes while the beginning is awaited", async () => {
    const hub = new Hub();
    const source = new AwaitedStream();
    hub.register(source);
    const reader = new FramesReader(0);
    const publish = (sequence: number) => {
      source.sequence = sequence;
      hub.topic("a")?.publish(message(sequence));
    };
    const beginning = async (meanwhile: number) => {
      const begun = [hub.subscribe(reader, ["a"]), hub.subscribe(reader, ["a"])];
      publish(meanwhile);
      source.ready.resolve();
      await Promise.all(begun);
      source.ready = Promise.withResolvers<void>();
    };
    await beginning(1);
    publish(2);
    await beginning(3);
    publish(4);
    const sequences = reader.frames.map((frame) => JSON.parse(frame).sequence);
    assertEquals(sequences, [2, 3, 4]);
    assertEquals(source.begun, 2);
  });
});

/** A stream without history that begins when it is ready. */
class AwaitedStream implements StreamSource {
  readonly access = "public";
  ready = Promise.withResolvers<void>();
  begun = 0;
  sequence = 0;

  has(): boolean {
    return true;
  }

  async begin(subscription: Subscription): Promise<void> {
    this.begun += 1;
    await this.ready.promise;
    subscription.goOnBehind(this.sequence);
  }
}

function message(sequence: number): StreamMessage {
  return new StreamMessage("a", sequence, { payload: () => "0" });
}
