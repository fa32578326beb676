import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { type CallOptions, type TestVenue, withVenue } from "../../support/with_venue.ts";

const ORDERS = "/api/v2/trading/market/orders";
const PEATIO = "/api/v2/peatio/market/orders";
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

/** Places three orders of alice: buys on two markets, and a sell. */
async function openOrders(venue: TestVenue): Promise<void> {
  await venue.order("alice");
  await venue.order("alice", { side: "sell", price: "200" });
  await venue.order("alice", { market: "ethusdt" });
}

/** Returns how many orders are open. */
function openCount(venue: TestVenue): number {
  return venue.engine.venue.holders.reduce((sum, holder) => {
    return sum + [...holder.openOrders.values()].length;
  }, 0);
}

/** Returns the orders that a cancel with this query and body cancels, as market and side. */
async function cancelled(
  venue: TestVenue,
  path: string,
  options: CallOptions = {},
): Promise<string[]> {
  await openOrders(venue);
  const { body } = await venue.call("alice", "POST", path, options);
  await venue.post("alice", `${ORDERS}/cancel`);
  return body.map((order: { market: string; side: string }) => `${order.market} ${order.side}`);
}

describe("fields of a write in its query", () => {
  it("choose what is cancelled if the body does not", () =>
    withVenue(async (venue) => {
      for (const path of [`${ORDERS}/cancel`, `${PEATIO}/cancel`]) {
        const both = `${path}?market=btcusdt&side=sell`;
        const empty: CallOptions[] = [{}, { text: "null" }, { json: {} }, {
          text: "",
          headers: FORM,
        }];
        for (const options of empty) {
          assertEquals(await cancelled(venue, both, options), ["btcusdt sell"], path);
        }
        const beside = { json: { market: "btcusdt" } };
        assertEquals(await cancelled(venue, `${path}?side=buy`, beside), ["btcusdt buy"]);
        const form = { text: "market=btcusdt", headers: FORM };
        assertEquals(await cancelled(venue, `${path}?side=buy`, form), ["btcusdt buy"]);
      }
    }));

  it("yield to the body's, in which null says nothing", () =>
    withVenue(async (venue) => {
      const path = `${ORDERS}/cancel?market=ethusdt`;
      const own = { json: { market: "btcusdt", side: "sell" } };
      assertEquals(await cancelled(venue, path, own), ["btcusdt sell"]);
      assertEquals(await cancelled(venue, path, { json: { market: null } }), ["ethusdt buy"]);
    }));

  it("are checked like a body's, and by the rules of queries", () =>
    withVenue(async (venue) => {
      await openOrders(venue);
      const cases = [
        ["market=nope", "market.market.doesnt_exist"],
        ["market=", "market.market.doesnt_exist"],
        ["side=up", "market.order.invalid_side"],
        ["market=btcusdt&market=ethusdt", "market.order.invalid_market"],
      ];
      for (const [query, identifier] of cases) {
        const answer = await venue.post("alice", `${ORDERS}/cancel?${query}`);
        assertError(answer, 422, identifier ?? "");
      }
      const { body } = await venue.get("alice", "/api/v2/backend/market/orders?state=wait");
      assertEquals(body.length, 3);
    }));

  it("place an order under the names that its path uses", () =>
    withVenue(async (venue) => {
      const terms = "market=btcusdt&side=buy&price=100";
      const order = await venue.post("alice", `${ORDERS}?${terms}&type=limit&amount=0.5`);
      assertEquals([order.status, order.body.volume], [201, "0.5"]);
      const older = await venue.post("alice", `${PEATIO}?${terms}`, { volume: "0.25" });
      assertEquals([older.status, older.body.volume], [201, "0.25"]);
    }));

  it("are refused beside lists, which have no place for them", () =>
    withVenue(async (venue) => {
      await openOrders(venue);
      const bulk = "/api/v2/trading/market/bulk/orders";
      const item = { market: "btcusdt", side: "buy", amount: "1", type: "limit", price: "100" };
      const open = openCount(venue);
      assertError(
        await venue.call("alice", "DELETE", `${bulk}?market=btcusdt`),
        422,
        "server.unknown_field",
      );
      assertError(
        await venue.post("alice", `${bulk}?post_only=true`, [item]),
        422,
        "server.unknown_field",
      );
      assertEquals(openCount(venue), open);
      assertError(
        await venue.post("alice", `${ORDERS}?market=btcusdt`, [item]),
        422,
        "server.method.invalid_message_body",
      );
    }));

  it("carry no secret, and are not for people or operators", () =>
    withVenue(async (venue) => {
      const withdraws = "/api/v2/backend/account/withdraws";
      const query = "otp=123456&beneficiary_id=1&currency=btc&amount=1";
      const answer = await venue.post("alice", `${withdraws}?${query}`);
      assertError(answer, 422, "account.withdraw.missing_otp");
      const person = "email=alice@demo.invalid&password=Demo-alice-1";
      const session = await venue.post(null, `/api/v2/auth/identity/sessions?${person}`);
      assertEquals([session.status, session.body.details.field], [422, "email"]);
      const switches = "/api/v2/admin/switches";
      const reason = { json: { reason: "a test" } };
      await venue.call("operator", "PATCH", `${switches}?trading=false`, reason);
      assertEquals((await venue.get("operator", switches)).body.trading, true);
    }));
});
