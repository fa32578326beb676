import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LEDGER_ONE } from "../../../src/domain/money/money.ts";
import {
  isContiguous,
  LOGGED_STREAMS,
  type LoggedStream,
} from "../../../src/sockets/streams/private_messages.ts";
import { sleep } from "../../../src/store/kv/in_time.ts";
import { eventually } from "../../support/eventually.ts";
import { Prng } from "../../support/prng.ts";
import { type ServedVenue, withServedVenue } from "../../support/served_venue.ts";
import type { Frame } from "../../support/stream_client.ts";

/** Those of which every trade makes a message. */
const TRADING_STREAMS = LOGGED_STREAMS.filter(isContiguous);
const STREAMS = TRADING_STREAMS.join(",");
const VISITS = 15;
/** Least numbers of messages since the first visit. */
const MESSAGES_MIN: readonly [LoggedStream, number][] = [["order", 101], ["trade", 21]];

/** What a client has seen of its streams. */
class Seen {
  readonly messages = new Map<string, Frame[]>(TRADING_STREAMS.map((stream) => [stream, []]));
  readonly last = new Map<string, number>();
  /** Resolves when all streams have begun. */
  readonly begun: Promise<void>;
  readonly #begin: () => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.begun = promise;
    this.#begin = resolve;
  }

  /** Records a frame; a snapshot gives the first sequence of a stream. */
  take(frame: Frame): void {
    assertEquals(frame.error, undefined);
    for (const [name, sequence] of Object.entries(frame.success?.sequences ?? {})) {
      const stream = TRADING_STREAMS.find((one) => one === name);
      if (stream !== undefined && !this.last.has(stream)) this.last.set(stream, Number(sequence));
    }
    if (this.last.size === TRADING_STREAMS.length) this.#begin();
    const stream = TRADING_STREAMS.find((one) => one in frame);
    if (stream === undefined) return;
    if (frame.snapshot !== true) {
      assertEquals(frame.sequence, (this.last.get(stream) ?? 0) + 1, stream);
      this.messages.get(stream)?.push(frame);
    }
    this.last.set(stream, frame.sequence);
    if (this.last.size === TRADING_STREAMS.length) this.#begin();
  }

  /** Number of messages of a stream since it began. */
  count(stream: LoggedStream): number {
    return this.messages.get(stream)?.length ?? 0;
  }

  /** The last sequence of a stream. */
  place(stream: LoggedStream): number {
    return this.last.get(stream) ?? 0;
  }

  /** The last sequences, as the parameter of a connection. */
  get since(): string {
    return [...this.last].map(([stream, sequence]) => `${stream}:${sequence}`).join(",");
  }
}

/** Places a random order of alice or bob, or cancels all orders of one. */
async function trade({ venue }: ServedVenue, prng: Prng): Promise<void> {
  const [alice, bob] = ["demo-alice", "demo-bob"].map((kid) =>
    venue.engine.venue.keyByKid.get(kid)?.key.member ?? -1
  );
  const member = prng.pick([alice, alice, bob]) ?? -1;
  if (prng.chance(0.1)) {
    const command = { kind: "cancel_all_orders", member, market: 0, side: null } as const;
    await venue.engine.submit(command, null);
    return;
  }
  const type = prng.pick(["limit", "limit", "limit", "market", "post_only"] as const);
  const order = {
    market: 0,
    side: prng.pick(["buy", "sell"] as const),
    type,
    timeInForce: type === "limit" ? prng.pick(["gtc", "gtc", "ioc", "fok"] as const) : "gtc",
    selfTrade: prng.pick(["none", "cancel_newest", "cancel_oldest"] as const),
    amount: LEDGER_ONE * BigInt(prng.between(1, 9)) / 10n,
    price: type === "market" ? 0n : LEDGER_ONE * BigInt(prng.between(98, 102)),
    triggerPrice: 0n,
    clientOrderId: "",
  } as const;
  await venue.engine.submit({ kind: "place_orders", member, orders: [order] }, null);
}

/** Waits until the client has seen everything. */
function readOn(seen: Seen, stay: Seen): Promise<true> {
  return eventually(
    "all messages",
    () => TRADING_STREAMS.every((one) => seen.last.get(one) === stay.last.get(one)),
  );
}

/** Returns how many messages of its busiest stream a client has yet to see, once it has begun. */
function missed(seen: Seen, stay: Seen): number {
  return Math.max(
    ...[...seen.last].map(([stream, sequence]) => (stay.last.get(stream) ?? 0) - sequence),
    0,
  );
}

describe("a client that loses its connection again and again", () => {
  it("misses nothing when it comes back with `since`", async () => {
    await withServedVenue(async (served) => {
      const prng = new Prng(11);
      const stay = new Seen();
      const leave = new Seen();
      const staying = await served.listenAs("alice", `?stream=${STREAMS}`);
      staying.onFrame = (frame) => stay.take(frame);
      for (const frame of staying.frames.splice(0)) stay.take(frame);
      let isOver = false;
      let wanted: [LoggedStream, number][] | undefined;
      const trading = (async () => {
        // The venue replays 10,000 messages, and a connection may take seconds on a busy machine.
        while (!isOver) await (missed(leave, stay) < 2_000 ? trade(served, prng) : sleep(1));
      })();
      for (let i = 0; i < VISITS; i++) {
        const since = i === 0 ? "" : `&since=${leave.since}`;
        const client = await served.listenAs("alice", `?stream=${STREAMS}${since}`);
        client.onFrame = (frame) => leave.take(frame);
        for (const frame of client.frames.splice(0)) leave.take(frame);
        // Only the beginning of a stream gives a sequence to reconnect with.
        if (i === 0) await leave.begun;
        wanted ??= MESSAGES_MIN.map(([stream, count]) => [stream, leave.place(stream) + count]);
        await sleep(prng.below(20));
        client.onFrame = () => {};
        await client.close();
        // However slow the machine, there is something to miss.
        await eventually("a message", () => missed(leave, stay) > 0);
      }
      const isEnough = () => wanted?.every(([stream, place]) => stay.place(stream) >= place);
      await eventually("enough messages", isEnough);
      isOver = true;
      await trading;
      const last = await served.listenAs("alice", `?stream=${STREAMS}&since=${leave.since}`);
      last.onFrame = (frame) => leave.take(frame);
      for (const frame of last.frames.splice(0)) leave.take(frame);
      await readOn(leave, stay);
      for (const stream of TRADING_STREAMS) {
        const missedAtStart = stay.count(stream) - leave.count(stream);
        assert(missedAtStart >= 0);
        assertEquals(leave.messages.get(stream), stay.messages.get(stream)?.slice(missedAtStart));
      }
      for (const [stream, count] of MESSAGES_MIN) assert(leave.count(stream) >= count, stream);
      assertEquals(served.faults, []);
    });
  });
});
