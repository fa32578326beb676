import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnavailableError, UnreadableError } from "../../../src/engine/engine.ts";
import { Hub, STREAMS_PER_READER_MAX } from "../../../src/sockets/sending/hub.ts";
import { FaultyStore } from "../../support/faulty_store.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { type ServedVenue, withServedVenue } from "../../support/served_venue.ts";
import { CLOSE_CODES } from "../../../src/sockets/limits.ts";
import type { StreamSource } from "../../../src/sockets/sending/subscription.ts";

const CANDLES = "btcusdt.kline-1m";
const TRADES = "btcusdt.trades";
/** A socket whose end would cancel orders. */
const GUARDED = "/api/v2/trading?cancel_on_disconnect=true";
const AWAY = ["server.unavailable"];

/** Runs a test on a venue whose store the test takes away. */
async function withStore(
  test: (served: ServedVenue, store: FaultyStore) => Promise<void>,
): Promise<void> {
  const store = await FaultyStore.open(":memory:");
  const faults: unknown[] = [];
  await withServedVenue(async (served) => {
    await test(served, store);
    assertEquals([served.faults, served.venue.unexpected], [[], []]);
  }, { sharedStore: store, faults });
  // Those of the engine, which notices too.
  assert(faults.every((fault) => fault instanceof UnreadableError));
}

function notStarted(stream: string): unknown {
  return { error: { message: `${stream}: cannot be started now, subscribe again later` } };
}

/** Streams that can't be begun while there is a fault. */
class FailingStreams implements StreamSource {
  readonly access = "public";
  readonly ended: string[] = [];
  fault: Error | null = null;

  has(): boolean {
    return true;
  }

  async begin(): Promise<void> {
    const { fault } = this;
    await Promise.resolve();
    if (fault !== null) throw fault;
  }

  end({ stream }: { readonly stream: string }): void {
    this.ended.push(stream);
  }
}

function failing(fault: Error) {
  const hub = new Hub();
  const source = new FailingStreams();
  source.fault = fault;
  hub.register(source);
  return { hub, source, reader: new FramesReader(null) };
}

describe("while the store is away", () => {
  it("a stream that can't begin is the only one to end, in the handshake too", () =>
    withStore(async ({ listen }, store) => {
      store.areReadsFailing = true;
      const client = await listen(`?stream=${CANDLES},${TRADES}`);
      assertEquals(await client.next(), notStarted(CANDLES));
      assertEquals(await client.next(), { success: { message: "subscribed", streams: [TRADES] } });
      client.send({ event: "subscribe", streams: [CANDLES] });
      assertEquals(await client.next(), notStarted(CANDLES));
      assertEquals((await client.message("success")).success.streams, [TRADES]);
      store.areReadsFailing = false;
      assertEquals(await client.subscribe(CANDLES), [TRADES, CANDLES]);
    }));

  it("a stream keeps its `since` for when it can begin", () =>
    withStore(async ({ venue, listenAs }, store) => {
      for (let i = 0; i < 2; i++) await venue.order("alice");
      store.areReadsFailing = true;
      const client = await listenAs("alice", "?stream=order&since=order:1");
      assertEquals((await client.message("success")).success.streams, []);
      assertEquals(await client.subscribe("order"), []);
      store.areReadsFailing = false;
      client.send({ event: "subscribe", streams: ["order"] });
      const missed = await client.message("order");
      assertEquals([missed.sequence, missed.snapshot], [2, undefined]);
      client.send({ event: "unsubscribe", streams: ["order"] });
      client.send({ event: "subscribe", streams: ["order"] });
      assertEquals((await client.message("order")).snapshot, true);
    }));

  it("requests for streams are answered like other reads, and cost no orders", () =>
    withStore(async (served, store) => {
      const alice = await RpcClient.open(served, "alice", GUARDED);
      await alice.call("create_order", ["btcusdt", "l", "buy", "1", "100"]);
      store.areReadsFailing = true;
      const [, , , errors, beside] = await alice.ask("list_orders", ["btcusdt", 1]);
      assertEquals([errors, beside], [AWAY, { retry_after: 1 }]);
      for (const args of [["private", ["orders"]], ["public", [CANDLES, TRADES]]]) {
        assertEquals((await alice.ask("subscribe", args)).slice(2), ["error", errors, beside]);
      }
      assertEquals(await alice.call("unsubscribe", ["public", []]), ["public", [TRADES]]);
      store.areReadsFailing = false;
      assertEquals(await alice.call("subscribe", ["private", ["order"]]), ["private", ["order"]]);
      assertEquals((await alice.call("list_orders")).length, 1);
    }));
});

describe("a stream that can't begin", () => {
  it("ends for a reader that has had it, whichever of its requests asked", async () => {
    for (const fault of [new UnreadableError("away"), new UnavailableError("away")]) {
      const { hub, source, reader } = failing(fault);
      source.fault = null;
      assertEquals(await hub.subscribe(reader, ["a", "b"]), "subscribed");
      source.fault = fault;
      const asked = [hub.subscribe(reader, ["a"]), hub.subscribe(reader, ["a"])];
      assertEquals(await Promise.all(asked), ["unavailable", "unavailable"]);
      assertEquals(reader.frames.map((frame) => JSON.parse(frame)), [notStarted("a")]);
      assertEquals([hub.streamsOf(reader), source.ended], [["b"], ["a"]]);
      assertEquals([hub.topic("a"), reader.closed], [undefined, null]);
    }
  });

  it("does not concern a reader that has left it and come back", async () => {
    const { hub, source, reader } = failing(new UnreadableError("away"));
    const before = hub.subscribe(reader, ["a"]);
    hub.unsubscribe(reader, ["a"]);
    source.fault = null;
    const again = hub.subscribe(reader, ["a"]);
    assertEquals([await before, await again], ["subscribed", "subscribed"]);
    assertEquals([hub.streamsOf(reader), reader.frames], [["a"], []]);
  });

  it("ends even if its reader is told of too many streams instead", async () => {
    const { hub, source, reader } = failing(new UnreadableError("away"));
    const { fault } = source;
    source.fault = null;
    await hub.subscribe(reader, Array.from({ length: STREAMS_PER_READER_MAX }, (_, i) => `${i}`));
    source.fault = fault;
    assertEquals(await hub.subscribe(reader, ["0", "more"]), "too_many");
    assertEquals(hub.streamsOf(reader).length, STREAMS_PER_READER_MAX - 1);
  });

  it("closes its reader if the store is not to blame", async () => {
    const fault = new Error("A fact does not hold");
    const { hub, reader } = failing(fault);
    await assertRejects(async () => await hub.subscribe(reader, ["a"]), Error, fault.message);
    const reason = "stream could not be started";
    assertEquals(reader.closed, { code: CLOSE_CODES.fault, reason });
    assertEquals([reader.frames, hub.streamsOf(reader)], [[], []]);
  });

  it("closes its socket only when the other requests are answered", () =>
    withServedVenue(async (served) => {
      const slow = Promise.withResolvers<void>();
      served.realtime.hub.register({
        access: "public",
        has: (stream) => /^(?:slow|broken)\.trades$/.test(stream),
        begin: ({ topic }) => {
          if (topic.stream === "slow.trades") return slow.promise;
          throw new Error("A fact does not hold");
        },
      });
      const { stream } = await RpcClient.open(served, "alice");
      stream.send([1, 1, "subscribe", ["public", ["slow.trades"]]]);
      stream.send([1, 2, "subscribe", ["public", ["broken.trades"]]]);
      assertEquals((await stream.next()).slice(0, 4), [2, 2, "error", ["server.internal_error"]]);
      slow.resolve();
      assertEquals((await stream.next()).slice(0, 3), [2, 1, "subscribe"]);
      assertEquals((await stream.closed).code, CLOSE_CODES.fault);
      assertEquals(served.venue.unexpected.length, 1);
    }));
});
