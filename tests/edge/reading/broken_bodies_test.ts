import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const TRADING = "/api/v2/trading/market";
const BROKEN = "server.method.invalid_message_body";
const JSON_TYPE = { "Content-Type": "application/json" };
/** Each write that takes JSON, and the status of broken JSON. */
const WRITES: readonly [status: number, method: string, path: string][] = [
  [422, "POST", `${TRADING}/orders/cancel/1`],
  [422, "POST", `${TRADING}/orders/cancel`],
  [400, "POST", `${TRADING}/orders`],
  [422, "POST", `${TRADING}/bulk/orders`],
  [422, "DELETE", `${TRADING}/bulk/orders`],
  [422, "DELETE", `${TRADING}/bulk/orders_by_id`],
  [400, "POST", `${TRADING}/orders/cancel_all_after`],
  [400, "POST", "/api/v2/backend/account/withdraws"],
  [400, "POST", "/api/v2/backend/account/beneficiaries"],
  [400, "PATCH", "/api/v2/backend/account/beneficiaries/1/activate"],
];

async function openCount(venue: TestVenue): Promise<number> {
  return (await venue.get("alice", "/api/v2/backend/market/orders?state=wait")).body.length;
}

describe("broken JSON", () => {
  it("has one identifier, and the status that the specification has for the call", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      for (const [status, method, path] of WRITES) {
        for (const text of ["{", '{"market":', "market=btcusdt", "[1,", '{"a":"\ufffd"}']) {
          const answer = await venue.call("alice", method, path, { text, headers: JSON_TYPE });
          assertError(answer, status, BROKEN);
        }
      }
      assertEquals(await openCount(venue), 1);
    }));
});

describe("a key that is there twice", () => {
  it("is named, wherever it is, and nothing happens", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      const order = '{"market":"btcusdt","side":"buy","side":"sell","amount":"1","type":"limit",' +
        '"price":"100"}';
      const beneficiary = '{"currency":"btc","name":"n","data":{"address":"a","address":"b"}}';
      const cases: [method: string, path: string, text: string, field: string][] = [
        ["POST", `${TRADING}/orders`, order, "side"],
        ["POST", "/api/v2/peatio/market/orders", order, "side"],
        ["POST", `${TRADING}/bulk/orders`, `[${order}]`, "side"],
        ["POST", `${TRADING}/orders/cancel`, '{"market":"ethusdt","market":"btcusdt"}', "market"],
        ["POST", `${TRADING}/orders/cancel_all_after`, '{"timeout":0,"timeout":9}', "timeout"],
        ["POST", "/api/v2/backend/account/beneficiaries", beneficiary, "address"],
      ];
      for (const [method, path, text, field] of cases) {
        const answer = await venue.call("alice", method, path, { text, headers: JSON_TYPE });
        assertError(answer, 422, "server.repeated_field");
        assertEquals(answer.body.details, { field });
      }
      const switches = { text: '{"trading":true,"trading":false}', headers: JSON_TYPE };
      const operators = await venue.call("operator", "PATCH", "/api/v2/admin/switches", switches);
      assertEquals(operators.body.details, { field: "trading" });
      const data = { data: '{"address":"a","address":"b"}', currency: "btc", name: "n" };
      const asText = await venue.post("alice", "/api/v2/backend/account/beneficiaries", data);
      assertError(asText, 422, "server.repeated_field");
      assertEquals(asText.body.details, { field: "data.address" });
      const search = encodeURIComponent('{"base_code":"btc","base_code":"eth"}');
      const searched = await venue.get(null, `/api/v2/backend/public/markets?search=${search}`);
      assertError(searched, 422, "server.repeated_field");
      assertEquals(searched.body.details, { field: "search.base_code" });
      assertEquals(await openCount(venue), 1);
    }));
});
