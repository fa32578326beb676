/** Sockets that send much at once: how long do others wait? */
import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ORDERS_PER_BULK_OVERRIDE_MAX } from "../../src/domain/limits.ts";
import { randomMasterKey, ServerProcess } from "../bench/load/server_process.ts";
import { longestWait } from "../support/longest_wait.ts";
import { signedHeaders } from "../support/signed_headers.ts";
import type { Flood } from "./frame_flood.ts";

const PROGRAM = new URL("./frame_flood.ts", import.meta.url).href;
const OPERATOR = { kid: "boss", secret: "boss-secret-of-length" };
const ALIVE = "/api/v2/backend/public/health/alive";
const FRAME_BYTES = 256 * 1024;
/**
 * How long another caller may wait, in ms, on a machine that does other things as well; it waited
 * for seconds. Without a limit of rates the longest wait was 70 ms for 100 long frames and 160 ms
 * for 400, with a p99 of 5 ms. Most of that is the time that the platform takes to read the frames.
 */
const WAIT_MS_MAX = 1_000;

/** Returns a frame of the RPC dialect that is as long as one may be. */
function longFrame(method: string, item: string): string {
  const count = Math.floor((FRAME_BYTES - 100) / (item.length + 1));
  return `[1,1,"${method}",[${Array(count).fill(item).join(",")}]]`;
}

const RPC = "/api/v2/trading";
const PUBLIC = "/api/v2/stream/public";
const MANY_STREAMS = JSON.stringify({
  event: "subscribe",
  streams: Array.from({ length: 180 }, (_, i) => `m${i}usdt.ob-inc`),
});
const FULL_ORDER = JSON.stringify(["btcusdt", "l", "buy", "1", "100", { x: "y".repeat(200) }]);

const FLOODS: readonly (readonly [
  name: string,
  path: string,
  isSigned: boolean,
  frame: string,
  count: number,
])[] = [
  ["bulks of nothing", RPC, true, longFrame("create_bulk", "{}"), 100],
  ["lists of nothing", RPC, true, longFrame("list_orders", "{}"), 100],
  [
    "one order that holds everything",
    RPC,
    true,
    `[1,1,"create_bulk",[[${Array(80_000).fill("{}").join(",")}]]]`,
    100,
  ],
  [
    `bulks of ${ORDERS_PER_BULK_OVERRIDE_MAX} orders`,
    RPC,
    true,
    longFrame("create_bulk", FULL_ORDER),
    100,
  ],
  ["what is no JSON", RPC, true, "[".repeat(FRAME_BYTES), 100],
  ["short requests", RPC, true, '[1,1,"list_orders"]', 20_000],
  ["requests for many streams", PUBLIC, false, MANY_STREAMS, 2_000],
  [
    "short requests of a stranger",
    PUBLIC,
    false,
    '{"event":"subscribe","streams":["a.b"]}',
    20_000,
  ],
];

async function floodWith(flood: Flood): Promise<void> {
  const attacker = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-net", PROGRAM],
    stdin: "piped",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  await new Blob([JSON.stringify(flood)]).stream().pipeTo(attacker.stdin);
  const { success } = await attacker.status;
  assert(success, "the attacker ran");
}

describe("a socket that sends much at once", () => {
  it("keeps nobody else waiting", async () => {
    const server = await ServerProcess.start({
      kvPath: ":memory:",
      operator: OPERATOR,
      masterKey: randomMasterKey(),
    });
    try {
      for (const [name, path, isSigned, frame, count] of FLOODS) {
        const headers = isSigned ? signedHeaders(OPERATOR.kid, OPERATOR.secret, Date.now()) : {};
        const url = `${server.baseUrl}${path}`;
        const flooding = floodWith({ url, headers, frame, count, isEndless: false });
        const waited = await longestWait(`${server.baseUrl}${ALIVE}`, flooding);
        assert(waited < WAIT_MS_MAX, `${name}: ${Math.round(waited)} ms`);
      }
    } finally {
      await server.stop();
    }
  });
});
