/** Unexpected frames on every kind of socket. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Prng } from "../support/prng.ts";
import { type ServedVenue, withServedVenue } from "../support/served_venue.ts";
import { type Frame, StreamClient } from "../support/stream_client.ts";
import { jsonOf, nested, oddValue, RawJson } from "./odd_values.ts";

const SEED = 20300101;
const FRAMES = 1_500;
const STREAMS_PER_READER_MAX = 300;
const METHODS = [
  "list_orders",
  "get_orders",
  "get_order_trades",
  "create_order",
  "create_bulk",
  "cancel_order",
  "cancel_bulk",
  "cancel_all_after",
  "subscribe",
  "unsubscribe",
  "ping",
  "__proto__",
  "constructor",
  "toString",
] as const;
/** Valid arguments, so that a single odd one among them is processed far. */
const ARGUMENTS: readonly (readonly unknown[])[] = [
  ["btcusdt", "limit", "buy", "0.5", "100"],
  ["btcusdt", "m", "s", "0.1"],
  ["btcusdt", 1, 100, "wait"],
  ["uuid", "b436163d-5c73-81ea-be71-1831bf9834b0"],
  ["id", 1],
  ["market", "btcusdt"],
  ["all"],
  ["public", ["btcusdt.trades", "btcusdt.ob-inc"]],
  [30],
];

/** Returns arguments, some of them odd. */
function someArguments(prng: Prng): unknown {
  const good = prng.pick(ARGUMENTS);
  if (prng.chance(0.1)) return oddValue(prng);
  const args = good.map((one) => prng.chance(0.4) ? oddValue(prng) : one);
  return prng.chance(0.2) ? [args] : args;
}

/** Returns a request of the RPC dialect, or something similar. */
function rpcFrame(prng: Prng, id: number): string {
  if (prng.chance(0.1)) return jsonOf(oddValue(prng));
  const method = prng.chance(0.9) ? prng.pick(METHODS) : oddValue(prng);
  return jsonOf([prng.chance(0.95) ? 1 : oddValue(prng), id, method, someArguments(prng)]);
}

/** Returns a request of the push protocol, or something similar. */
function pushFrame(prng: Prng): string {
  if (prng.chance(0.2)) return jsonOf(oddValue(prng));
  const streams = ["btcusdt.ob-inc", "global.tickers", "order", "__proto__", "constructor.trades"];
  return jsonOf({
    event: prng.chance(0.8) ? prng.pick(["subscribe", "unsubscribe"]) : oddValue(prng),
    streams: prng.chance(0.6)
      ? [prng.pick(streams), prng.chance(0.3) ? oddValue(prng) : "btcusdt.trades"]
      : oddValue(prng),
    ...(prng.chance(0.2) ? { since: oddValue(prng), extra: new RawJson('{"__proto__":1}') } : {}),
  });
}

/** Sends frames over as many sockets as needed; returns the frames received. */
async function throwFrames(
  { url, venue }: ServedVenue,
  path: string,
  make: (prng: Prng, id: number) => string,
  pausedEach: number,
): Promise<Frame[]> {
  const prng = new Prng(SEED);
  const frames: Frame[] = [];
  let client: StreamClient | null = null;
  let isOpen = false;
  for (let id = 1; id <= FRAMES; id++) {
    if (client === null || !isOpen) {
      venue.clock.now += 1_000;
      const isPublic = path.endsWith("public");
      client = await StreamClient.open(url + path, isPublic ? {} : venue.sign("alice"));
      client.onFrame = (frame) => frames.push(frame);
      isOpen = true;
      client.closed.then(() => isOpen = false);
    }
    client.send(make(prng, id));
    // Requests per socket and second of the venue's clock are limited.
    if (id % pausedEach === 0) {
      venue.clock.now += 1_000;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  await client?.close();
  return frames;
}

async function assertUnharmed({ venue, faults }: ServedVenue, frames: readonly Frame[]) {
  const text = JSON.stringify(frames);
  assert(frames.length > 20, `${frames.length} frames came back`);
  assert(!text.includes("internal_error") && !text.includes("unavailable"), "no fault is told");
  assertEquals([venue.unexpected, faults], [[], []]);
  assertEquals((await venue.order("bob", { side: "sell", price: "5000" })).status, 201);
  venue.engine.venue.checkInvariants();
}

describe("odd frames", () => {
  it("are answered or end their socket, at the RPC interface", () =>
    withServedVenue(async (served) => {
      const frames = await throwFrames(served, "/api/v2/trading", rpcFrame, 100);
      await assertUnharmed(served, frames);
    }));

  for (const path of ["/api/v2/stream/public", "/api/v2/stream/private"]) {
    it(`are answered or end their socket, at ${path}`, () =>
      withServedVenue(async (served) => {
        await assertUnharmed(served, await throwFrames(served, path, pushFrame, 20));
      }));
  }

  it("that nest deeply are refused, whoever sends them", () =>
    withServedVenue(async (served) => {
      const { url, venue } = served;
      const error = [2, 7, "error", ["server.method.invalid_message_body"]];
      for (const isSigned of [false, true]) {
        // Frames of unsigned sockets are too short for more.
        for (const depth of [9, 500, 5_000, ...(isSigned ? [30_000, 60_000] : [])]) {
          for (const isArray of [true, false]) {
            // An unsigned socket would be ended for so many long frames.
            const headers = isSigned ? venue.sign("alice") : {};
            const rpc = await StreamClient.open(`${url}/api/v2/trading`, headers);
            if (isSigned) await rpc.next();
            const deep = nested(depth, isArray);
            for (const args of [deep, `[${deep}]`, `[5,${deep}]`, `["1"],${deep}`]) {
              rpc.send(`[1,7,"create_bulk",${args}]`);
              const answer = await rpc.next();
              assertEquals(answer.slice(0, 1), [2], `${depth}`);
              if (depth > 100) assertEquals(answer, error);
            }
            await rpc.close();
          }
        }
      }
      assertEquals([venue.unexpected, served.faults], [[], []]);
    }));

  it("that ask for too many streams get no more than the limit", () =>
    withServedVenue(async (served) => {
      const client = await served.listen();
      await client.next();
      let names: string[] = [];
      for (let at = 0; at < 2_000; at += 100) {
        served.venue.clock.now += 1_000;
        const streams = Array.from({ length: 100 }, (_, i) => `m${at + i}.trades`);
        names = await client.subscribe(...streams);
      }
      assert(names.length <= STREAMS_PER_READER_MAX, `${names.length} streams`);
      await client.close();
    }));
});
