import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const PATH = "/api/v2/backend/account/trading_fees";
const DAY_MS = 24 * 60 * 60 * 1000;

async function ownFees(venue: TestVenue, who: "alice" | "bob" = "alice") {
  const { status, body, text } = await venue.get(who, PATH);
  assertEquals(status, 200, text);
  return body;
}

async function trade(venue: TestVenue, amount: string, price: string): Promise<void> {
  await venue.order("bob", { side: "sell", amount, price });
  await venue.order("alice", { amount, price });
}

describe("the fees that a member pays", () => {
  it("are those of its group, by market, as its next order gets them", () =>
    withVenue(async (venue) => {
      const before = await ownFees(venue);
      assertEquals(before.markets[0].market_id, "btcusdt");
      const json = { market_id: "btcusdt", group: before.group, maker: "0.0005", taker: "0.001" };
      const { status } = await venue.call("operator", "POST", "/api/v2/admin/trading_fees", {
        json,
      });
      assertEquals(status < 300, true);
      const [first] = (await ownFees(venue)).markets;
      assertEquals([first.maker, first.taker], ["0.0005", "0.001"]);
    }));

  it("come with what was traded in 30 days, which later trades are added to", () =>
    withVenue(async (venue) => {
      const volume = async (who: "alice" | "bob") => {
        const [first] = (await ownFees(venue, who)).markets;
        return [first.volume_30d, first.total_30d];
      };
      assertEquals(await volume("alice"), ["0.0", "0.0"]);
      await trade(venue, "1.5", "10");
      assertEquals(await volume("alice"), ["1.5", "15.0"]);
      venue.clock.now += 20 * DAY_MS;
      await trade(venue, "0.5", "20");
      assertEquals([await volume("alice"), await volume("bob")], [["2.0", "25.0"], [
        "2.0",
        "25.0",
      ]]);
      venue.clock.now += 12 * DAY_MS;
      assertEquals([await volume("alice"), await volume("bob")], [["0.5", "10.0"], [
        "0.5",
        "10.0",
      ]]);
      venue.clock.now += 30 * DAY_MS;
      assertEquals(await volume("alice"), ["0.0", "0.0"]);
    }));
});
