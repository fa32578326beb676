import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Message } from "../../../src/messages/messenger.ts";
import { ANY_ADDRESS } from "../../../src/wallet/rails/sandbox_rail.ts";
import {
  activate,
  activeBeneficiary,
  BENEFICIARIES,
  createBeneficiary,
  createFiat,
  lastPin,
  UIDS,
  wrongPin,
} from "../../support/beneficiaries.ts";
import { wrongCode } from "../../support/one_time_codes.ts";
import { move, outcome, withdraw } from "../../support/withdraws.ts";
import { type Answer, type TestVenue, withVenue } from "../../support/with_venue.ts";

const TICKS_MAX = 50;

/** Returns the kinds of a member's notices, oldest first. */
async function notices(
  venue: TestVenue,
  member: "alice" | "bob" = "alice",
): Promise<string[]> {
  const messages = await venue.outbox.list(UIDS[member]);
  return messages.filter(({ code }) => code === null).map(({ kind }) => kind).toReversed();
}

/** Returns the kinds of the notices that `act` causes. */
async function noticesOf(venue: TestVenue, act: () => Promise<unknown>): Promise<string[]> {
  const before = await notices(venue);
  await act();
  return (await notices(venue)).slice(before.length);
}

function operate(venue: TestVenue, id: number, action: string): Promise<Answer> {
  return venue.post("operator", `/api/v2/admin/withdraws/${id}/${action}`);
}

/** Requests a withdrawal for alice; returns its id. */
async function withdrawal(venue: TestVenue, beneficiary: number): Promise<number> {
  const answer = await withdraw(venue, beneficiary, { amount: "0.1" });
  assertEquals(answer.status, 201, answer.text);
  return answer.body.id;
}

/** Ticks the wallet until a withdrawal has ended; returns its state. */
async function ended(venue: TestVenue, id: number): Promise<string> {
  for (let ticks = 0; ticks < TICKS_MAX; ticks++) {
    venue.clock.now += 1000;
    await venue.wallet.tick();
    const withdraw = await venue.engine.withdraw(id);
    if (withdraw !== null && withdraw.doneAt !== 0) return withdraw.state;
  }
  throw new Error("The withdrawal does not end");
}

describe("a member hears of a beneficiary", () => {
  it("when it is active, once", () =>
    withVenue(async (venue) => {
      const { body: { id } } = await createBeneficiary(venue, "alice");
      const pin = await lastPin(venue, "alice");
      const give = (given: string) => () => activate(venue, "alice", id, given);
      assertEquals(await noticesOf(venue, give(wrongPin(pin))), []);
      assertEquals(await noticesOf(venue, give(pin)), ["beneficiary_activated"]);
      assertEquals(await noticesOf(venue, give(pin)), []);
      assertEquals(await notices(venue, "bob"), []);
    }));

  it("and from when on it takes withdrawals", () =>
    withVenue(async (venue) => {
      const { body: { id } } = await createBeneficiary(venue, "alice");
      const pin = await lastPin(venue, "alice");
      const sent: Message[] = [];
      venue.outbox.send = (message) => Promise.resolve(void sent.push(message));
      const { body: { held_until: heldUntil } } = await activate(venue, "alice", id, pin);
      assert(Date.parse(heldUntil) > venue.clock.now);
      assertEquals(sent.map((message) => "heldUntil" in message && message.heldUntil), [heldUntil]);
    }, { beneficiaryHoldMs: 24 * 3_600_000 }));
});

describe("a member hears of a withdrawal", () => {
  it("when it is requested, but not when it is refused", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      assertEquals(await noticesOf(venue, () => withdrawal(venue, id)), ["withdraw_requested"]);
      const wrong: Record<string, unknown>[] = [
        { amount: "1000000" },
        { beneficiary_id: 99 },
        { otp: wrongCode(venue) },
      ];
      for (const fields of wrong) {
        assertEquals(await noticesOf(venue, () => withdraw(venue, id, fields)), []);
      }
    }));

  it("when the operator ends it, once", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const ways = [
        ["reject", [], "withdraw_failed"],
        ["fail", ["claim", "park"], "withdraw_failed"],
        ["succeed", ["claim", "park"], "withdraw_succeeded"],
      ] as const;
      for (const [action, before, kind] of ways) {
        const one = await withdrawal(venue, id);
        await move(venue, one, ...before);
        assertEquals(await noticesOf(venue, () => operate(venue, one, action)), [kind]);
        assertEquals(await noticesOf(venue, () => operate(venue, one, action)), []);
      }
    }));

  it("not when the operator lets it go on", () =>
    withVenue(async (venue) => {
      await createFiat(venue);
      const funds = { uid: UIDS.alice, currency: "eur", amount: "10", reason: "a test" };
      await venue.post("operator", "/api/v2/admin/adjustments", funds);
      const fields = { currency: "eur", data: { full_name: "Alice Liddell" } };
      const bank = await activeBeneficiary(venue, "alice", fields);
      const { body } = await withdraw(venue, bank, { currency: "eur", amount: "5" });
      assertEquals(await noticesOf(venue, () => operate(venue, body.id, "approve")), []);
      assertEquals((await venue.engine.withdraw(body.id))?.state, "processing");
      const succeeded = await noticesOf(venue, () => operate(venue, body.id, "succeed"));
      assertEquals(succeeded, ["withdraw_succeeded"]);
    }));

  it("when the rail has paid it, or cannot", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const paid = await withdrawal(venue, id);
      const kinds = await noticesOf(venue, async () => {
        assertEquals(await ended(venue, paid), "succeed");
        for (let i = 0; i < 5; i++) await venue.wallet.tick();
      });
      assertEquals(kinds, ["withdraw_succeeded"]);
      const rule = { currency: "btc", address: ANY_ADDRESS, outcome: "refuse", times: 1 };
      assertEquals((await venue.post("operator", SANDBOX_PAYOUTS, rule)).status, 200);
      const refused = await withdrawal(venue, id);
      const after = await noticesOf(venue, async () => {
        assertEquals(await ended(venue, refused), "failed");
      });
      assertEquals(after, ["withdraw_failed"]);
    }));
});

const SANDBOX_PAYOUTS = "/api/v2/admin/sandbox/payouts";

describe("a notice or an activity that fails", () => {
  it("changes no answer", async () => {
    const faults: unknown[] = [];
    await withVenue(async (venue) => {
      const { body: { id } } = await createBeneficiary(venue, "alice");
      const pin = await lastPin(venue, "alice");
      venue.outbox.send = () => Promise.reject(new Error("The post is on strike"));
      venue.identity.activity.record = () => Promise.reject(new Error("The book is full"));
      const active = await activate(venue, "alice", id, pin);
      assertEquals([active.status, active.body.state], [200, "active"]);
      const wrong = await withdraw(venue, id, { otp: wrongCode(venue) });
      assertEquals(outcome(wrong), "422 account.withdraw.invalid_otp");
      const [first, second] = [await withdrawal(venue, id), await withdrawal(venue, id)];
      const rejected = await operate(venue, first, "reject");
      assertEquals([rejected.status, rejected.body.state], [200, "rejected"]);
      assertEquals(await ended(venue, second), "succeed");
      const deleted = await venue.call("alice", "DELETE", `${BENEFICIARIES}/${id}`);
      assertEquals(deleted.status, 204);
      const told = (error: unknown) => error instanceof Error ? error.message : "";
      assertEquals(faults.map(told), Array(5).fill("The post is on strike"));
      assertEquals(venue.unexpected.map(told), Array(5).fill("The book is full"));
      assert(venue.engine.venue.holderByUid.get(UIDS.alice)?.countedWithdraws.size === 1);
    }, { faults });
  });
});
