import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { RpcClient } from "../../support/rpc_client.ts";
import { type ServedVenue, withServedVenue } from "../../support/served_venue.ts";

const PATHS = ["/api/v2/trading", "/api/v2/finex", "/api/v2/open_finance"] as const;
const BULK = "/api/v2/trading/market/bulk/orders";
const ORDERS = "/api/v2/backend/market/orders";
const BUY = { market: "btcusdt", side: "buy", type: "limit", amount: "0.01", price: "1" };

/** Places a thousand orders of bob's, and waits until the last of them are paid for. */
async function placeMany({ venue }: ServedVenue): Promise<void> {
  for (let i = 0; i < 10; i++) {
    await venue.post("bob", BULK, Array(100).fill(BUY));
    venue.clock.now += 1_000_000;
  }
}

/** Fills all of bob's orders with one of alice's; returns its uuid. */
async function fillAll({ venue }: ServedVenue): Promise<string> {
  const sell = { ...BUY, side: "sell", amount: "10" };
  const { uuid } = (await venue.post("alice", "/api/v2/trading/market/orders", sell)).body;
  venue.clock.now += 1_000;
  const { body } = await venue.get("alice", `${ORDERS}/${uuid}`);
  assertEquals([body.state, body.trades_count], ["done", 1_000]);
  return uuid;
}

/** Returns what a read costs that begins with a full bucket, which holds one. */
async function costOf(
  { venue }: ServedVenue,
  member: "alice" | "bob",
  read: () => Promise<unknown>,
): Promise<number> {
  venue.clock.now += 10_000;
  await read();
  const { auth, engine } = venue;
  const index = engine.venue.keyByKid.get(`demo-${member}`)?.key.member ?? -1;
  return 1 + auth.beginnings.waitMs(index) / 1_000;
}

describe("a read over a socket", () => {
  it("costs one for each 500 records that it looks at, as over HTTP", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      await placeMany(served);
      const uuid = await fillAll(served);
      const lists: [args: unknown[], query: string, cost: number][] = [
        [["btcusdt", 1, 10], "?market=btcusdt&limit=10", 1],
        [["btcusdt", 1, 1000], "?market=btcusdt&limit=1000", 3],
        [["btcusdt", 1, 10, "cancel"], "?market=btcusdt&state=cancel&limit=10", 3],
        [["btcusdt", 100, 10], "?market=btcusdt&page=100&limit=10", 3],
      ];
      for (const path of PATHS) {
        venue.clock.now += 10_000;
        const bob = await RpcClient.open(served, "bob", path);
        for (const [args, query, cost] of lists) {
          const asked = () => bob.call("list_orders", args);
          assertEquals(await costOf(served, "bob", asked), cost, `${path} ${query}`);
          const read = () => venue.get("bob", `${ORDERS}${query}`);
          assertEquals(await costOf(served, "bob", read), cost, query);
        }
        const alice = await RpcClient.open(served, "alice", path);
        const trades = () => alice.call("get_order_trades", [uuid]);
        assertEquals(await costOf(served, "alice", trades), 3, path);
        const order = () => alice.call("get_orders", [uuid]);
        assertEquals(await costOf(served, "alice", order), 1, path);
      }
      const read = () => venue.get("alice", `${ORDERS}/${uuid}`);
      assertEquals(await costOf(served, "alice", read), 3);
    }, { rateLimit: 1 }));

  it("is refused until what the one before has cost is refilled", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      await placeMany(served);
      const bob = await RpcClient.open(served, "bob");
      venue.clock.now += 1_000;
      await bob.call("list_orders", ["btcusdt", 100, 10]);
      const refused = await bob.ask("list_orders", ["btcusdt", 1, 1]);
      assertEquals(refused.slice(2), ["error", ["server.rate_limited"], { retry_after: 3 }]);
      venue.clock.now += 3_000;
      await bob.call("list_orders", ["btcusdt", 1, 1]);
    }, { rateLimit: 1 }));
});
