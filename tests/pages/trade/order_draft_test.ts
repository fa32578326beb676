import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  amountForTotal,
  amountOfPart,
  type Draft,
  draftFaults,
  type DraftMeans,
  orderOf,
  pricedTotal,
} from "../../../src/pages/trade/order_draft.ts";
import { unitsText } from "../../../src/pages/shared/amounts.ts";

const MARKET = {
  id: "btcusdt",
  min_price: "0.01",
  max_price: "1000000.0",
  min_amount: "0.0001",
  min_total: "5.0",
  amount_precision: 6,
  price_precision: 2,
};

const DRAFT: Draft = {
  side: "buy",
  type: "limit",
  price: "20000",
  trigger: "",
  amount: "0.5",
  timeInForce: "gtc",
  isPostOnly: false,
  selfTrade: "cancel_newest",
  clientOrderId: "",
};

const MEANS: DraftMeans = {
  base: "1.5",
  quote: "10000.0",
  asks: [["20000.0", "0.3"], ["20010.0", "0.4"]],
  bids: [["19990.0", "0.3"]],
};

function faults(part: Partial<Draft>, means: DraftMeans = MEANS): string[] {
  return draftFaults({ ...DRAFT, ...part }, MARKET, means)
    .map(({ field, rule, limit }) => `${field} ${rule} ${limit}`.trim());
}

describe("an order as it is typed", () => {
  it("breaks no rule where the venue's are kept", () => {
    assertEquals(faults({}), []);
    assertEquals(faults({ price: "20000.00", amount: "0.500000" }), []);
    assertEquals(faults({ price: " 20000. ", amount: ".5" }), []);
    assertEquals(faults({ side: "sell", amount: "1.5" }), []);
    assertEquals(faults({ type: "market", amount: "0.4", price: "nonsense" }), []);
  });

  it("tells each rule at its field", () => {
    assertEquals(faults({ price: "", amount: "" }), ["price missing", "amount missing"]);
    assertEquals(faults({ price: "-1" }), ["price number"]);
    assertEquals(faults({ price: "1e3" }), ["price number"]);
    assertEquals(faults({ price: "1,5" }), ["price number"]);
    assertEquals(faults({ price: "1.001" }), ["price digits 2"]);
    assertEquals(faults({ price: "1000000.01" }), ["price maximum 1000000.0"]);
    assertEquals(faults({ amount: "0.0000001" }), ["amount digits 6"]);
    assertEquals(faults({ amount: "0.00001" }), ["amount minimum 0.0001"]);
    assertEquals(faults({ price: "1", amount: "1" }), ["total minimumTotal 5.0"]);
    assertEquals(faults({ amount: "0.500001" }), ["total funds 10000.0"]);
    assertEquals(faults({ side: "sell", amount: "1.500001" }), ["amount funds 1.5"]);
    assertEquals(faults({ clientOrderId: "a b" }), ["client_order_id clientOrderId"]);
    assertEquals(faults({ type: "stop_limit" }), ["trigger_price missing"]);
    assertEquals(faults({ type: "market", amount: "0.5" }), ["amount funds 10000.0"]);
    assertEquals(faults({ type: "market" }, { ...MEANS, asks: [] }), ["amount empty"]);
  });

  it("asks for no funds of somebody who is not known", () => {
    assertEquals(faults({ amount: "900" }, { ...MEANS, base: null, quote: null }), []);
  });

  it("comes to the prices that it names, or would meet", () => {
    const total = (part: Partial<Draft>) => {
      const units = pricedTotal({ ...DRAFT, ...part }, MEANS);
      return units === null ? null : unitsText(units);
    };
    assertEquals(total({}), "10000");
    assertEquals(total({ price: "0.1", amount: "0.2" }), "0.02");
    assertEquals(total({ type: "market", amount: "0.5" }), "10002");
    assertEquals(total({ type: "market", amount: "0.8" }), null);
    assertEquals(total({ type: "market", side: "sell", amount: "0.1" }), "1999");
    assertEquals(total({ type: "stop", trigger: "30000", amount: "0.1" }), "3000");
    assertEquals(total({ amount: "x" }), null);
  });

  it("takes as much as a total or a part of one's funds is enough for, and no more", () => {
    assertEquals(amountForTotal("10000", "3", MARKET), "3333.333333");
    assertEquals(amountForTotal("0.000001", "20000", MARKET), "");
    assertEquals(amountForTotal("x", "20000", MARKET), "");
    const part = (percent: number, change: Partial<Draft> = {}) =>
      amountOfPart({ ...DRAFT, ...change }, MARKET, MEANS, percent);
    assertEquals(part(100), "0.5");
    assertEquals(part(25), "0.125");
    assertEquals(part(100, { price: "3" }), "3333.333333");
    assertEquals(part(50, { side: "sell" }), "0.75");
    // 0.3 at 20000, and the rest of 10000 at 20010.
    assertEquals(part(100, { type: "market" }), "0.4999");
    assertEquals(part(100, { price: "" }), "");
  });

  it("is sent with what its type has, and nothing else", () => {
    const sent = (part: Partial<Draft>) => orderOf({ ...DRAFT, ...part }, "btcusdt");
    const plain = { market: "btcusdt", side: "buy", amount: "0.5" };
    assertEquals(sent({}), { ...plain, type: "limit", price: "20000" } as never);
    assertEquals(
      sent({ isPostOnly: true, timeInForce: "ioc" }),
      { ...plain, type: "post_only", price: "20000" } as never,
    );
    assertEquals(
      sent({ timeInForce: "fok", selfTrade: "none", clientOrderId: "a-1" }),
      {
        ...plain,
        type: "limit",
        price: "20000",
        time_in_force: "fok",
        self_trade_prevention: "none",
        client_order_id: "a-1",
      } as never,
    );
    assertEquals(
      sent({ type: "stop", trigger: "30000.", timeInForce: "ioc", isPostOnly: true }),
      { ...plain, type: "stop", trigger_price: "30000" } as never,
    );
    assertEquals(sent({ type: "market" }), { ...plain, type: "market" } as never);
  });
});
