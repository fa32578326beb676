import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { VENUE_STATUS } from "../../../src/edge/schemas/venue_status.ts";
import { type Answer, type TestVenue, withVenue } from "../../support/with_venue.ts";

const STATUS = "/api/v2/backend/public/status";

async function status(venue: TestVenue): Promise<Answer["body"]> {
  const { status, body } = await venue.get(null, STATUS);
  assertEquals(status, 200);
  return VENUE_STATUS.parse(body);
}

/** Makes an operator's call, which must succeed. */
async function change(venue: TestVenue, method: string, path: string, json: unknown) {
  const answer = await venue.call("operator", method, `/api/v2/admin/${path}`, { json });
  assertEquals(answer.status, 200, answer.text);
}

describe("the status of the venue", () => {
  it("is operational while everything is on, and lists it all", () =>
    withVenue(async (venue) => {
      const { state, trading, withdrawals, markets, currencies, time } = await status(venue);
      assertEquals([state, trading, withdrawals], ["operational", true, true]);
      assertEquals(markets.btcusdt, "enabled");
      assertEquals(currencies.btc, { deposit_enabled: true, withdrawal_enabled: true });
      assertEquals(time, new Date(venue.clock.now).toISOString());
    }));

  it("is degraded while withdrawals are off", () =>
    withVenue(async (venue) => {
      await change(venue, "PATCH", "switches", { trading: true, withdrawals: false });
      const { state, trading, withdrawals } = await status(venue);
      assertEquals([state, trading, withdrawals], ["degraded", true, false]);
    }));

  it("is degraded while a listed market takes no orders", () =>
    withVenue(async (venue) => {
      await change(venue, "PATCH", "markets/btcusdt", { state: "halted" });
      const { state, markets } = await status(venue);
      assertEquals([state, markets.btcusdt], ["degraded", "halted"]);
      await change(venue, "PATCH", "markets/btcusdt", { state: "disabled" });
      const unlisted = await status(venue);
      assertEquals([unlisted.state, unlisted.markets.btcusdt], ["operational", undefined]);
    }));

  it("says that a market with an untraded currency takes only cancels", () =>
    withVenue(async (venue) => {
      await change(venue, "PATCH", "currencies/btc", {
        trading_enabled: false,
        deposit_enabled: false,
      });
      const { state, markets, currencies } = await status(venue);
      assertEquals([state, markets.btcusdt], ["degraded", "cancel_only"]);
      assertEquals(currencies.btc, { deposit_enabled: false, withdrawal_enabled: true });
    }));

  it("says what a currency takes on each of its networks", () =>
    withVenue(async (venue) => {
      const coin = { id: "test", name: "Test", network: "anvil" };
      await venue.post("operator", "/api/v2/admin/currencies", coin);
      await venue.post("operator", "/api/v2/admin/currencies/test/networks", {
        network: "sepolia",
      });
      const told = async () => {
        const { test } = (await status(venue)).currencies;
        const { anvil, sepolia } = test.networks;
        return [test, anvil, sepolia].map((one) => [one.deposit_enabled, one.withdrawal_enabled]);
      };
      const open = [true, true];
      assertEquals(await told(), [open, open, open]);
      const path = "currencies/test/networks/sepolia";
      await change(venue, "PATCH", path, { deposit_enabled: false });
      assertEquals(await told(), [open, open, [false, true]]);
      await change(venue, "PATCH", "currencies/test", { withdrawal_enabled: false });
      assertEquals(await told(), [[true, false], [true, false], [false, false]]);
    }));

  it("leaves out currencies that are not listed", () =>
    withVenue(async (venue) => {
      await change(venue, "PATCH", "currencies/btc", { visible: false });
      assertEquals((await status(venue)).currencies.btc, undefined);
    }));

  it("is stopped while trading is off, and while no market takes orders", () =>
    withVenue(async (venue) => {
      await change(venue, "PATCH", "switches", { trading: false, withdrawals: true });
      assertEquals((await status(venue)).state, "stopped");
      await change(venue, "PATCH", "switches", { trading: true, withdrawals: true });
      for (const id of Object.keys((await status(venue)).markets)) {
        await change(venue, "PATCH", `markets/${id}`, { state: "cancel_only" });
      }
      const { state, trading } = await status(venue);
      assertEquals([state, trading], ["stopped", true]);
    }));

  it("is stopped once the venue cannot write", () =>
    withVenue(async (venue) => {
      await venue.engine.close();
      const { state, trading, withdrawals } = await status(venue);
      assertEquals([state, trading, withdrawals], ["stopped", false, false]);
    }));

  it("is the same under the paths of the family's older members", () =>
    withVenue(async (venue) => {
      const { body } = await venue.get(null, "/api/v2/peatio/public/status");
      assertEquals(VENUE_STATUS.parse(body).state, "operational");
    }));
});
