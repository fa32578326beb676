import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { VENUE_STATUS } from "../../../src/edge/schemas/venue_status.ts";
import { PORTION_FRAMES } from "../../../src/sockets/limits.ts";
import { StatusStream } from "../../../src/sockets/streams/status_stream.ts";
import { Hub } from "../../../src/sockets/sending/hub.ts";
import { eventually } from "../../support/eventually.ts";
import { FramesReader } from "../../support/frames_reader.ts";
import { RpcClient } from "../../support/rpc_client.ts";
import { withServedVenue } from "../../support/served_venue.ts";
import type { TestVenue } from "../../support/with_venue.ts";

const STREAM = "global.status";

/** Makes an operator's call, which must succeed. */
async function change(venue: TestVenue, path: string, json: unknown): Promise<void> {
  const answer = await venue.call("operator", "PATCH", `/api/v2/admin/${path}`, { json });
  assertEquals(answer.status, 200, answer.text);
}

describe("the stream of the venue's status", () => {
  it("begins with what the call of that name answers, and tells it anew on every change", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      const client = await listen(`?stream=${STREAM}`);
      const status = async () => {
        const { body } = await venue.get(null, "/api/v2/backend/public/status");
        return VENUE_STATUS.parse(body);
      };
      const next = async () => {
        const { [STREAM]: told, sequence } = await client.message(STREAM);
        assertEquals({ ...told, time: "" }, { ...await status(), time: "" });
        assert(Date.parse(told.time) <= venue.clock.now);
        return [sequence, told.state, told.trading, told.withdrawals, told.markets.btcusdt];
      };
      assertEquals(await next(), [1, "operational", true, true, "enabled"]);
      await change(venue, "markets/btcusdt", { state: "halted" });
      assertEquals(await next(), [2, "degraded", true, true, "halted"]);
      await change(venue, "switches", { trading: false, withdrawals: true });
      assertEquals(await next(), [3, "stopped", false, true, "halted"]);
      await change(venue, "markets/btcusdt", { state: "enabled" });
      assertEquals(await next(), [4, "stopped", false, true, "cancel_only"]);
      await change(venue, "switches", { trading: true, withdrawals: false });
      assertEquals(await next(), [5, "degraded", true, false, "enabled"]);
      await change(venue, "currencies/btc", { trading_enabled: false });
      assertEquals(await next(), [6, "degraded", true, false, "cancel_only"]);
      // What it does not tell of makes no message, and neither does what stays as it is.
      await change(venue, "currencies/btc", { trading_enabled: false, deposit_fee: "0.00005" });
      const book = await listen("?stream=ethusdt.trades");
      await book.message("success");
      await venue.order("alice", { market: "ethusdt", price: "10" });
      await venue.order("bob", { market: "ethusdt", side: "sell", price: "10" });
      await book.message("ethusdt.trades");
      await change(venue, "markets/btcusdt", { state: "disabled" });
      assertEquals(await next(), [7, "degraded", true, false, undefined]);
    });
  });

  it("tells of a stop on one network of a currency", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      const coin = { id: "test", name: "Test", network: "anvil" };
      await venue.post("operator", "/api/v2/admin/currencies", coin);
      const client = await listen(`?stream=${STREAM}`);
      const next = async () => (await client.message(STREAM))[STREAM].currencies.test.networks;
      const open = { deposit_enabled: true, withdrawal_enabled: true };
      assertEquals(await next(), { anvil: open });
      await change(venue, "currencies/test/networks/anvil", { withdrawal_enabled: false });
      assertEquals(await next(), { anvil: { ...open, withdrawal_enabled: false } });
    });
  });

  it("goes on for those who come later, and tells them what changed meanwhile", async () => {
    await withServedVenue(async ({ venue, listen }) => {
      const first = await listen(`?stream=${STREAM}`);
      assertEquals((await first.message(STREAM)).sequence, 1);
      const second = await listen(`?stream=${STREAM}`);
      assertEquals((await second.message(STREAM)).sequence, 1);
      await first.close();
      await second.close();
      await change(venue, "switches", { trading: false, withdrawals: false });
      const third = await listen(`?stream=${STREAM}`);
      const { sequence, [STREAM]: told } = await third.message(STREAM);
      assertEquals([sequence, told.state], [2, "stopped"]);
    });
  });

  it("tells that the process takes no orders, of which no event does", async () => {
    const health = { isReady: true };
    await withServedVenue(async ({ venue: { engine } }) => {
      const hub = new Hub();
      hub.register(new StatusStream(engine, () => health));
      const readers = Array.from({ length: PORTION_FRAMES }, () => new FramesReader(0));
      for (const reader of readers) hub.subscribe(reader, [STREAM]);
      health.isReady = false;
      await eventually("all are told", () => readers.every(({ frames }) => frames.length === 2));
      for (const { frames } of readers) {
        const told = frames.map((frame) => JSON.parse(frame));
        assertEquals(told.map((one) => [one.sequence, one[STREAM].state, one[STREAM].trading]), [
          [1, "operational", true],
          [2, "stopped", false],
        ]);
      }
      for (const reader of readers) hub.leave(reader);
    });
  });

  it("is there over sockets of orders too", async () => {
    await withServedVenue(async (served) => {
      const { venue } = served;
      const client = await RpcClient.open(served, null);
      client.stream.send([1, 1, "subscribe", ["public", ["status"]]]);
      const [kind, name, args, sequence] = await client.stream.next();
      assertEquals([kind, name, sequence], [3, "status", 1]);
      const [state, trading, withdrawals, markets, currencies, time] = args;
      assertEquals([state, trading, withdrawals], ["operational", true, true]);
      assertEquals(markets[0], ["btcusdt", "enabled"]);
      assertEquals(currencies[0], ["btc", true, true]);
      assertEquals(new Date(time).toISOString(), time);
      assertEquals(await client.stream.next(), [2, 1, "subscribe", ["public", ["status"]]]);
      await change(venue, "markets/btcusdt", { state: "cancel_only" });
      assertEquals((await client.event("status"))[3][0], ["btcusdt", "cancel_only"]);
      const coin = { id: "test", name: "Test", network: "anvil", withdrawal_enabled: false };
      await venue.post("operator", "/api/v2/admin/currencies", coin);
      const codes = (await client.event("status"))[4];
      const made = codes.find(([code]: [string]) => code === "test");
      assertEquals(made, ["test", true, false, [["anvil", true, false]]]);
    });
  });
});
