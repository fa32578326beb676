/** What an order has moved and paid: its average price, total and fees. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { withServedVenue } from "../../support/served_venue.ts";
import { withVenue } from "../../support/with_venue.ts";

const READ = "/api/v2/backend/market/orders";
const STATEMENT = "/api/v2/backend/account/statements/orders.csv";

describe("an order's totals", () => {
  it("have ledger digits, however coarse the market is", () =>
    withVenue(async (venue) => {
      for (const [amount, price] of [["2", "0.01"], ["1", "0.02"]] as const) {
        await venue.order("bob", { side: "sell", amount, price });
      }
      const bought = await venue.order("alice", { amount: "3", price: "0.02" });
      const { body } = await venue.get("alice", `${READ}/${bought.body.id}`);
      assertEquals([body.avg_price, body.executed_total], ["0.0133333333333333", "0.04"]);
      const [listed] = (await venue.get("alice", READ)).body;
      assertEquals([listed.avg_price, listed.executed_total], ["0.0133333333333333", "0.04"]);
    }));

  it("show the fees paid by currency, as taker and as maker", () =>
    withServedVenue(async ({ venue, listenAs }) => {
      const fees = { maker: "0.001", taker: "0.002" };
      await venue.post("operator", "/api/v2/admin/trading_fees", fees);
      const client = await listenAs("alice", "?stream=order");
      await venue.order("bob", { side: "sell", amount: "1", price: "100" });
      const created = await venue.order("alice", { amount: "3", price: "101" });
      assertEquals([created.body.executed_total, created.body.fees], ["0", {}]);
      await venue.order("bob", { side: "sell", amount: "1.5", price: "101" });
      const shown = async () => {
        const { order } = await client.message("order");
        return [order.executed_total, order.fees];
      };
      assertEquals([await shown(), await shown(), await shown()], [
        ["0.0", {}],
        ["100.0", { btc: "0.002" }],
        ["251.5", { btc: "0.0035" }],
      ]);
      const { body } = await venue.get("alice", `${READ}/${created.body.id}`);
      assertEquals([body.avg_price, body.executed_total, body.fees], [
        "100.6",
        "251.5",
        { btc: "0.0035" },
      ]);
      const { text } = await venue.get("alice", STATEMENT);
      const [names = "", line = ""] = text.split("\r\n");
      assertEquals(names.split(",").slice(-3), ["executed_total", "fee", "fee_currency"]);
      assertEquals(line.split(",").slice(-3), ["251.5", "0.0035", "btc"]);
      const sold = await venue.get("bob", `${READ}?order_by=asc`);
      assertEquals(sold.body.map((one: { fees: unknown }) => one.fees), [
        { usdt: "0.1" },
        { usdt: "0.303" },
      ]);
    }));
});
