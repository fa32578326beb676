import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals } from "@std/assert";
import { UIDS } from "../support/beneficiaries.ts";
import { turnsDuring } from "../support/turns_during.ts";
import { type Answer, type TestVenue, withVenue } from "../support/with_venue.ts";

const BULK = "/api/v2/trading/market/bulk/orders";
const ORDERS = "/api/v2/backend/market/orders";
const STATEMENT = "/api/v2/backend/account/statements/orders.csv";
const RATE = 1_000_000;

/** Places so many orders of bob's and lets the last of them stand. */
async function placeMany(venue: TestVenue, count: number): Promise<void> {
  const order = { market: "btcusdt", side: "buy", type: "limit", amount: "0.01", price: "1" };
  for (let left = count; left > 0; left -= 100) {
    await venue.post("bob", BULK, Array.from({ length: Math.min(left, 100) }, () => order));
  }
}

function spent({ headers }: Answer): number {
  return RATE - Number(headers.get("ratelimit-remaining"));
}

/** Returns what a read of bob's costs, beginning with a full bucket. */
async function costOf(venue: TestVenue, path: string): Promise<number> {
  venue.clock.now += 1_000;
  return spent(await venue.get("bob", path));
}

describe("a read", () => {
  it("costs one for each 500 records that are looked at, found or not", () =>
    withVenue(async (venue) => {
      await placeMany(venue, 1_000);
      assertEquals(await costOf(venue, `${ORDERS}?limit=10`), 1);
      assertEquals(await costOf(venue, `${ORDERS}?limit=1000`), 3);
      assertEquals(await costOf(venue, `${ORDERS}?state=wait&limit=10`), 3);
      assertEquals(await costOf(venue, `${ORDERS}?page=100&limit=10`), 3);
      assertEquals(await costOf(venue, STATEMENT), 5);
      assertEquals(await costOf(venue, `${STATEMENT}?market=ethusdt`), 5);
    }, { rateLimit: RATE }));

  it("of a statement costs what its balances take, wherever in the past it is", () =>
    withVenue(async (venue) => {
      for (let left = 700; left > 0; left -= 100) {
        const order = { market: "btcusdt", type: "limit", amount: "0.01", price: "100" };
        for (const [signer, side] of [["bob", "sell"], ["alice", "buy"]] as const) {
          await venue.post(signer, BULK, Array.from({ length: 100 }, () => ({ ...order, side })));
        }
        venue.clock.now += 1_000;
      }
      await venue.engine.folded();
      const last = Math.floor(venue.engine.venue.time / 1_000);
      const path = "/api/v2/backend/account/statement";
      assertEquals(await costOf(venue, `${path}?time_from=${last + 1}`), 1);
      // The 600 trades before the last second are added up, and what it has is read twice.
      assertEquals(await costOf(venue, `${path}?time_from=${last}&limit=1`), 2);
      const range = `time_from=${last - 1}&time_to=${last}`;
      assertEquals(await costOf(venue, `${path}?${range}&limit=1`), 3);
    }, { rateLimit: RATE }));

  it("of what operators did costs for each act that is looked at", () =>
    withVenue(async (venue) => {
      const acts = "/api/v2/auth/resource/users/acts";
      assertEquals(await costOf(venue, acts), 1);
      const row = (id: number) => ({ key: ["member_acts", UIDS.bob, id], value: 1 });
      await Promise.all(
        Array.from({ length: 1_000 }, (_, id) => venue.engine.writeSidecar(row(id))),
      );
      const { headers } = await venue.get("bob", `${acts}?limit=1`);
      assertEquals(headers.get("total"), "1000");
      assertEquals(await costOf(venue, `${acts}?limit=1`), 3);
    }, { rateLimit: RATE }));

  it("costs the operator who makes it, not the member", () =>
    withVenue(async (venue) => {
      await placeMany(venue, 1_000);
      const { body } = await venue.get("operator", "/api/v2/admin/members?limit=10");
      const { uid } = body.find(({ email }: { email: string }) => email.startsWith("bob"));
      venue.clock.now += 1_000;
      const read = await venue.get("operator", `/api/v2/admin/members/${uid}/orders?limit=1000`);
      assertEquals(spent(read), 3);
      assertEquals(spent(await venue.get("bob", `${ORDERS}?limit=10`)), 1);
    }, { rateLimit: RATE }));
});

describe("a cancel of all orders", () => {
  it("shows a thousand orders without keeping others waiting", () =>
    withVenue(async (venue) => {
      await placeMany(venue, 1_000);
      const turns = await turnsDuring(async () => {
        const { body } = await venue.post("bob", "/api/v2/trading/market/orders/cancel", {});
        assertEquals(
          body.map(({ state }: { state: string }) => state),
          Array(1_000).fill("cancel"),
        );
      });
      assert(turns >= 7, String(turns));
    }));
});
