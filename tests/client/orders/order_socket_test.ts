import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { VenueError } from "../../../src/client/calls/venue_error.ts";
import { Venue } from "../../../src/client/venue.ts";
import { FaultProxy } from "../../e2e/fault_proxy.ts";
import { type ClientVenue, SharedClientVenue } from "../../support/client_venue.ts";

const ORDER = {
  market: "btcusdt",
  side: "buy",
  type: "limit",
  amount: "0.001",
  price: "20000",
} as const;

describe("a client's socket for orders", () => {
  const shared = new SharedClientVenue({ RATE_LIMIT: "off" });
  let served: ClientVenue;

  function itServed(name: string, test: () => Promise<void>): void {
    shared.it(name, async (venue) => {
      served = venue;
      await test();
    });
  }

  for (const socketHeaders of [true, false]) {
    const how = socketHeaders ? "a signed handshake" : "a log-in by a message";
    itServed(
      `places and cancels orders, and tells refusals as calls do, after ${how}`,
      async () => {
        await placeAndCancel(socketHeaders);
      },
    );
  }

  async function placeAndCancel(socketHeaders: boolean): Promise<void> {
    const alice = served.as("alice", { socketHeaders });
    const socket = alice.orderSocket();
    await socket.opened();
    const orders = await Promise.all(Array.from({ length: 20 }, () => socket.placeOrder(ORDER)));
    assertEquals(new Set(orders.map(({ uuid }) => uuid)).size, 20);
    await socket.cancelOrder(orders[0]?.uuid ?? "");
    await socket.cancelAll("btcusdt");
    const query = { state: ["wait"] } as const;
    assertEquals(await alice.get("/api/v2/backend/market/orders", { query }), []);
    const broken = () => socket.placeOrder({ ...ORDER, price: "20000.123456789" });
    assertEquals((await assertRejects(broken, VenueError)).field, "price");
    socket.close();
  }

  itServed("tells the result of an order that asks for it, also before it is open", async () => {
    const terms = { market: "ethusdt", type: "limit", price: "1500" } as const;
    await served.as("bob").placeOrder({ ...terms, side: "sell", amount: "0.2" });
    const order = { ...terms, side: "buy", amount: "0.1", response: "result" } as const;
    const socket = served.as("alice").orderSocket();
    const early = await socket.placeOrder(order);
    await socket.opened();
    for (const { result } of [early, await socket.placeOrder(order)]) {
      if (result === undefined) throw new Error("no result");
      const { state, executed_volume, avg_price, trades_count, reject_reason } = result;
      const told = [state, executed_volume, avg_price, trades_count, reject_reason];
      assertEquals(told, ["done", "0.1", "1500", 1, null]);
      const [trade] = await served.as("alice").get("/api/v2/backend/market/orders/{id}", {
        path: { id: result.id },
      }).then(({ trades }) => trades);
      const all = { ...trade, ...result.trades[0] };
      assertEquals(all, { ...trade, price: "1500", amount: "0.1", total: "150" });
    }
    socket.close();
  });

  itServed("tells that the venue does not let the key in", async () => {
    for (const socketHeaders of [true, false]) {
      const key = { kid: "demo-alice", secret: "wrong" };
      const socket = new Venue(served.url, { key, socketHeaders }).orderSocket();
      const error = await assertRejects(() => socket.opened(), VenueError);
      assertEquals(error.code, "authz.invalid_signature");
      const refused = await assertRejects(() => socket.placeOrder(ORDER), VenueError);
      assertEquals(refused.status, 401);
      socket.close();
    }
  });

  for (const socketHeaders of [true, false]) {
    const how = socketHeaders ? "signed handshakes" : "log-ins by a message";
    itServed(`places each order once, though connections are cut, with ${how}`, async () => {
      await placeOnce(socketHeaders);
    });
  }

  async function placeOnce(socketHeaders: boolean): Promise<void> {
    await using link = new FaultProxy(Number(new URL(served.url).port));
    const bob = served.as("bob");
    await bob.post("/api/v2/trading/market/orders/cancel", { body: {} });
    const socket = served.as("bob", { url: link.url, socketHeaders }).orderSocket();
    await socket.opened();
    const names: string[] = [];
    for (let round = 0; round < 10; round++) {
      const placing = Array.from({ length: 10 }, () => socket.placeOrder(ORDER));
      if (round % 2 === 0) {
        link.switchTo(round % 4 === 0 ? "cut" : "lost answers");
        setTimeout(() => link.switchTo("open"), 50);
      }
      names.push(...(await Promise.all(placing)).map(({ client_order_id }) => client_order_id));
    }
    socket.close();
    const query = { state: ["wait"], limit: 1000 } as const;
    const open = await bob.get("/api/v2/backend/market/orders", { query });
    assertEquals(open.map((order) => order.client_order_id).sort(), names.sort());
  }
});
