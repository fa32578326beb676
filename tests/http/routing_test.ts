import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import * as z from "zod";
import { createEndpoints } from "../../src/http/endpoints.ts";
import { CREATED_ORDER } from "../../src/edge/schemas/answers.ts";
import { assertError } from "../support/assert_error.ts";
import { Person } from "../support/person.ts";
import { withVenue } from "../support/with_venue.ts";

const PEATIO = "/api/v2/peatio";
/** Every writing endpoint, with each of its paths. */
const WRITES = createEndpoints().filter(({ method }) => method !== "GET")
  .flatMap(({ method, paths }) => paths.map((path) => ({ method, path })));

/** Returns whether a path addresses one item of the collection at the other path. */
function isOneOf(path: string, whole: string): boolean {
  return path.startsWith(`${whole}/{`) && /^\/\{\w+\}$/.test(path.slice(whole.length));
}

describe("routing", () => {
  it("answers 404 to unknown paths before asking who calls", () =>
    withVenue(async (venue) => {
      assertError(await venue.get(null, "/api/v2/nowhere"), 404, "route.not_found");
      assertError(await venue.get(null, "/api/v2"), 404, "route.not_found");
    }));

  it("answers 405 with a path's methods before asking who calls", () =>
    withVenue(async (venue) => {
      const answer = await venue.call(null, "PUT", "/api/v2/trading/market/orders");
      assertError(answer, 405, "server.method_not_allowed");
      assertEquals(answer.headers.get("allow"), "POST");
      const read = await venue.post(null, "/api/v2/backend/market/orders/1");
      assertEquals([read.status, read.headers.get("allow")], [405, "GET, HEAD"]);
    }));

  it("reads the same from a path that ends in a slash", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice");
      for (const end of ["orders", `orders/${body.id}`, "trades"]) {
        const { status } = await venue.get("alice", `/api/v2/backend/market/${end}/`);
        assertEquals(status, 200, end);
      }
    }));

  it("takes more slashes than one behind the name of a group, and nowhere else", () =>
    withVenue(async (venue) => {
      for (const rest of ["/market/orders", "//market/orders/", "///market/orders"]) {
        const { status } = await venue.get("alice", `/api/v2/peatio${rest}`);
        assertEquals(status, 200, rest);
      }
      for (const path of ["//api/v2/peatio/market/orders", `${PEATIO}/market//orders`]) {
        assertError(await venue.get("alice", path), 404, "route.not_found");
      }
    }));

  it("takes no cancel of an empty id as one of all orders", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice");
      const trading = "/api/v2/trading/market/orders/cancel";
      const ends = ["/", "//", "/?id=", "/.", "/%2e"].map((end) => trading + end);
      const peatio = ["cancel/", "/cancel"].map((end) => `${PEATIO}/market/orders/${end}`);
      for (const path of [...ends, ...peatio]) {
        assertError(await venue.post("alice", path), 404, "route.not_found");
      }
      const read = await venue.get("alice", `/api/v2/backend/market/orders/${body.id}`);
      assertEquals(read.body.state, "wait");
    }));

  it("writes the same to a path that ends in a slash, unless an id may be missing", () =>
    withVenue(async (venue) => {
      for (const { method, path } of WRITES) {
        const filled = path.replace(/\{\w+\}/g, "1");
        const plain = await venue.call(null, method, filled);
        const slashed = await venue.call(null, method, `${filled}/`);
        assertEquals([404, 405].includes(plain.status), false, `${method} ${path}`);
        const isAmbiguous = path.endsWith("/cancel") ||
          WRITES.some((one) => one.method === method && isOneOf(one.path, path));
        if (isAmbiguous) assertError(slashed, 404, "route.not_found");
        else assertEquals([slashed.status, slashed.text], [plain.status, plain.text], path);
        assertError(await venue.call(null, method, `${filled}//`), 404, "route.not_found");
      }
      const order = { market: "btcusdt", side: "buy", type: "limit", amount: "1", price: "100" };
      const placed = await venue.post("alice", "/api/v2/trading/market/orders/", order);
      assertEquals(placed.status, 201);
      const cancel = `/api/v2/trading/market/orders/cancel/${placed.body.id}/`;
      assertEquals((await venue.post("alice", cancel)).body.state, "cancel");
    }));

  it("takes no write whose last id is empty as another one", () =>
    withVenue(async (venue) => {
      const named = WRITES.filter(({ path }) => path.endsWith("}"));
      assert(named.length > 5);
      for (const { method, path } of named) {
        const empty = path.replace(/\{\w+\}$/, "").replace(/\{\w+\}/g, "1");
        for (const signer of [null, "alice", "operator"] as const) {
          const { status } = await venue.call(signer, method, empty);
          assert(status === 404 || status === 405, `${method} ${empty} ${status}`);
        }
      }
    }));

  it("takes no write with an empty id inside its path", () =>
    withVenue(async (venue) => {
      for (const { method, path } of WRITES.filter(({ path }) => path.includes("}/"))) {
        const answer = await venue.call("alice", method, path.replace(/\{\w+\}/g, ""));
        assertError(answer, 404, "route.not_found");
      }
    }));

  it("also serves trading under the family's name for it", () =>
    withVenue(async (venue) => {
      const finex = "/api/v2/finex";
      const order = { market: "btcusdt", side: "buy", amount: "1", price: "100", type: "limit" };
      const placed = await venue.post("alice", `${finex}/market/orders`, order);
      assertEquals([placed.status, placed.body.price], [201, "100"]);
      const bulk = await venue.post("alice", `${finex}/market/bulk/orders`, [order]);
      assertEquals(bulk.status, 201);
      const ids = [bulk.body[0].id];
      const path = `${finex}/market/bulk/orders_by_id`;
      assertEquals((await venue.call("alice", "DELETE", path, { json: ids })).status, 200);
      const open = await venue.get("alice", `${finex}/market/orders?state[]=wait&type=buy`);
      assertEquals([open.status, open.body.length], [200, 1]);
      const read = await venue.get("alice", `${finex}/market/orders/${placed.body.uuid}`);
      assertEquals([read.status, read.body.price, read.body.trades], [200, "100", []]);
      const one = await venue.post("alice", `${finex}/market/orders/cancel/${placed.body.id}`);
      assertEquals([one.status, one.body.state], [201, "cancel"]);
      const all = await venue.post("alice", `${finex}/market/orders/cancel`, { market: "btcusdt" });
      assertEquals([all.status, all.body], [200, []]);
      for (const end of ["markets", "markets/btcusdt/k-line", "currencies", "currencies/btc"]) {
        assertEquals((await venue.get(null, `${finex}/public/${end}`)).status, 200, end);
      }
    }));

  it("also serves people under the family's name for it", () =>
    withVenue(async (venue) => {
      const carol = await Person.join(venue);
      const { uid, email, password } = carol;
      const call = (method: string, end: string, json?: unknown) =>
        carol.call(method, `/api/v2/barong/${end}`, json === undefined ? {} : { json });
      const signedIn = await call("POST", "identity/sessions", { email, password });
      assertEquals([signedIn.status, signedIn.body.uid], [200, uid]);
      const me = await call("GET", "resource/users/me");
      assertEquals([me.status, me.body.csrf_token], [200, signedIn.body.csrf_token]);
      assertEquals((await call("POST", "resource/otp/generate_qrcode")).status, 201);
      assertEquals((await call("GET", "resource/users/activity/all?limit=25&page=1")).status, 200);
      assertEquals((await call("DELETE", "identity/sessions")).status, 200);
      assertError(await call("GET", "resource/users/me"), 401, "authz.invalid_session");
    }));

  it("forbids guessing the type of any answer", () =>
    withVenue(async (venue) => {
      const paths = ["/docs", "/api/v2/openapi.json", "/nowhere", "/api/v2/backend/public/markets"];
      for (const path of [...paths, "/api/v2/backend/account/balances", `/${"a".repeat(9000)}`]) {
        const { headers } = await venue.get(null, path);
        assertEquals(headers.get("x-content-type-options"), "nosniff", path.slice(0, 40));
      }
    }));

  it("lets no cache keep private answers", () =>
    withVenue(async (venue) => {
      const balances = "/api/v2/backend/account/balances";
      const kept = async (signer: "alice" | null, path: string) =>
        (await venue.get(signer, path)).headers.get("cache-control");
      assertEquals(await kept("alice", balances), "no-store");
      assertEquals(await kept("alice", "/api/v2/backend/market/orders/999"), "no-store");
      assertEquals((await venue.order("alice")).headers.get("cache-control"), "no-store");
      assertEquals(await kept(null, "/api/v2/backend/public/markets"), null);
    }));

  it("keeps its reference out of frames, and scripts out of it", () =>
    withVenue(async (venue) => {
      const { headers, text } = await venue.get(null, "/docs");
      const policy = headers.get("content-security-policy") ?? "";
      const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? "";
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
      assertEquals(policy.startsWith("default-src 'none'; "), true);
      assertEquals(policy.includes("script-src"), false);
      assertEquals(policy.includes("frame-ancestors 'none'"), true);
      assertEquals(
        policy.includes(`style-src 'sha256-${new Uint8Array(digest).toBase64()}';`),
        true,
      );
      assertEquals(headers.get("x-frame-options"), "DENY");
    }));

  it("refuses a URL that is too long before parsing it", () =>
    withVenue(async (venue) => {
      const path = "/api/v2/backend/public/markets?x=";
      const good = await venue.get(null, path + "a".repeat(8_000));
      assertEquals(good.status, 200);
      const answer = await venue.get(null, path + "a".repeat(8_192));
      assertError(answer, 414, "server.url_too_long");
    }));

  it("answers 503 with Retry-After once the venue is closed", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      await venue.engine.close();
      const answer = await venue.order("alice");
      assertError(answer, 503, "server.unavailable");
      assertEquals(answer.headers.get("retry-after"), "1");
    }));
});

describe("the paths of the family's older members", () => {
  it("place orders under their own field names, limit by default", () =>
    withVenue(async (venue) => {
      const answer = await venue.post("alice", `${PEATIO}/market/orders`, {
        market: "btcusdt",
        side: "buy",
        volume: "0.5",
        price: "100",
        client_id: "c-1",
      });
      assertEquals(answer.status, 201);
      CREATED_ORDER.extend({ created_at: z.iso.datetime() }).parse(answer.body);
      const { ord_type, origin_volume, client_order_id } = answer.body;
      assertEquals([ord_type, origin_volume, client_order_id], ["limit", "0.5", "c-1"]);
      const missing = await venue.post("alice", `${PEATIO}/market/orders`, { side: "buy" });
      assertError(missing, 422, "market.order.missing_market", "market.order.missing_volume");
    }));

  it("name the fields of an order as they have it", () =>
    withVenue(async (venue) => {
      const order = { market: "btcusdt", side: "buy", volume: "1", price: "100" };
      const change = (path: string, json: unknown) =>
        venue.call("operator", "PATCH", `/api/v2/admin/${path}`, { json });
      await change("members/IDA11CE00001", { market_orders_enabled: false });
      for (const client_id of ["a", "b"]) {
        await venue.post("alice", `${PEATIO}/market/orders`, { ...order, client_id });
      }
      const cases: [Record<string, unknown>, string][] = [
        [{ volume: "1.0000001" }, "volume"],
        [{ volume: "1000000" }, "volume"],
        [{ volume: "x" }, "volume"],
        [{ price: "1.001" }, "price"],
        [{ ord_type: "market", price: null }, "ord_type"],
        [{ ord_type: "x" }, "ord_type"],
        [{ client_id: "a", price: "99" }, "client_id"],
        [{ client_order_id: "a", price: "99" }, "client_order_id"],
        [{ client_id: null, client_order_id: "a", price: "99" }, "client_order_id"],
        [{ client_id: "b", client_order_id: "a", price: "99" }, "client_id"],
      ];
      const bulk = `${PEATIO}/market/bulk/orders`;
      for (const [terms, field] of cases) {
        const wrong = { ...order, ...terms };
        const one = await venue.post("alice", `${PEATIO}/market/orders`, wrong);
        assertEquals([one.status, one.body.details?.field], [422, field], one.text);
        const many = await venue.post("alice", bulk, [{ ...order, client_id: "c" }, wrong]);
        assertEquals([many.body.index, many.body.details?.field], [1, field], many.text);
      }
      const mixed = await venue.post("alice", bulk, [{ ...order, volume: "1.0000001" }, {}]);
      assertEquals([mixed.body.index, mixed.body.details.field], [0, "volume"]);
      const asked = `${PEATIO}/market/orders?client_id=a`;
      const other = await venue.post("alice", asked, { ...order, price: "99" });
      const details = { field: "client_id", rule: "unique", type: "limit" };
      assertEquals(other.body.details, details);
      const { body } = await venue.order("alice", { amount: "1.0000001" });
      assertEquals(body.details.field, "amount");
    }));

  it("show an order's own id under its older name as well, newer paths do not", () =>
    withVenue(async (venue) => {
      const order = { market: "btcusdt", side: "buy", volume: "1", price: "100" };
      const created = await venue.post("alice", `${PEATIO}/market/orders`, {
        ...order,
        client_id: "mine",
      });
      const repeated = await venue.post("alice", `${PEATIO}/market/orders`, {
        ...order,
        client_id: "mine",
      });
      const unnamed = await venue.post("alice", `${PEATIO}/market/bulk/orders`, [order]);
      assertEquals([created.body.client_id, repeated.body.client_id], ["mine", "mine"]);
      assertEquals(unnamed.body[0].client_id, null);
      const { id } = created.body;
      const read = await venue.get("alice", `${PEATIO}/market/orders/${id}`);
      const listed = await venue.get("alice", `${PEATIO}/market/orders`);
      const cancelled = await venue.post("alice", `${PEATIO}/market/orders/cancel`);
      assertEquals([read.body.client_id, listed.body[1].client_id], ["mine", "mine"]);
      assertEquals(cancelled.body.map((one: { client_id: unknown }) => one.client_id), [
        "mine",
        null,
      ]);
      const newer = await venue.get("alice", `/api/v2/backend/market/orders/${id}`);
      assertEquals([newer.body.client_order_id, "client_id" in newer.body], ["mine", false]);
      assertEquals("client_id" in (await venue.order("alice")).body, false);
    }));

  it("cancel and read orders", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice");
      const cancelled = await venue.post("alice", `${PEATIO}/market/orders/${body.id}/cancel`);
      assertEquals([cancelled.status, cancelled.body.state, cancelled.body.price], [
        201,
        "wait",
        "100.0",
      ]);
      await venue.order("alice");
      const all = await venue.post("alice", `${PEATIO}/market/orders/cancel`, {});
      assertEquals([all.status, all.body.length], [201, 1]);
      assertEquals((await venue.get("alice", `${PEATIO}/market/orders`)).body.length, 2);
      assertEquals((await venue.get("alice", `${PEATIO}/market/orders/${body.id}`)).status, 200);
      assertEquals((await venue.get("alice", `${PEATIO}/market/trades`)).body, []);
      assertEquals((await venue.get("alice", `${PEATIO}/account/balances/btc`)).status, 200);
      assertEquals((await venue.get("alice", `${PEATIO}/account/balances`)).body.length, 4);
    }));

  it("take a client order id if the query says that it is one", () =>
    withVenue(async (venue) => {
      const { body } = await venue.order("alice", { client_order_id: "179" });
      const named = `${PEATIO}/market/orders/179`;
      assertError(await venue.get("alice", named), 404, "record.not_found");
      const read = await venue.get("alice", `${named}?client_id=true`);
      assertEquals([read.status, read.body.id], [200, body.id]);
      const other = "/api/v2/backend/market/orders/179?client_id=true";
      assertError(await venue.get("alice", other), 404, "record.not_found");
      const cancel = (query: string) => venue.post("alice", `${named}/cancel?client_id=${query}`);
      assertError(await cancel("false"), 422, "record.not_found");
      const cancelled = await cancel("true");
      assertEquals([cancelled.status, cancelled.body.id], [201, body.id]);
    }));

  it("show the bare order book", () =>
    withVenue(async (venue) => {
      const { body } = await venue.get(null, `${PEATIO}/public/markets/btcusdt/order-book`);
      assertEquals(body, { asks: [], bids: [] });
      for (const end of ["markets/tickers", "markets/btcusdt/depth", "currencies", "timestamp"]) {
        assertEquals((await venue.get(null, `${PEATIO}/public/${end}`)).status, 200);
      }
    }));
});
