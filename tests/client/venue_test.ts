import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { VenueError } from "../../src/client/calls/venue_error.ts";
import { Venue } from "../../src/client/venue.ts";
import { type ClientVenue, SharedClientVenue } from "../support/client_venue.ts";

const ORDER = {
  market: "btcusdt",
  side: "buy",
  type: "limit",
  amount: "0.5",
  price: "20000",
} as const;
const ETH = { ...ORDER, market: "ethusdt", price: "1000" };

describe("a client", () => {
  const shared = new SharedClientVenue();
  let served: ClientVenue;

  function itServed(name: string, test: () => Promise<void>): void {
    shared.it(name, async (venue) => {
      served = venue;
      await test();
    });
  }

  itServed("reads the market without a key", async () => {
    const { url } = served;
    const venue = new Venue(`${url}/`);
    const markets = await venue.get("/api/v2/backend/public/markets");
    assert(markets.some(({ id }) => id === "btcusdt"));
    const path = { market: "btcusdt" };
    const depth = await venue.get("/api/v2/backend/public/markets/{market}/depth", { path });
    assertEquals([depth.asks, depth.bids], [[], []]);
  });

  itServed("places, reads and cancels an order, which gets a name", async () => {
    const { as } = served;
    const alice = as("alice");
    const placed = await alice.placeOrder(ORDER);
    assert(placed.client_order_id !== null && placed.client_order_id.length > 20);
    const open = await alice.get("/api/v2/backend/market/orders", { query: { state: ["wait"] } });
    assertEquals(open.map(({ id }) => id), [placed.id]);
    const cancelled = await alice.cancelOrder(`client:${placed.client_order_id}`);
    assertEquals([cancelled.id, cancelled.state], [placed.id, "cancel"]);
  });

  itServed("places several orders, or none", async () => {
    const { as } = served;
    const alice = as("alice");
    const placed = await alice.placeOrders([ETH, { ...ETH, client_order_id: "mine" }]);
    assertEquals(placed[1]?.client_order_id, "mine");
    const broken = alice.placeOrders([ETH, { ...ETH, price: "1.123456789" }]);
    const error = await assertRejects(() => broken, VenueError);
    assertEquals([error.body.index, error.field], [1, "price"]);
    const market = { query: { market: "ethusdt" } };
    assertEquals((await alice.get("/api/v2/backend/market/orders", market)).length, 2);
  });

  itServed("tells a refusal by its identifier, field, rule and limit", async () => {
    const { as } = served;
    const order = { ...ORDER, price: "20000.123456789" };
    const error = await assertRejects(() => as("alice").placeOrder(order), VenueError);
    assertEquals(error.status, 422);
    assertEquals([error.field, error.rule], ["price", "precision"]);
    assert(error.code.startsWith("market.order.") && Number(error.limit) >= 0);
  });

  itServed("signs by the venue's time, whatever its machine's clock shows", async () => {
    const { as } = served;
    for (const off of [-3_600_000, 8_000, 3_600_000]) {
      const venue = as("alice", { now: () => Date.now() + off });
      await venue.placeOrder(ORDER);
      assert(Math.abs(venue.now() - Date.now()) < 5_000);
    }
  });

  itServed(
    "makes many calls at once without using a nonce twice, and keeps to the rate limit",
    async () => {
      const { as } = served;
      const [one, other] = [as("alice"), as("alice")];
      const calls = Array.from(
        { length: 150 },
        (_, i) => (i % 2 === 0 ? one : other).get("/api/v2/backend/account/balances"),
      );
      for (const balances of await Promise.all(calls)) assert(balances.length > 0);
    },
  );

  itServed("is refused with a wrong secret, and is told so", async () => {
    const { url } = served;
    const venue = new Venue(url, { key: { kid: "demo-alice", secret: "wrong" } });
    const reading = () => venue.get("/api/v2/backend/account/balances");
    assertEquals((await assertRejects(reading, VenueError)).status, 401);
  });

  itServed("winds up the cancel timer until it is told to stop", async () => {
    const { as } = served;
    const alice = as("alice");
    const heart = await alice.keepAlive(5);
    const { id } = await alice.placeOrder(ORDER);
    await heart.stop();
    const order = await alice.get("/api/v2/backend/market/orders/{id}", { path: { id } });
    assertEquals(order.state, "wait");
  });
});
