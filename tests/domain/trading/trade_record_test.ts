import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Trade } from "../../../src/domain/event.ts";
import {
  makerTradeOf,
  marketTradeOf,
  memberTradeOf,
  sidesOf,
  takerTradeOf,
  tradePlace,
} from "../../../src/domain/trading/trade_record.ts";
import { DomainVenue } from "../../support/domain_venue.ts";

/** Returns a trade of ann's resting ask with ben's bid. */
function tradeOf(): Trade {
  const test = new DomainVenue().withMarket("btc", "usdt").withFee("any", "any", 1000, 2000)
    .withMember("ann", { btc: "5" }).withMember("ben", { usdt: "500" });
  test.sell("ann", "2", "100");
  test.buy("ben", "1", "100");
  const [trade] = test.trades();
  if (trade === undefined) throw new Error("They have not traded");
  return trade;
}

describe("a trade", () => {
  it("is shown to the market without its parties", () => {
    assertEquals(marketTradeOf(tradeOf(), 7), {
      id: 1,
      market: 0,
      price: 10_000,
      volume: 1_000_000,
      takerSide: "buy",
      at: 7,
    });
  });

  it("is shown to each side as its own", () => {
    const common = marketTradeOf(tradeOf(), 7);
    const maker = { side: "sell", orderId: 1, feeRate: 1000, liquidity: "maker" } as const;
    const taker = { side: "buy", orderId: 2, feeRate: 2000, liquidity: "taker" } as const;
    assertEquals(makerTradeOf(tradeOf(), 7), { ...common, ...maker });
    assertEquals(takerTradeOf(tradeOf(), 7), { ...common, ...taker });
    const sold = { ...tradeOf(), takerSide: "sell" as const };
    assertEquals([makerTradeOf(sold, 7).side, takerTradeOf(sold, 7).side], ["buy", "sell"]);
  });

  it("is shown to a member as its own, as the maker's and the taker's if it is both", () => {
    const trade = tradeOf();
    const { makerMember, takerMember } = trade;
    assertEquals(memberTradeOf(trade, 7, makerMember), makerTradeOf(trade, 7));
    assertEquals(memberTradeOf(trade, 7, takerMember), takerTradeOf(trade, 7));
    const old = { ...trade, takerMember: makerMember };
    assertEquals(sidesOf(memberTradeOf(old, 7, makerMember)), [makerTradeOf(old, 7)]);
    const own = { ...old, isOwn: true as const };
    const kept = memberTradeOf(own, 7, makerMember);
    assertEquals(kept.ownTaker, { orderId: 2, feeRate: 2000 });
    assertEquals(sidesOf(kept), [makerTradeOf(old, 7), takerTradeOf(old, 7)]);
    assertEquals(sidesOf(kept).map(tradePlace), [0.5, 1]);
  });
});
