import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { withVenue } from "../../support/with_venue.ts";

const TRADING = "/api/v2/trading/market";
const PEATIO = "/api/v2/peatio/market";
const NO_UUID = "00000000-0000-8000-8000-000000000000";

const CANCELS: readonly (readonly [method: string, path: string, json?: unknown])[] = [
  ["POST", `${TRADING}/orders/cancel/1`],
  ["POST", `${PEATIO}/orders/1/cancel`],
  ["POST", `${TRADING}/orders/cancel`, {}],
  ["POST", `${PEATIO}/orders/cancel`, {}],
  ["DELETE", `${TRADING}/bulk/orders`, [NO_UUID]],
  ["DELETE", `${TRADING}/bulk/orders_by_id`, [1]],
  ["POST", `${TRADING}/orders/cancel_all_after`, { timeout: 0 }],
];

describe("cancels by a key over its rate limit", () => {
  it("are accepted, of every kind", () =>
    withVenue(async (venue) => {
      for (const _ of CANCELS) await venue.order("alice");
      assertError(await venue.order("alice"), 429, "server.rate_limited");
      for (const [index, [method, path, json]] of CANCELS.entries()) {
        const { status, headers } = await venue.call("alice", method, path, { json });
        assertEquals(status < 300, true, `${method} ${path} ${status}`);
        const left = String(CANCELS.length - 1 - index);
        assertEquals(headers.get("ratelimit-remaining"), left, `${method} ${path}`);
      }
    }, { rateLimit: CANCELS.length }));

  it("have a limit of their own, and use up no other", () =>
    withVenue(async (venue) => {
      const cancel = () => venue.post("alice", `${TRADING}/orders/cancel`, {});
      assertEquals((await cancel()).status, 200);
      assertError(await cancel(), 429, "server.rate_limited");
      assertEquals((await venue.order("alice")).status, 201);
    }, { rateLimit: 1 }));
});
