/** What one process has answered is known to the next call at another process. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { present } from "../../src/domain/assert.ts";
import type { Member } from "../../src/domain/people/member.ts";
import { JsonText, type RpcRequest } from "../../src/sockets/rpc/rpc_frame.ts";
import { getOrders, getOrderTrades, listOrders } from "../../src/sockets/rpc/rpc_orders.ts";
import { RpcTrader } from "../../src/sockets/rpc/rpc_trader.ts";
import {
  activate,
  activeBeneficiary,
  BENEFICIARIES,
  createBeneficiary,
  lastPin,
  resend,
  UIDS,
} from "../support/beneficiaries.ts";
import { VenueFile } from "../support/engine_venue.ts";
import { FakeIntervals } from "../support/fake_intervals.ts";
import { FaultyStore } from "../support/faulty_store.ts";
import { nextCode } from "../support/one_time_codes.ts";
import { Person } from "../support/person.ts";
import { type Answer, type TestVenue, withVenue } from "../support/with_venue.ts";
import { outcome, withdraw } from "../support/withdraws.ts";

const ADMIN = "/api/v2/admin";
const ORDERS = "/api/v2/trading/market/orders";

/** Runs a test with two processes on one store that learn nothing from the watch. */
async function withProcesses(
  test: (one: TestVenue, two: TestVenue) => Promise<void>,
): Promise<void> {
  await using file = await VenueFile.create();
  const open = async () => {
    const store = await FaultyStore.open(file.path);
    store.isWatchDropped = true;
    return { kvPath: file.path, sharedStore: store };
  };
  await withVenue(
    async (one) => await withVenue((two) => test(one, two), { ...await open(), clock: one.clock }),
    await open(),
  );
}

const CONTEXT = { hasExtras: true, chargeRecords: () => {} };

function operate(venue: TestVenue, path: string, json: unknown): Promise<Answer> {
  return venue.call("operator", "PATCH", `${ADMIN}${path}`, { json });
}

/** Returns the trader of a socket at a process, with alice's key. */
function traderOf({ engine }: TestVenue): RpcTrader {
  const { key } = present(engine.venue.keyByKid.get("demo-alice"), "alice has a key");
  const signature = { key: key.index, nonce: 1, digest: 0 };
  const caller = { member: key.member, key, signature, isBodySigned: false, session: null };
  return new RpcTrader(engine, caller);
}

/** Returns alice as a process knows her. */
function aliceAt({ engine }: TestVenue): Member {
  return present(engine.venue.holderByUid.get(UIDS.alice), "alice is a member").member;
}

function requestOf(...args: unknown[]): RpcRequest {
  return { id: 1, method: "", args, given: args };
}

describe("two processes", () => {
  it("take orders on a market the other made, and answer repeated ones alike", () =>
    withProcesses(async (one, two) => {
      const currency = { id: "xmr", name: "Monero", precision: 8 };
      assertEquals((await one.post("operator", `${ADMIN}/currencies`, currency)).status, 201);
      const market = { base_unit: "xmr", quote_unit: "usdt", min_price: "1", min_amount: "1" };
      const precisions = { price_precision: 2, amount_precision: 4 };
      const made = await two.post("operator", `${ADMIN}/markets`, { ...market, ...precisions });
      assertEquals(made.status, 201, made.text);
      const halted = await operate(one, "/markets/xmrusdt", { state: "halted" });
      assertEquals([halted.status, halted.body.state], [200, "halted"]);
      await operate(two, "/markets/xmrusdt", { state: "enabled" });
      const terms = { market: "xmrusdt", client_order_id: "my-1" };
      const placed = await one.order("alice", terms);
      assertEquals(placed.status, 201, placed.text);
      const repeated = await two.order("alice", terms);
      assertEquals([repeated.status, repeated.body.uuid], [201, placed.body.uuid]);
    }));

  it("cancel and show orders that the other has taken or cancelled", () =>
    withProcesses(async (one, two) => {
      const trader = traderOf(two);
      const first = (await one.order("alice")).body;
      const listed = await listOrders(trader, requestOf(), CONTEXT);
      assertEquals((listed.args as unknown[]).length, 1);
      const second = (await one.order("alice")).body;
      const read = await getOrders(trader, requestOf(first.uuid, second.uuid), CONTEXT);
      assertEquals((read.args as unknown[]).length, 2);
      const third = (await one.order("alice")).body;
      const trades = await getOrderTrades(trader, requestOf(third.uuid), CONTEXT);
      assertEquals(trades.args, new JsonText("[]"));
      const fourth = (await one.order("alice")).body;
      await one.post("alice", `${ORDERS}/cancel/${fourth.id}`);
      for (const { uuid } of [fourth, first]) {
        const cancelled = await two.post("alice", `${ORDERS}/cancel/${uuid}`);
        assertEquals([cancelled.status, cancelled.body.state], [201, "cancel"]);
      }
    }));

  it("never leave a member in a group that the other takes out of the definition", () =>
    withProcesses(async (one, two) => {
      const path = `${ADMIN}/member_classes`;
      const define = (groups: string[]) =>
        one.call("operator", "PUT", path, { json: { groups, level_max: 3 } });
      for (let round = 0; round < 10; round++) {
        await operate(two, `/members/${UIDS.alice}`, { group: "any", reason: "a test" });
        assertEquals((await define(["vip"])).status, 200);
        const [gone, put] = await Promise.all([
          define([]),
          operate(two, `/members/${UIDS.alice}`, { group: "vip", reason: "a test" }),
        ]);
        await one.engine.fresh();
        const { body: { groups } } = await one.get("operator", path);
        assertEquals([...groups, "any"].includes(aliceAt(one).group), true);
        assertEquals([gone.status, put.status].sort(), [200, 422]);
      }
    }));

  it("answer all reads while the log's time is far ahead of both clocks, and take no write", () =>
    withProcesses(async (one, two) => {
      const carol = await Person.join(one);
      const { clock } = one;
      clock.now += 600_000;
      await one.engine.submit({ kind: "set_switches", switches: { trading: true } }, null);
      clock.now -= 600_000;
      for (const venue of [one, two]) {
        await venue.engine.fresh();
        for (
          const [signer, path] of [
            [null, "/api/v2/backend/public/markets/btcusdt/depth"],
            [null, "/api/v2/backend/public/status"],
            ["alice", "/api/v2/backend/account/balances"],
            ["alice", "/api/v2/backend/market/orders"],
            ["operator", `${ADMIN}/members`],
            ["operator", `${ADMIN}/acts`],
          ] as const
        ) assertEquals((await venue.get(signer, path)).status, 200, path);
        assertEquals((await venue.order("alice")).status, 503);
      }
      assertEquals((await carol.get("/resource/users/me")).status, 200);
    }));

  it("know the level, currency and beneficiary that the other changed or made", () =>
    withProcesses(async (one, two) => {
      const alice = `/members/${UIDS.alice}`;
      await operate(one, alice, { level: 0, reason: "papers out of date" });
      assertEquals((await createBeneficiary(two, "alice")).status, 403);
      await operate(one, alice, { level: 3, reason: "papers seen" });
      const made = await createBeneficiary(two, "alice");
      assertEquals(made.status, 201, made.text);
      const active = await activate(one, "alice", made.body.id, await lastPin(one, "alice"));
      assertEquals([active.status, active.body.state], [200, "active"]);

      const currency = { id: "xmr", name: "Monero", precision: 10 };
      assertEquals((await one.post("operator", `${ADMIN}/currencies`, currency)).status, 201);
      assertEquals((await createBeneficiary(two, "alice", { currency: "xmr" })).status, 201);
    }));

  it("take an address again once the other has deleted its beneficiary", async () => {
    using _intervals = new FakeIntervals();
    await withProcesses(async (one, two) => {
      const { body: { id } } = await createBeneficiary(one, "alice");
      await two.engine.fresh();
      await one.call("alice", "DELETE", `${BENEFICIARIES}/${id}`);
      const { beneficiaries } = two.engine.venue.holder(aliceAt(two).index);
      assertEquals(beneficiaries.get(id)?.state, "pending");
      assertEquals(outcome(await createBeneficiary(two, "alice")), "201");
    });
  });

  it("take a withdrawal's code once the other has turned the second factor on", async () => {
    // Otherwise their timers might tell them.
    using _intervals = new FakeIntervals();
    await withProcesses(async (one, two) => {
      const beneficiary = await activeBeneficiary(one, "alice");
      const { index: member, generation = 0 } = aliceAt(one);
      const off = { kind: "set_two_factor", member, generation, isOn: false } as const;
      await one.engine.submit(off, null);
      await two.engine.fresh();
      assertEquals(aliceAt(two).hasTwoFactor, false);
      const otp = await nextCode(one, "alice");
      assertEquals(outcome(await withdraw(two, beneficiary, { otp })), "201");
    });
  });

  it("refuse a pin too soon, with the time when the other sent the last one", () =>
    withProcesses(async (one, two) => {
      const { body: { id, sent_at: first } } = await createBeneficiary(one, "alice");
      await two.engine.fresh();
      one.clock.now += 60_000;
      const again = await resend(one, "alice", id);
      assertEquals([again.status, again.body.sent_at > first], [200, true], again.text);
      const soon = await resend(two, "alice", id);
      assertEquals([soon.status, soon.body.sent_at], [422, again.body.sent_at], soon.text);
    }));

  it("let in those who signed up at the other, and know what they changed there", () =>
    withProcesses(async (one, two) => {
      const dave = new Person(one, "dave@example.org");
      await dave.signUp();
      const token = await dave.code("email_confirmation");
      const confirm = "/api/v2/auth/identity/users/email/confirm_code";
      assertEquals((await two.post(null, confirm, { token, password: dave.password })).status, 201);

      const carol = await Person.join(one, "carol@example.org");
      const there = new Person(two, "carol@example.org");
      Object.assign(there, { cookie: carol.cookie, csrfToken: carol.csrfToken });
      const known = await there.get("/resource/users/me");
      assertEquals([known.status, known.body.uid], [200, carol.uid]);
      const funds = { uid: carol.uid, currency: "usdt", amount: "5", reason: "a gift" };
      assertEquals((await one.post("operator", `${ADMIN}/adjustments`, funds)).status, 201);
      const { body } = await there.call("GET", "/api/v2/backend/account/balances/usdt");
      assertEquals(body.balance, "5.0");
      await carol.turnTwoFactorOn();
      there.otpSecret = carol.otpSecret;
      const made = await there.makeKey();
      assertEquals(made.status, 201, made.text);
    }));
});
