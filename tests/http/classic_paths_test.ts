import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createEndpoints } from "../../src/http/endpoints.ts";
import { withVenue } from "../support/with_venue.ts";

const CLASSIC = ["/api/v2/peatio", "/api/v2/trade"];
const CURRENT = "/api/v2/backend";
const BUY = { market: "btcusdt", side: "buy", volume: "2", ord_type: "limit", price: "100" };

describe("the classic paths", () => {
  it("have each endpoint under both of their names", () => {
    for (const { paths } of createEndpoints()) {
      const peatio = paths.filter((path) => path.startsWith("/api/v2/peatio/"));
      for (const path of peatio) {
        assertEquals(paths.includes(path.replace("/peatio/", "/trade/")), true, path);
      }
    }
  });

  it("show when an order was created as ISO 8601, wherever there are orders", () =>
    withVenue(async (venue) => {
      for (const base of CLASSIC) {
        const at = new Date(venue.clock.now + 1).toISOString().slice(0, 19) + "Z";
        const orders = `${base}/market/orders`;
        const placed = (await venue.post("alice", orders, BUY)).body;
        const bulk = (await venue.post("alice", `${base}/market/bulk/orders`, [BUY])).body[0];
        const book = `${base}/public/markets/btcusdt/order-book`;
        const shown = [
          placed,
          bulk,
          (await venue.get("alice", orders)).body[0],
          (await venue.get("alice", `${orders}/${placed.id}`)).body,
          (await venue.get(null, book)).body.bids[0],
          (await venue.post("alice", `${orders}/${placed.id}/cancel`)).body,
          (await venue.post("alice", `${orders}/cancel`)).body[0],
        ];
        assertEquals(shown.map(({ created_at }) => created_at), shown.map(() => at));
        const own = shown.filter(({ updated_at }) => updated_at !== undefined);
        assertEquals(own.every(({ updated_at }) => Number.isInteger(updated_at)), true);
        const { body: current } = await venue.get("alice", `${CURRENT}/market/orders/${placed.id}`);
        assertEquals(current.created_at, Date.parse(at) / 1000);
      }
      const { body } = await venue.get(null, `${CURRENT}/public/markets/btcusdt/order-book`);
      assertEquals(body[0].bids, []);
      await venue.order("alice");
      for (const base of [...CLASSIC, CURRENT]) {
        const { body } = await venue.get(null, `${base}/public/markets/btcusdt/order-book`);
        const [bid] = body.bids ?? body[0].bids;
        assertEquals(typeof bid.created_at, base === CURRENT ? "number" : "string");
      }
    }));

  it("show a trade's volume and funds beside its amount and total", () =>
    withVenue(async (venue) => {
      await venue.order("alice");
      await venue.order("bob", { side: "sell", amount: "0.5" });
      const { body: [{ id }] } = await venue.get("alice", `${CURRENT}/market/orders`);
      for (const base of [...CLASSIC, CURRENT]) {
        const trades = [
          (await venue.get("alice", `${base}/market/trades`)).body[0],
          (await venue.get("alice", `${base}/market/orders/${id}`)).body.trades[0],
          (await venue.get(null, `${base}/public/markets/btcusdt/trades`)).body[0],
        ];
        for (const { amount, total, volume, funds } of trades) {
          assertEquals([amount, total], ["0.5", "50.0"]);
          assertEquals(
            [volume, funds],
            base === CURRENT ? [undefined, undefined] : [amount, total],
          );
        }
      }
    }));

  it("answer a cancel with the orders as they were when it was taken", () =>
    withVenue(async (venue) => {
      for (const base of CLASSIC) {
        const orders = `${base}/market/orders`;
        const { body: { id, updated_at } } = await venue.post("alice", orders, {
          ...BUY,
          client_id: `c${base.length}`,
        });
        venue.clock.now += 5_000;
        await venue.order("bob", { side: "sell", amount: "0.5" });
        const filled = (await venue.get("alice", `${orders}/${id}`)).body.updated_at;
        venue.clock.now += 5_000;
        const { status, body } = await venue.post("alice", `${orders}/${id}/cancel`);
        assertEquals([status, body.state, body.remaining_volume], [201, "wait", "1.5"]);
        assertEquals([body.updated_at, filled > updated_at], [filled, true]);
        const read = (await venue.get("alice", `${orders}/${id}`)).body;
        assertEquals([read.state, read.remaining_volume], ["cancel", "1.5"]);
        // It was over when the second cancel was taken.
        const again = await venue.post("alice", `${orders}/c${base.length}/cancel?client_id=true`);
        assertEquals(again.body.state, "cancel");

        await venue.post("alice", orders, BUY);
        const stop = { ...BUY, ord_type: "stop_limit", trigger_price: "900" };
        await venue.post("alice", orders, stop);
        const all = await venue.post("alice", `${orders}/cancel`);
        const states = all.body.map(({ state }: { state: string }) => state);
        assertEquals([all.status, states.toSorted()], [201, ["trigger_wait", "wait"]]);
        assertEquals((await venue.post("alice", `${orders}/cancel`)).body, []);
      }
      const current = "/api/v2/trading/market/orders";
      const { body: { id } } = await venue.order("alice");
      assertEquals((await venue.post("alice", `${current}/cancel/${id}`)).body.state, "cancel");
      await venue.order("alice");
      assertEquals((await venue.post("alice", `${current}/cancel`)).body[0].state, "cancel");
    }));
});
