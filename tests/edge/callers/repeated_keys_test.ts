import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { withVenue } from "../../support/with_venue.ts";

const ACCOUNT = "/api/v2/backend/account";

/** Filters with a single value: endpoint, field and identifier. */
const SINGLE = [
  [`${ACCOUNT}/deposits`, "txid", "account.deposit.invalid_txid"],
  [`${ACCOUNT}/deposits`, "currency", "account.deposit.invalid_currency"],
  [`${ACCOUNT}/withdraws`, "rid", "account.withdraw.invalid_rid"],
  [`${ACCOUNT}/transactions`, "txid", "account.transactions.invalid_txid"],
  [`${ACCOUNT}/transactions`, "page", "account.transactions.non_integer_page"],
  [`${ACCOUNT}/statements/trades.csv`, "market", "account.statement.invalid_market"],
  ["/api/v2/backend/account/stats/pnl", "pnl_currency", "pnl.currency.doesnt_exist"],
  ["/api/v2/backend/public/markets", "search[base_name]", "public.markets.invalid_search"],
] as const;

describe("a key that a query repeats", () => {
  it("is refused and named if the filter takes one value", () =>
    withVenue(async (venue) => {
      for (const [path, field, identifier] of SINGLE) {
        for (const again of [field, `${field}[]`, `${field}[1]`, `${field}%5B0%5D`]) {
          const answer = await venue.get("alice", `${path}?${field}=a&${again}=b`);
          assertEquals([answer.status, answer.body?.errors], [422, [identifier]], path);
          const { rule: _, ...details } = answer.body.details;
          assertEquals(details, { field, value: '["a","b"]' });
        }
      }
    }));
});
