import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  activate,
  activeBeneficiary,
  BENEFICIARIES,
  createBeneficiary,
  lastPin,
  UIDS,
  wrongPin,
} from "../../support/beneficiaries.ts";
import { wrongCode } from "../../support/one_time_codes.ts";
import { Person } from "../../support/person.ts";
import { withdraw, WITHDRAWS } from "../../support/withdraws.ts";
import { type TestVenue, withVenue } from "../../support/with_venue.ts";

const PAGE = { offset: 0, limit: 100 };

/** Returns alice's activities as `topic action result`, oldest first. */
async function activities(venue: TestVenue): Promise<string[]> {
  const { items } = await venue.identity.activity.list(UIDS.alice, PAGE);
  return items.map(({ topic, action, result }) => `${topic} ${action} ${result}`).toReversed();
}

describe("the activity log of a program's calls", () => {
  it("records beneficiary changes and pins that were wrong or dead", () =>
    withVenue(async (venue) => {
      const { body: { id } } = await createBeneficiary(venue, "alice");
      const pin = await lastPin(venue, "alice");
      for (let tries = 0; tries < 6; tries++) await activate(venue, "alice", id, wrongPin(pin));
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${id}`);
      await activeBeneficiary(venue, "alice");
      await activate(venue, "alice", 2, "123456");
      await createBeneficiary(venue, "alice");
      assertEquals(await activities(venue), [
        "beneficiary create succeed",
        ...Array(6).fill("beneficiary activate failed"),
        "beneficiary delete succeed",
        "beneficiary create succeed",
        "beneficiary activate succeed",
      ]);
      assertEquals((await venue.identity.activity.list(UIDS.bob, PAGE)).items, []);
    }));

  it("records withdrawals and wrong codes", () =>
    withVenue(async (venue) => {
      const id = await activeBeneficiary(venue, "alice");
      const before = (await activities(venue)).length;
      await withdraw(venue, id, { otp: wrongCode(venue) });
      await withdraw(venue, id, { amount: "1000000" });
      await withdraw(venue, id, { amount: "0.1" });
      assertEquals((await activities(venue)).slice(before), [
        "withdraw create failed",
        "withdraw create succeed",
      ]);
    }));

  it("says where they came from", () =>
    withVenue(async (venue) => {
      const json = { currency: "btc", name: "x", data: { address: "sandbox-btc-1" } };
      const headers = { "User-Agent": "trading-bot/1.2" };
      await venue.call("alice", "POST", BENEFICIARIES, { json, headers });
      const { items: [latest] } = await venue.identity.activity.list(UIDS.alice, PAGE);
      assertEquals([latest?.address, latest?.userAgent], ["10.0.0.1", "trading-bot/1.2"]);
    }));
});

describe("the activity log of a person's calls", () => {
  it("is listed by topic", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { uid } = carol;
      await venue.call("operator", "PATCH", `/api/v2/admin/members/${uid}`, { json: { level: 3 } });
      const funds = { uid, currency: "btc", amount: "1", reason: "a test" };
      await venue.post("operator", "/api/v2/admin/adjustments", funds);
      const data = { address: "sandbox-btc-1" };
      const made = await carol.call("POST", BENEFICIARIES, {
        json: { currency: "btc", name: "Cold wallet", data },
      });
      const beneficiary_id = made.body.id;
      const pin = await carol.code("beneficiary_pin");
      await carol.call("PATCH", `${BENEFICIARIES}/${beneficiary_id}/activate`, { json: { pin } });
      const asked = { beneficiary_id, currency: "btc", amount: "0.5" };
      for (const otp of [wrongCode(venue), carol.nextOtp()]) {
        await carol.call("POST", WITHDRAWS, { json: { ...asked, otp } });
      }
      const listed = async (topic: string) => {
        const { status, body } = await carol.get(`/resource/users/activity/${topic}`);
        assertEquals(status, 200, topic);
        return body.map((one: Record<string, string>) => `${one.action} ${one.result}`);
      };
      assertEquals(await listed("beneficiary"), ["activate succeed", "create succeed"]);
      assertEquals(await listed("withdraw"), ["create succeed", "create failed"]);
    }));
});
