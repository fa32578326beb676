import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ORDERS_CANCELLED } from "../../../../src/edge/schemas/admin/admin_orders.ts";
import { type Command, isRejection } from "../../../../src/domain/command.ts";
import { assertError } from "../../../support/assert_error.ts";
import { UIDS } from "../../../support/beneficiaries.ts";
import { VenueFile } from "../../../support/engine_venue.ts";
import { subscribed } from "../../../support/private_client.ts";
import { withServedVenue } from "../../../support/served_venue.ts";
import type { StreamClient } from "../../../support/stream_client.ts";
import { orderRequest, START } from "../../../support/domain_venue.ts";
import { type Answer, type TestVenue, withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const OPERATOR = "ID0000000001";
/** Orders of each member: together more than two commits hold. */
const MANY = 5000;
const BULK = 1000;

function cancelOf(venue: TestVenue, uid: string, json?: unknown): Promise<Answer> {
  return venue.post("operator", `${ADMIN}/members/${uid}/orders/cancel`, json);
}

function cancelAt(venue: TestVenue, market: string, json?: unknown): Promise<Answer> {
  return venue.post("operator", `${ADMIN}/markets/${market}/orders/cancel`, json);
}

async function setState(venue: TestVenue, path: string, state: string): Promise<void> {
  const { status } = await venue.call("operator", "PATCH", `${ADMIN}${path}`, { json: { state } });
  assertEquals(status, 200);
}

async function must(venue: TestVenue, command: Command): Promise<void> {
  const outcome = await venue.engine.submit(command, null);
  assert(!isRejection(outcome), `${command.kind} ${Deno.inspect(outcome)}`);
}

/** Returns `market side` of each open order, sorted. */
function left({ engine }: TestVenue): string[] {
  const { venue } = engine;
  return Array.from(
    venue.orders.values(),
    ({ market, side }) => `${venue.book(market).market.id} ${side}`,
  ).sort();
}

/** Places an order of each side on two markets, and a stop. */
async function placeSome(venue: TestVenue, signer: "alice" | "bob"): Promise<void> {
  for (const market of ["btcusdt", "ethusdt"]) {
    await venue.order(signer, { market, price: "100" });
    await venue.order(signer, { market, side: "sell", price: "200" });
  }
  const stop = { type: "stop", side: "sell", price: undefined, trigger_price: "50" };
  assertEquals((await venue.order(signer, stop)).status, 201);
}

/** Places {@linkcode MANY} orders of each member on btcusdt. */
async function placeMany(venue: TestVenue): Promise<void> {
  for (const [uid, side, base] of [[UIDS.alice, "buy", 100], [UIDS.bob, "sell", 300]] as const) {
    const changes = { bulkOrdersMax: BULK, openOrdersMax: MANY };
    await must(venue, { kind: "change_member", uid, changes });
    const member = venue.engine.venue.holderByUid.get(uid)?.member.index ?? -1;
    for (let placed = 0; placed < MANY; placed += BULK) {
      const orders = Array.from({ length: BULK }, (_, i) => {
        const price = (base + (placed + i) / 100).toFixed(2);
        return orderRequest({ side, amount: "0.001", price }, 0);
      });
      await must(venue, { kind: "place_orders", member, orders });
    }
  }
  assertEquals(venue.engine.venue.orders.size, 2 * MANY);
}

describe("cancelling a member's orders", () => {
  for (const state of ["active", "pending", "locked", "banned"]) {
    it(`takes all that a member has open who is ${state}, and nobody else's`, () =>
      withVenue(async (venue) => {
        await placeSome(venue, "bob");
        const { id } = (await venue.order("bob", { price: "99" })).body;
        await venue.order("alice", { price: "98" });
        await setState(venue, `/members/${UIDS.bob}`, state);
        assertEquals(left(venue).length, 7);
        const { status, body } = await cancelOf(venue, UIDS.bob);
        assertEquals([status, ORDERS_CANCELLED.strict().parse(body)], [200, { cancelled: 6 }]);
        assertEquals(left(venue), ["btcusdt buy"]);
        assertEquals((await cancelOf(venue, UIDS.bob)).body, { cancelled: 0 });

        await setState(venue, `/members/${UIDS.bob}`, "active");
        const { body: order } = await venue.get("bob", `/api/v2/backend/market/orders/${id}`);
        assertEquals([order.state, order.reject_reason], ["cancel", null]);
        const { body: account } = await venue.get("bob", "/api/v2/backend/account/balances/usdt");
        assertEquals(account.locked, "0.0");
      }));
  }

  it("keeps to a market and a side", () =>
    withVenue(async (venue) => {
      await placeSome(venue, "bob");
      await setState(venue, `/members/${UIDS.bob}`, "banned");
      const cancelled = async (json: unknown) => (await cancelOf(venue, UIDS.bob, json)).body;
      assertEquals(await cancelled({ market: "ethbtc" }), { cancelled: 0 });
      assertEquals(await cancelled({ market: "ethusdt", side: "buy" }), { cancelled: 1 });
      assertEquals(left(venue), ["btcusdt buy", "btcusdt sell", "btcusdt sell", "ethusdt sell"]);
      assertEquals(await cancelled({ market: "btcusdt" }), { cancelled: 3 });
      assertEquals(await cancelled({ side: "buy" }), { cancelled: 0 });
      assertEquals(await cancelled({ side: "sell" }), { cancelled: 1 });
    }));

  it("clears halted markets too, named or among all, which no member can", () =>
    withVenue(async (venue) => {
      await placeSome(venue, "bob");
      await setState(venue, "/markets/btcusdt", "halted");
      await setState(venue, "/markets/ethusdt", "halted");
      const own = "/api/v2/trading/market/orders/cancel";
      assertError(await venue.post("bob", own, { market: "btcusdt" }), 422, "market.market.halted");
      const named = await cancelOf(venue, UIDS.bob, { market: "btcusdt", side: "buy" });
      assertEquals([named.status, named.body], [200, { cancelled: 1 }]);
      assertEquals((await cancelOf(venue, UIDS.bob)).body, { cancelled: 4 });
      assertEquals(left(venue), []);
    }));

  it("takes more orders than one commit", () =>
    withVenue(async (venue) => {
      await placeMany(venue);
      let commits = 0;
      venue.engine.onEntry(() => commits += 1);
      assertEquals((await cancelOf(venue, UIDS.alice)).body, { cancelled: MANY });
      assert(commits > 1, `${commits} commits`);
      assertEquals(venue.engine.venue.orders.size, MANY);
    }));

  it("tells the member on its streams, at the latest when it comes back", () =>
    withServedVenue(async (served) => {
      const { venue } = served;
      const ended = async (client: StreamClient, id: number) => {
        const { order } = await client.message("order");
        assertEquals([order.id, order.state, order.reject_reason], [id, "cancel", null]);
      };
      const { id: first } = (await venue.order("bob", { price: "90" })).body;
      const client = await subscribed(served, "bob", "?stream=order");
      await cancelOf(venue, UIDS.bob);
      await ended(client, first);
      const { id: second } = (await venue.order("bob", { price: "91" })).body;
      const { sequence } = await client.message("order");
      await setState(venue, `/members/${UIDS.bob}`, "banned");
      await cancelOf(venue, UIDS.bob);
      await setState(venue, `/members/${UIDS.bob}`, "active");
      await ended(await served.listenAs("bob", `?stream=order&since=order:${sequence}`), second);
    }));

  it("is refused for members and markets that there are none of, and for odd fields", () =>
    withVenue(async (venue) => {
      assertError(await cancelOf(venue, "IDNOBODY"), 404, "record.not_found");
      const unknown = await cancelOf(venue, UIDS.bob, { market: "btceur" });
      assertError(unknown, 422, "market.market.doesnt_exist");
      const odd = await cancelOf(venue, UIDS.bob, { side: "both" });
      assertError(odd, 422, "market.order.invalid_side");
      assertEquals((await venue.get("operator", `${ADMIN}/acts`)).body, []);
    }));
});

describe("cancelling a market's orders", () => {
  for (const state of ["enabled", "cancel_only", "disabled"]) {
    it(`takes everybody's on a market that is ${state}, and its stops`, () =>
      withVenue(async (venue) => {
        for (const signer of ["alice", "bob"] as const) await placeSome(venue, signer);
        await setState(venue, `/members/${UIDS.bob}`, "locked");
        await setState(venue, "/markets/btcusdt", state);
        const { status, body } = await cancelAt(venue, "btcusdt");
        assertEquals([status, ORDERS_CANCELLED.strict().parse(body)], [200, { cancelled: 6 }]);
        assertEquals(left(venue), ["ethusdt buy", "ethusdt buy", "ethusdt sell", "ethusdt sell"]);
      }));
  }

  it("is done while it is halted, and refused for one that there is none of", () =>
    withVenue(async (venue) => {
      await placeSome(venue, "bob");
      await setState(venue, "/markets/btcusdt", "halted");
      assertError(await cancelAt(venue, "btceur"), 404, "record.not_found");
      assertEquals(left(venue).length, 5);
      assertEquals((await cancelAt(venue, "btcusdt")).body, { cancelled: 3 });
      assertEquals(left(venue), ["ethusdt buy", "ethusdt sell"]);
    }));

  it("takes several commits for many orders, and lets others have their turn", () =>
    withVenue(async (venue) => {
      const { engine } = venue;
      await placeMany(venue);
      const alice = engine.venue.holderByUid.get(UIDS.alice)?.member.index ?? -1;
      const order = orderRequest({ amount: "0.01", price: "10" }, 1);
      const command = { kind: "place_orders", member: alice, orders: [order] } as const;
      const kinds: string[] = [];
      let commits = 0;
      let placing: Promise<void> | null = null;
      engine.onEntry((events) => {
        commits += 1;
        kinds.push(...events.map(({ kind }) => kind));
        placing ??= must(venue, command);
      });
      assertEquals((await cancelAt(venue, "btcusdt")).body, { cancelled: 2 * MANY });
      await placing;
      assert(commits > 2, `${commits} commits`);
      assertEquals(left(venue), ["ethusdt buy"]);
      const placed = kinds.indexOf("order_accepted");
      assert(placed >= 0 && placed < kinds.lastIndexOf("order_closed"), `placed as ${placed}`);
      assertEquals(kinds.filter((kind) => kind === "act_noted").length, 1);
    }));

  it("says so if it is interrupted, and finishes when repeated", async () => {
    await using file = await VenueFile.create();
    let size = 0;
    await withVenue(async (venue) => {
      await placeMany(venue);
      let closing: Promise<void> | null = null;
      venue.engine.onEntry(() => closing ??= venue.engine.close());
      assertError(await cancelAt(venue, "btcusdt"), 504, "server.outcome_unknown");
      await closing;
      ({ size } = venue.engine.venue.orders);
      assert(size > 0 && size < 2 * MANY, `${size} orders are left`);
    }, { kvPath: file.path });
    await withVenue(async (venue) => {
      assertEquals((await cancelAt(venue, "btcusdt")).body, { cancelled: size });
      assertEquals(left(venue), []);
      assertEquals((await venue.get("operator", `${ADMIN}/acts`)).body.length, 2);
    }, { kvPath: file.path, clock: { now: START + 60_000 } });
  });

  it("goes on where a market is halted meanwhile", () =>
    withVenue(async (venue) => {
      await placeMany(venue);
      let halting: Promise<void> | null = null;
      venue.engine.onEntry(() => {
        const changes = { state: "halted" } as const;
        halting ??= must(venue, { kind: "change_market", id: "btcusdt", changes });
      });
      assertEquals((await cancelAt(venue, "btcusdt")).body, { cancelled: 2 * MANY });
      await halting;
      assertEquals(left(venue), []);
    }));
});

describe("an operator's cancel", () => {
  it("is an act, with its fields and reason", () =>
    withVenue(async (venue) => {
      await cancelOf(venue, UIDS.bob, { side: "buy", reason: "asked for by the police" });
      await cancelAt(venue, "btcusdt", { reason: "delisted" });
      const { body } = await venue.get("operator", `${ADMIN}/acts`);
      const told = body.map((
        { action, target, changes, reason }: Record<string, unknown>,
      ) => [action, target, changes, reason]);
      assertEquals(told, [
        ["cancelMarketOrders", { id: "btcusdt" }, {}, "delisted"],
        ["cancelMemberOrders", { uid: UIDS.bob }, { side: "buy" }, "asked for by the police"],
      ]);
    }));

  it("needs an operator's key with the scope to trade", () =>
    withVenue(async (venue) => {
      await venue.order("bob");
      const paths = [`/members/${UIDS.bob}`, "/markets/btcusdt"];
      for (const path of paths) {
        const answer = await venue.post("bob", `${ADMIN}${path}/orders/cancel`);
        assertError(answer, 401, "authz.invalid_permission");
      }
      const kid = "demo-operator";
      const scopes = ["read"] as const;
      const another = { kid: "another", role: "operator", nonceMode: "single" } as const;
      await must(venue, { kind: "create_key", uid: OPERATOR, scopes: ["trade"], ...another });
      await must(venue, { kind: "change_key", uid: OPERATOR, kid, scopes });
      for (const path of paths) {
        const answer = await venue.post("operator", `${ADMIN}${path}/orders/cancel`);
        assertError(answer, 403, "authz.scope_not_permitted");
      }
      assertEquals(left(venue), ["btcusdt buy"]);
    }));
});
