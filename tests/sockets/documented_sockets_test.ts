import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SHOWN_VENUE, signingLines } from "../../src/http/docs/docs_signing.ts";
import { RPC_HTML } from "../../src/http/docs/docs_rpc.ts";
import { streamsHtml } from "../../src/http/docs/docs_streams.ts";
import { escapeHtml } from "../../src/http/docs/docs_html.ts";
import { REPLAYED_EVENTS_MAX } from "../../src/engine/read/member_events.ts";
import { BOOK_FORMS } from "../../src/sockets/streams/book_feed.ts";
import { REPLAYED_MESSAGES_MAX } from "../../src/sockets/streams/replay.ts";
import { FILL_OR_KILL_LETTER, TYPE_LETTERS } from "../../src/sockets/rpc/rpc_tuples.ts";
import { IDLE_TIMEOUT_S } from "../../src/sockets/sending/stream_socket.ts";
import { activeBeneficiary } from "../support/beneficiaries.ts";
import { observeDeposit } from "../support/observed_deposit.ts";
import { withdraw } from "../support/withdraws.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { readSourceFiles } from "../support/source_file.ts";
import { type ServedVenue, withServedVenue } from "../support/served_venue.ts";
import type { Frame } from "../support/stream_client.ts";
import { CLOSE_CODES } from "../../src/sockets/limits.ts";

const METHODS = [
  "cancel_all_after",
  "cancel_bulk",
  "cancel_order",
  "create_bulk",
  "create_order",
  "get_order_trades",
  "get_orders",
  "list_orders",
  "login",
  "subscribe",
  "unsubscribe",
];

const STREAMS = streamsHtml(SHOWN_VENUE);
const SOURCES = readSourceFiles(new URL("../../", import.meta.url));

/** Returns the messages that the page shows, by stream. */
function shownMessages(): Map<string, Frame> {
  const [, shown = ""] = /<h4>Messages<\/h4><pre.*?><code>(.*?)<\/code>/s.exec(STREAMS) ?? [];
  const texts = shown.replaceAll("&quot;", '"').split("← ").slice(1);
  return new Map(texts.map((text) => {
    const frame = JSON.parse(text);
    return [Object.keys(frame)[0] ?? "", frame];
  }));
}

/** Returns the last message of each stream, of those that an order of alice's makes. */
async function sentMessages(served: ServedVenue, streams: string[]): Promise<Map<string, Frame>> {
  const { venue } = served;
  const client = await served.listenAs("alice", `?stream=${streams.join(",")}`);
  await client.message("success");
  await venue.order("bob", { side: "sell", amount: "0.5", price: "30000" });
  await venue.order("alice", { amount: "0.5", price: "30000", client_order_id: "my-1" });
  await venue.order("bob", { side: "sell", amount: "0.25", price: "30100" });
  await venue.get("alice", "/api/v2/backend/account/deposit_address/usdt");
  await observeDeposit(venue, { txid: "tx-1", amount: "2" });
  await withdraw(venue, await activeBeneficiary(venue, "alice"));
  const json = { trading: true, withdrawals: false };
  await venue.call("operator", "PATCH", "/api/v2/admin/switches", { json });
  const last = new Map<string, Frame>();
  const isLast = (frame: Frame) => {
    last.set(Object.keys(frame)[0] ?? "", frame);
    const best = last.get("btcusdt.bbo")?.["btcusdt.bbo"];
    return streams.every((stream) => last.has(stream)) && best.ask?.[0] === "30100.0";
  };
  await client.next(isLast);
  return last;
}

/** Returns the names and types of all fields. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

/** Returns the identifiers that sockets and their handshakes are refused with. */
function socketErrors(): string[] {
  const found = new Set<string>();
  for (const { path, text: source } of SOURCES) {
    if (!path.startsWith("src/sockets/")) continue;
    const text = source.replaceAll("${PARAMETER}", "cancel_on_disconnect");
    const matches = text.matchAll(/["`]((?:authz|stream|market|server)\.\w[\w.]+)["`]/g);
    for (const [, identifier = ""] of matches) found.add(identifier);
  }
  return [...found];
}

describe("the reference page on sockets", () => {
  it("lists every form of a book", () => {
    for (const form of BOOK_FORMS) {
      assert(STREAMS.includes(`<code>{market}.${form}</code>`), form);
    }
  });

  it("lists streams that there are", () =>
    withServedVenue(async ({ listenAs }) => {
      const [, table = ""] = />Stream<(.*?)<\/table>/s.exec(STREAMS) ?? [];
      const named = [...table.matchAll(/<td class="name"><code>(.*?)<\/code>/g)]
        .flatMap(([, names = ""]) => names.split(", "))
        .map((name) => name.replace("{market}", "btcusdt").replace("{period}", "1m"));
      const client = await listenAs("alice");
      await client.message("success");
      assertEquals(new Set(await client.subscribe(...named)), new Set(named));
      assertEquals(named.length, 14);
    }));

  it("shows messages with the fields that they have", () =>
    withServedVenue(async (served) => {
      const shown = shownMessages();
      assertEquals(shown.size, 12);
      const sent = await sentMessages(served, [...shown.keys()]);
      for (const [stream, message] of shown) {
        const { sequence: _, ...real } = sent.get(stream) ?? {};
        const { sequence, ...fields } = message;
        if (stream === "global.tickers") real[stream] = { btcusdt: real[stream].btcusdt };
        if (stream === "global.status") {
          const { markets: { btcusdt }, currencies: { btc } } = real[stream];
          Object.assign(real[stream], { markets: { btcusdt }, currencies: { btc } });
        }
        assertEquals(shapeOf(real), shapeOf(fields), stream);
        assertEquals(typeof sequence, "number");
      }
    }));

  it("names what else the message of an address has where a coin lives on a network", () =>
    withServedVenue(async ({ venue, listenAs }) => {
      const coin = { id: "test", name: "Test", network: "anvil" };
      await venue.post("operator", "/api/v2/admin/currencies", coin);
      const client = await listenAs("alice", "?stream=deposit_address");
      await venue.get("alice", "/api/v2/backend/account/deposit_address/test");
      const { deposit_address: sent } = await client.message("deposit_address");
      const shown = shownMessages().get("deposit_address")?.["deposit_address"] ?? {};
      const [, differences = ""] = STREAMS.split("<h4>How they differ");
      const [, row = ""] = /<code>deposit_address<\/code>(.*?)<\/tr>/s.exec(differences) ?? [];
      const more = Object.keys(sent).filter((field) => !(field in shown));
      assertEquals(more, ["network"]);
      for (const field of more) assert(row.includes(`<code>${field}</code>`), field);
    }));

  it("lists what handshakes and requests are refused with", () => {
    const errors = socketErrors();
    assert(errors.includes("stream.invalid_since"));
    const listed = STREAMS + RPC_HTML;
    // Any signed request may be refused for its address.
    const others = errors.filter((identifier) => identifier !== "authz.ip_not_permitted");
    assertEquals(others.filter((identifier) => !listed.includes(identifier)), []);
  });

  it("lists every code that a socket is closed with", () => {
    const [, table = ""] = STREAMS.split("<h4>Close codes</h4>");
    const platform = 1001;
    for (const code of [platform, ...Object.values(CLOSE_CODES)]) {
      assert(table.includes(`${code}`), `${code}`);
    }
    assert(table.includes(`unanswered for ${IDLE_TIMEOUT_S} s`));
  });

  it("says how far back a stream can be resumed", () => {
    const [messages, events] = [REPLAYED_MESSAGES_MAX, REPLAYED_EVENTS_MAX]
      .map((count) => count.toLocaleString("en"));
    assert(STREAMS.includes(`goes back ${messages} messages of a stream`));
    assert(STREAMS.includes(`the last ${events} events of the venue`));
  });

  it("makes a new nonce for each signature", () => {
    const signs = STREAMS.split("X-Auth-Nonce: $NONCE").length - 1;
    assertEquals(STREAMS.split(escapeHtml(signingLines(SHOWN_VENUE))).length - 1, signs);
    assertEquals(signs, 1);
  });

  it("lists the methods of a trading socket, each with its args", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      const [methods = ""] = RPC_HTML.split("<h4>");
      const rows = [...methods.matchAll(/<td class="name"><code>(\w+)<\/code><\/td><td><code>\[/g)];
      assertEquals(rows.map(([, name]) => name).sort(), METHODS);
      for (const method of METHODS) {
        const [, , , identifiers] = await alice.ask(method, [{}]);
        assert(!`${identifiers}`.includes("method_not_allowed"), method);
      }
    }));

  it("lists the letters of order types", () => {
    const letters = [...Object.entries(TYPE_LETTERS), ["fill_or_kill", FILL_OR_KILL_LETTER]]
      .map(([word, letter]) => `<code>${letter}</code> ${word}`);
    assert(RPC_HTML.includes(letters.join(", ")));
  });

  it("shows an example that works as shown", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      const asked = [...RPC_HTML.matchAll(/→ (\[.*\])/g)].map(([, frame = ""]) => {
        return JSON.parse(frame.replaceAll("&quot;", '"'));
      });
      const answered = [...RPC_HTML.matchAll(/← \[2,(\d+),&quot;(\w+)/g)];
      const answers: unknown[] = [];
      for (const [, , method, args] of asked) {
        const [kind, id, name] = await alice.ask(method, args);
        assertEquals(kind, 2);
        answers.push([`${id}`, name]);
      }
      assertEquals(answers, answered.map(([, id, name]) => [id, name]));
    }));
});
