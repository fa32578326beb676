import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../../support/assert_error.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import { type TestVenue, withVenue } from "../../../support/with_venue.ts";

const MEMBERS = "/api/v2/admin/members";
const BACKEND = "/api/v2/backend";
/** What operators read of a member, and where the member reads the same. */
const LISTS = {
  balances: `${BACKEND}/account/balances`,
  orders: `${BACKEND}/market/orders`,
  trades: `${BACKEND}/market/trades`,
};
const NAMES = ["balances", "orders", "trades"] as const;
const PAGE_HEADERS = ["page", "per-page", "total", "total-pages"];

/** Bob sells alice twice, and each keeps orders of both sides. */
async function trade(venue: TestVenue): Promise<void> {
  await venue.order("bob", { side: "sell", amount: "0.5" });
  await venue.order("alice", { amount: "0.75" });
  await venue.order("bob", { market: "ethusdt", side: "sell", amount: "0.25", price: "90" });
  await venue.order("alice", { market: "ethusdt", amount: "0.125", price: "90" });
  const { id } = (await venue.order("bob", { price: "50" })).body;
  await venue.post("bob", `${BACKEND}/market/orders/${id}/cancel`);
  await venue.order("bob", { side: "sell", price: "300" });
}

describe("what an operator reads of a member", () => {
  it("is what the member reads, whatever is asked for", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const queries = {
        balances: ["", "?nonzero=true", "?limit=1&page=2", "?search[currency_code]=t"],
        orders: ["", "?state=wait", "?market=ethusdt", "?limit=1&page=2", "?type=buy&order_by=asc"],
        trades: ["", "?market=btcusdt", "?type=sell", "?limit=1&page=2", "?order_by=asc"],
      };
      for (const signer of ["alice", "bob"] as const) {
        for (const list of NAMES) {
          for (const query of queries[list]) {
            const own = await venue.get(signer, `${LISTS[list]}${query}`);
            const seen = await venue.get("operator", `${MEMBERS}/${UIDS[signer]}/${list}${query}`);
            assertEquals([seen.status, seen.text], [200, own.text], `${signer} ${list}${query}`);
            for (const name of PAGE_HEADERS) {
              assertEquals(
                seen.headers.get(name),
                own.headers.get(name),
                `${list}${query} ${name}`,
              );
            }
          }
          const whole = await venue.get("operator", `${MEMBERS}/${UIDS[signer]}/${list}`);
          assert(whole.body.length > 0, `${signer} has ${list}`);
        }
      }
    }));

  it("is there whatever the member's state and level", () =>
    withVenue(async (venue) => {
      await trade(venue);
      const path = `${MEMBERS}/${UIDS.bob}`;
      const json = { state: "banned", level: 1 };
      assertEquals((await venue.call("operator", "PATCH", path, { json })).status, 200);
      for (const list of NAMES) {
        assertEquals((await venue.get("bob", LISTS[list])).status, 401);
        const { status, body } = await venue.get("operator", `${path}/${list}`);
        assertEquals([status, body.length > 0], [200, true], list);
      }
    }));

  it("is only for operators, and of members that exist", () =>
    withVenue(async (venue) => {
      for (const list of NAMES) {
        const own = await venue.get("alice", `${MEMBERS}/${UIDS.alice}/${list}`);
        assertError(own, 401, "authz.invalid_permission");
        const unknown = await venue.get("operator", `${MEMBERS}/IDX/${list}`);
        assertError(unknown, 404, "record.not_found");
        const misspelt = await venue.get("operator", `${MEMBERS}/${UIDS.alice}/${list}?pages=2`);
        assertError(misspelt, 422, "server.unknown_field");
      }
    }));

  it("names what is wrong in a query as the member's lists do", () =>
    withVenue(async (venue) => {
      const wrong = {
        balances: [["limit=x", "pagination.non_integer_limit"]],
        orders: [
          ["market=xyz", "market.market.doesnt_exist"],
          ["page=1000&limit=1000", "market.order.invalid_page"],
        ],
        trades: [
          ["market=xyz", "market.market.doesnt_exist"],
          ["page=1000&limit=1000", "market.trade.invalid_page"],
        ],
      };
      for (const list of NAMES) {
        for (const [query = "", error = ""] of wrong[list]) {
          const answer = await venue.get("operator", `${MEMBERS}/${UIDS.bob}/${list}?${query}`);
          assertError(answer, 422, error);
        }
      }
    }));
});
