import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SHOWN_VENUE, signingLines } from "../../src/api/docs_signing.ts";
import { RPC_HTML } from "../../src/api/docs_rpc.ts";
import { streamsHtml } from "../../src/api/docs_streams.ts";
import { escapeHtml } from "../../src/api/docs_html.ts";
import { BOOK_FORMS } from "../../src/realtime/book_feed.ts";
import { FILL_OR_KILL_LETTER, TYPE_LETTERS } from "../../src/realtime/rpc_tuples.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { withServedVenue } from "../support/served_venue.ts";

const METHODS = [
  "cancel_all_after",
  "cancel_bulk",
  "cancel_order",
  "create_bulk",
  "create_order",
  "get_order_trades",
  "get_orders",
  "list_orders",
  "subscribe",
  "unsubscribe",
];

const STREAMS = streamsHtml(SHOWN_VENUE);

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
      assertEquals(named.length, 10);
    }));

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
