import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UIDS } from "../../../support/beneficiaries.ts";
import { withVenue } from "../../../support/with_venue.ts";

const RATES = { maker: "0.1", taker: "0.1" };
const LIMITS = { limit_24_hour: "1", limit_1_month: "1" };

/** Method, path, further fields, prefix of the identifiers, and the fields that may not be null. */
const CALLS = [
  ["POST", "trading_fees", RATES, "admin.trading_fee", ["market_id", "group"]],
  ["POST", "withdraw_limits", LIMITS, "admin.withdraw_limit", ["group", "kyc_level", "level"]],
  ["PATCH", "switches", {}, "admin.switches", ["trading", "withdrawals"]],
  ["PATCH", "currencies/btc", {}, "admin.currency", [
    "visible",
    "withdrawal_enabled",
    "precision",
    "withdraw_fee",
  ]],
  ["PATCH", "markets/btcusdt", {}, "admin.market", ["state", "max_price", "price_precision"]],
  ["PATCH", "members/{uid}", {}, "admin.member", [
    "state",
    "level",
    "open_orders_max",
    "market_orders_enabled",
    "otp",
  ]],
  ["POST", "members/{uid}/api_keys", {}, "admin.api_key", ["ip_allow_list"]],
] as const;

describe("null in an operator's call", () => {
  for (const [method, path, fields, prefix, names] of CALLS) {
    it(`of ${method} ${path} is refused where it would widen or change nothing`, () =>
      withVenue(async (venue) => {
        const to = `/api/v2/admin/${path.replace("{uid}", UIDS.bob)}`;
        for (const name of names) {
          const json = { ...fields, [name]: null, reason: "a test" };
          const { status, body } = await venue.call("operator", method, to, { json });
          const expected = [422, [`${prefix}.invalid_${name}`], name];
          assertEquals([status, body.errors, body.details?.field], expected);
        }
        const json = { ...fields, reason: "a test" };
        const { status } = await venue.call("operator", method, to, { json });
        assertEquals(Math.floor(status / 100), 2, "without them it is made");
      }));
  }
});
