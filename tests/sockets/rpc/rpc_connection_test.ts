import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BULK_BODY_BYTES_MAX } from "../../../src/edge/reading/body.ts";
import { LATE_MS_MAX } from "../../../src/engine/engine.ts";
import { OutcomeUnknownError, UnavailableError } from "../../../src/engine/engine.ts";
import { yieldToOthers } from "../../../src/engine/yield_to_others.ts";
import { REQUESTS_AT_ONCE_MAX } from "../../../src/sockets/request_pace.ts";
import { eventually } from "../../support/eventually.ts";
import { Person } from "../../support/person.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withoutSocket } from "../../support/rpc_without_socket.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import { StreamClient } from "../../support/stream_client.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const ALICE = "IDA11CE00001";
const ORDERS = "/api/v2/backend/market/orders";
const BUY = ["btcusdt", "l", "buy", "1", "100"];
const PRIVATE_METHODS = [
  "list_orders",
  "get_orders",
  "get_order_trades",
  "create_order",
  "create_bulk",
  "cancel_order",
  "cancel_bulk",
];

async function makeKey(
  venue: TestVenue,
  scopes: string[],
): Promise<{ kid: string; secret: string }> {
  const path = `/api/v2/admin/members/${ALICE}/api_keys`;
  const { body } = await venue.post("operator", path, { scopes });
  return { kid: body.kid, secret: body.secret };
}

describe("the handshake of the RPC dialect", () => {
  it("works at each path, with and without a slash, and greets the member", () =>
    withServedVenue(async ({ url, venue }) => {
      const paths = ["trading", "open_finance", "finex"];
      for (const path of paths.flatMap((path) => [path, `${path}/`])) {
        venue.clock.now += 1;
        const client = await StreamClient.open(`${url}/api/v2/${path}`, venue.sign("alice"));
        assertEquals(await client.next(), [4, "systemEvent", ["authenticated", ALICE]]);
        await client.close();
      }
    }));

  it("refuses a wrong signature with 401, and a call without an upgrade with 426", () =>
    withServedVenue(async ({ url, venue }) => {
      const forged = { kid: "demo-alice", secret: "wrong" };
      await assertRejects(() => StreamClient.open(`${url}/api/v2/trading`, venue.sign(forged)));
      const headers = { ...venue.sign(forged), "Upgrade": "websocket", "Connection": "Upgrade" };
      const refused = await venue.call(null, "GET", "/api/v2/trading", { headers });
      assertEquals([refused.status, refused.body.errors], [401, ["authz.invalid_signature"]]);
      const plain = await venue.get("alice", "/api/v2/trading");
      assertEquals([plain.status, plain.body.errors], [426, ["stream.upgrade_required"]]);
    }));

  it("takes the session of the venue's own pages, and ends with it", () =>
    withServedVenue(async ({ url, venue }) => {
      const carol = await Person.join(venue);
      const headers = carol.headers("GET");
      const path = `${url}/api/v2/trading`;
      await assertRejects(() =>
        StreamClient.open(path, { ...headers, Origin: "https://elsewhere.example" })
      );
      await assertRejects(() => StreamClient.open(path, headers));
      const stream = await StreamClient.open(path, { ...headers, Origin: url });
      const client = new RpcClient(stream);
      assertEquals(await client.event("systemEvent"), ["authenticated", carol.uid]);
      assertEquals(await client.call("list_orders"), []);
      await carol.delete("/identity/sessions");
      assertEquals(await stream.closed, { code: 4001, reason: "access ended" });
    }));
});

describe("a session used only over its socket", () => {
  it("lives on, and ends two hours after the last request", () =>
    withServedVenue(async ({ url, venue }) => {
      const carol = await Person.join(venue);
      const headers = { ...carol.headers("GET"), Origin: url };
      const stream = await StreamClient.open(`${url}/api/v2/trading`, headers);
      const client = new RpcClient(stream);
      await client.event("systemEvent");
      for (let hour = 0; hour < 5; hour++) {
        venue.clock.now += 60 * 60_000;
        assertEquals(await client.call("list_orders"), []);
        await noted(venue, carol.uid);
      }
      assertEquals((await carol.get("/resource/users/me")).status, 200);
      venue.clock.now += 120 * 60_000;
      assertEquals(await stream.closed, { code: 4001, reason: "access ended" });
    }));

  /** Waits until the store has the session's last use. */
  function noted(venue: TestVenue, uid: string): Promise<true> {
    return eventually("the use in the store", async () => {
      const [session] = await venue.identity.sessions.list(uid);
      return session?.lastSeenAt === venue.clock.now;
    });
  }
});

describe("the right to ask", () => {
  it("excludes private data without a signature", () =>
    withServedVenue(async (served) => {
      const anybody = await RpcClient.open(served, null);
      for (const method of PRIVATE_METHODS) {
        assertEquals(await anybody.refusal(method, []), ["authz.invalid_session"], method);
      }
      const errors = await anybody.refusal("subscribe", ["private", ["order"]]);
      assertEquals(errors, ["authz.invalid_session"]);
      const all = await anybody.call("subscribe", ["public", ["btcusdt.trades"]]);
      assertEquals(all, ["public", ["btcusdt.trades"]]);
    }));

  it("depends on the scopes of the key", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const reader = await RpcClient.open(served, await makeKey(venue, ["read"]));
      const trader = await RpcClient.open(served, await makeKey(venue, ["trade"]));
      assertEquals(await reader.refusal("create_order", BUY), ["authz.scope_not_permitted"]);
      assertEquals((await trader.call("create_order", BUY)).length, 1);
      assertEquals(await trader.refusal("list_orders"), ["authz.scope_not_permitted"]);
      const errors = await trader.refusal("subscribe", ["private", ["order"]]);
      assertEquals(errors, ["authz.scope_not_permitted"]);
      assertEquals((await reader.call("list_orders")).length, 1);
      assertEquals(await trader.call("cancel_order", ["all"]), null);
    }));

  it("ends with the key, with one of its scopes and with the member", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const keys = `/api/v2/admin/members/${ALICE}/api_keys`;
      const changes = [{ state: "disabled" }, { scopes: ["trade"] }];
      for (const json of changes) {
        const key = await makeKey(venue, ["read", "trade"]);
        const client = await RpcClient.open(served, key);
        await venue.call("operator", "PATCH", `${keys}/${key.kid}`, { json });
        assertEquals(await client.stream.closed, { code: 4001, reason: "access ended" });
      }
      const client = await RpcClient.open(served, "alice");
      await venue.call("operator", "PATCH", `/api/v2/admin/members/${ALICE}`, {
        json: { state: "locked" },
      });
      assertEquals((await client.stream.closed).code, 4001);
    }));
});

describe("an open connection", () => {
  it("answers malformed frames, and continues", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      const errors = ["server.method.invalid_message_body"];
      for (const [text, id] of [["{", null], ["[1]", null], ['[3,5,"x",[]]', 5]]) {
        alice.stream.send(String(text));
        assertEquals(await alice.stream.next(), [2, id, "error", errors]);
      }
      assertEquals(await alice.ask("fly"), [
        2,
        1,
        "error",
        ["server.method_not_allowed"],
        { details: { field: "method", value: "fly" } },
      ]);
      alice.stream.send("ping");
      assertEquals(await alice.stream.next(), "pong");
      assertEquals(await alice.call("list_orders"), []);
    }));

  it("ends on a frame that is too big", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      alice.stream.send(`[1,1,"${"x".repeat(BULK_BODY_BYTES_MAX)}",[]]`);
      assertEquals((await alice.stream.closed).code, 1009);
    }));

  it("shares the rate limit of its key", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      assertEquals(await alice.call("list_orders"), []);
      assertEquals(await alice.call("list_orders"), []);
      const refused = await alice.ask("list_orders");
      assertEquals(refused.slice(2), ["error", ["server.rate_limited"], { retry_after: 1 }]);
      alice.stream.send("no request");
      assertEquals((await alice.stream.next())[3], ["server.rate_limited"]);
      const call = await served.venue.get("alice", ORDERS);
      assertEquals([call.status, call.body.errors], [429, ["server.rate_limited"]]);
    }, { rateLimit: 3 }));

  it("counts cancels separately, however they come", () =>
    withServedVenue(async (served) => {
      const limited = ["server.rate_limited"];
      const alice = await RpcClient.open(served, "alice");
      for (let i = 0; i < 2; i++) await alice.call("list_orders");
      assertEquals(await alice.refusal("list_orders"), limited);
      assertEquals((await alice.ask("cancel_order", ["all"])).slice(2), ["cancel_order", null]);
      const bulk = await alice.ask("cancel_bulk", ["id", [1]]);
      assertEquals(bulk.slice(2, 4), ["cancel_bulk", ["error"]]);
      assertEquals((await alice.ask("cancel_all_after", ["0"]))[2], "cancel_all_after");
      assertEquals(await alice.refusal("cancel_order", ["all"]), limited);
      const { status } = await served.venue.post("alice", "/api/v2/trading/market/orders/cancel");
      assertEquals(status, 429);
    }, { rateLimit: 3 }));

  it("ends if its client keeps asking after many rate limit answers", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      await assertRejects(async () => {
        for (let i = 0; i <= 2 * REQUESTS_AT_ONCE_MAX; i++) await alice.ask("fly");
      });
      assertEquals((await alice.stream.closed).code, 1008);
    }, { rateLimit: 3 }));

  it("answers every order it took, even if too many came at once", () =>
    withServedVenue(async (served) => {
      const alice = await RpcClient.open(served, "alice");
      const order = ["btcusdt", "l", "buy", "0.01", "100"];
      for (let id = 0; id < 3 * REQUESTS_AT_ONCE_MAX; id++) {
        alice.stream.send([1, id, "create_order", order]);
      }
      assertEquals((await alice.stream.closed).code, 1008);
      const told = alice.stream.frames.filter(([, , method]) => method === "create_order");
      const { orders } = served.venue.engine.venue.counters;
      assert(orders > 0);
      assertEquals(told.length, orders);
    }, { rateLimit: 20 }));

  it("ends if an anonymous client asks too often", () =>
    withServedVenue(async (served) => {
      const anybody = await RpcClient.open(served, null);
      // The allowance refills meanwhile.
      await assertRejects(async () => {
        for (let i = 0; i <= 2 * REQUESTS_AT_ONCE_MAX; i++) await anybody.ask("fly");
      });
      assertEquals((await anybody.stream.closed).code, 1008);
    }));

  it("asks nothing of the venue before the key's addresses are known", () =>
    withVenue(async (venue) => {
      let asked = 0;
      const answer = () => (asked += 1, new Promise<never>(() => {}));
      const { connection } = withoutSocket(venue, answer, undefined, LATE_MS_MAX + 1);
      connection.onText('[1,1,"cancel_order",["all"]]');
      await yieldToOthers();
      assertEquals(asked, 1, "what others have done, and no cancel");
    }));

  it("names the error to a signed client, however often it errs", () =>
    withVenue(async (venue) => {
      const { connection, frames } = withoutSocket(venue, () => new Promise(() => {}));
      for (let count = 1; count <= REQUESTS_AT_ONCE_MAX + 50; count++) {
        connection.onText('[1,1,"fly"]');
        while (frames.length < count) await yieldToOthers();
      }
      assertEquals(frames.at(-1)[3], ["server.method_not_allowed"]);
    }));

  it("says what the store can't tell, with the order to ask for", () =>
    withVenue(async (venue) => {
      const told = async (error: Error, frame: unknown) => {
        const { connection, frames } = withoutSocket(venue, () => Promise.reject(error));
        connection.onText(JSON.stringify(frame));
        await eventually("the answer", () => frames.length > 0);
        return frames[0].slice(2);
      };
      const named = [...BUY, { client_order_id: "my-1" }];
      assertEquals(await told(new OutcomeUnknownError([7]), [1, 1, "create_order", named]), [
        "error",
        ["server.outcome_unknown"],
        { client_order_id: "my-1" },
      ]);
      assertEquals(await told(new OutcomeUnknownError([7]), [1, 1, "create_order", BUY]), [
        "error",
        ["server.outcome_unknown"],
        { uuid: "uuid-7" },
      ]);
      assertEquals(await told(new UnavailableError(), [1, 1, "list_orders"]), [
        "error",
        ["server.unavailable"],
        { retry_after: 1 },
      ]);
      assertEquals(venue.unexpected, []);
      const fault = new Error("fault");
      const [kind, errors, beside] = await told(fault, [1, 1, "create_order", BUY]);
      assertEquals([kind, errors], ["error", ["server.internal_error"]]);
      assertMatch(beside.request_id, /^[0-9a-f-]{36}$/);
      assertEquals(venue.unexpected, [fault]);
    }));
});
