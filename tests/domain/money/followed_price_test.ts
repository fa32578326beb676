import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../src/domain/command.ts";
import { type DayTrades, FOLLOW_MS, nextPrice } from "../../../src/domain/money/followed_price.ts";
import { formatDecimal } from "../../../src/domain/money/money.ts";
import { DomainVenue, START, units } from "../../support/domain_venue.ts";

const UNFIT = "price_market_unfit";

/** A venue whose btc can follow its market with usdt, and eth that with btc. */
class FollowingVenue {
  readonly test = new DomainVenue().withMarket("btc", "usdt").withMarket("eth", "btc");
  /** What was traded on every market. */
  day: DayTrades = { volume: 0n, total: 0n };

  constructor() {
    for (const [id, price] of [["usdt", "1"], ["btc", "20000"], ["eth", "1000"]] as const) {
      this.test.must({ kind: "change_currency", id, changes: { price: units(price) } });
    }
  }

  /** Names the market that a price follows; returns the refusal, or null. */
  follow(id: string, priceMarket: string | null, price?: string): string | null {
    const changes = { priceMarket, ...(price === undefined ? {} : { price: units(price) }) };
    const outcome = this.test.do({ kind: "change_currency", id, changes });
    return isRejection(outcome) ? `${outcome.rejected} ${outcome.field}` : null;
  }

  /** Trades 2 btc, all in all, at an average price. */
  trades(price: string): void {
    const { pricePrecision: _, ...market } = this.test.book("btcusdt").market;
    const volume = 2n * 10n ** BigInt(market.amountPrecision);
    this.day = { volume, total: 2n * units(price) };
  }

  next(id: string, at: number): string | null {
    const { venue } = this.test;
    const currency = venue.currencyById.get(id);
    if (currency === undefined) throw new Error(`There is no ${id}`);
    const price = nextPrice(venue, currency, () => this.day, at);
    return price === null ? null : formatDecimal(price);
  }

  /** Asks for a step; returns the price then, or the refusal. */
  step(id: string, price: string): string {
    const outcome = this.test.do({ kind: "follow_price", id, price: units(price) });
    if (isRejection(outcome)) return outcome.rejected;
    return formatDecimal(this.test.venue.currencyById.get(id)?.price ?? 0n);
  }
}

describe("a price that follows a market", () => {
  it("moves towards the day's average by a tenth at most, an hour after it was last set", () => {
    const following = new FollowingVenue();
    assertEquals(following.follow("btc", "btcusdt"), null);
    following.trades("21000");
    assertEquals(following.next("btc", START + FOLLOW_MS - 1), null);
    const at = START + FOLLOW_MS;
    assertEquals(following.next("btc", at), "21000");
    following.trades("30000");
    assertEquals(following.next("btc", at), "22000");
    following.trades("2");
    assertEquals(following.next("btc", at), "18000");
    following.trades("20199");
    assertEquals(following.next("btc", at), null, "less than a hundredth");
    following.trades("20200");
    assertEquals(following.next("btc", at), "20200");
    following.day = { volume: 0n, total: 0n };
    assertEquals(following.next("btc", at), null, "nothing was traded");
  });

  it("is reckoned by the price of the other currency, of either side", () => {
    const following = new FollowingVenue();
    const at = START + FOLLOW_MS;
    following.test.must({ kind: "change_currency", id: "usdt", changes: { price: units("0.9") } });
    following.trades("21000");
    assertEquals(following.follow("btc", "btcusdt"), null);
    assertEquals(following.next("btc", at), "18900");
    assertEquals(following.follow("btc", null), null);
    assertEquals(following.next("btc", at), null);
    assertEquals(following.follow("usdt", "btcusdt"), null);
    assertEquals(following.next("usdt", at), "0.9523809523809523");
  });

  it("moves once for several processes, whatever they ask for", () => {
    const following = new FollowingVenue();
    assertEquals(following.step("btc", "20500"), "price_stays", "an operator sets it");
    following.follow("btc", "btcusdt");
    assertEquals(following.step("btc", "20500"), "price_stays", "it was just set");
    following.test.sink.at = START + FOLLOW_MS;
    assertEquals(following.step("btc", "99999"), "22000");
    assertEquals(following.step("btc", "99999"), "price_stays");
    following.test.sink.at += FOLLOW_MS;
    assertEquals(following.step("btc", "1"), "19800");
    assertEquals(following.step("none", "1"), "currency_not_found");
    const [event] = following.test.venue.currencies.filter(({ id }) => id === "btc");
    assertEquals([event?.pricedAt, event?.priceMarket], [START + 2 * FOLLOW_MS, "btcusdt"]);
  });

  it("needs a market of its own, and another currency whose price is an operator's", () => {
    const following = new FollowingVenue();
    for (const market of ["none", "ethbtc0"]) {
      assertEquals(following.follow("btc", market), `${UNFIT} price_market`);
    }
    assertEquals(following.follow("usdt", "ethbtc"), `${UNFIT} price_market`);
    assertEquals(following.follow("btc", "btcusdt", "0"), `${UNFIT} price`);
    assertEquals(following.follow("eth", "ethbtc"), null);
    assertEquals(following.follow("btc", "btcusdt"), `${UNFIT} price_market`, "eth follows it");
    assertEquals(following.follow("btc", null, "0"), `${UNFIT} price`, "eth follows it");
    assertEquals(following.follow("eth", null), null);
    assertEquals(following.follow("btc", "btcusdt"), null);
    assertEquals(following.follow("eth", "ethbtc"), `${UNFIT} price_market`, "it follows another");
    assertEquals(following.follow("usdt", "btcusdt"), `${UNFIT} price_market`);
  });
});
