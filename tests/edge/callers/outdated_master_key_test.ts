/** A process beside others that seal with a master key that it lacks. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Contacts } from "../../../src/secrets/contacts.ts";
import { Vault } from "../../../src/secrets/vault.ts";
import { BeneficiaryData } from "../../../src/wallet/beneficiary_data.ts";
import {
  activate,
  activeBeneficiary,
  BENEFICIARIES,
  createBeneficiary,
  lastPin,
  resend,
  UIDS,
} from "../../support/beneficiaries.ts";
import { type Answer, type TestVenue, withVenue } from "../../support/with_venue.ts";
import { outcome, withdraw, WITHDRAWS } from "../../support/withdraws.ts";

const ADMIN = "/api/v2/admin";
const OUTDATED = "503 server.unavailable server.master_key_outdated";
const BOB = `${ADMIN}/members/${UIDS.bob}`;

/** Seals what the venue has on members and beneficiaries with a key that it lacks. */
async function resealed({ engine }: TestVenue): Promise<void> {
  const vault = new Vault([new Uint8Array(32).fill(1), new Uint8Array(32)]);
  await new BeneficiaryData(engine, vault).resealAll();
  await new Contacts(engine, vault).resealAll();
}

/** Runs a test with a venue that has a withdrawal of bob's for each of some names. */
function withWithdraws(
  test: (venue: TestVenue, ids: readonly number[], faults: unknown[]) => Promise<void>,
): Promise<void> {
  const faults: unknown[] = [];
  return withVenue(async (venue) => {
    const beneficiary = await activeBeneficiary(venue, "bob");
    const limits = { kyc_level: "any", group: "any", limit_24_hour: "0", limit_1_month: "0" };
    await venue.post("operator", `${ADMIN}/withdraw_limits`, limits);
    const ids: number[] = [];
    for (let count = 0; count < 3; count++) {
      const { body } = await withdraw(venue, beneficiary, { amount: "0.1" }, "bob");
      ids.push(body.id);
    }
    await resealed(venue);
    await test(venue, ids, faults);
  }, { faults });
}

describe("a process that lacks the master key of others", () => {
  it("answers what it has done as done, without what it can't open", () =>
    withWithdraws(async (venue, [rejected = 0, approved = 0, canceled = 0], faults) => {
      const path = (id: number, action: string) => `${ADMIN}/withdraws/${id}/${action}`;
      const state = ({ status, body }: Answer) => [status, body.state, body.rid, body.note];
      const reject = await venue.post("operator", path(rejected, "reject"));
      assertEquals(state(reject), [200, "rejected", "", null], reject.text);
      const approve = await venue.post("operator", path(approved, "approve"));
      assertEquals(state(approve), [200, "accepted", "", null], approve.text);
      assertEquals(approve.body.is_approved, true);
      const cancel = await venue.call("bob", "DELETE", `${WITHDRAWS}/${canceled}`);
      assertEquals(state(cancel), [200, "canceled", "", null], cancel.text);
      for (const state of ["locked", "active"]) {
        const { status, body } = await venue.call("operator", "PATCH", BOB, { json: { state } });
        assertEquals([status, body.state, body.email], [200, state, null]);
      }
      const { status, body } = await venue.post("operator", `${BOB}/unlock`);
      assertEquals([status, body.uid, body.email], [200, UIDS.bob, null]);
      assertEquals(faults.length, 4, "two ends, a lock and its end: no notice can be sent");
      assertEquals(venue.unexpected.length, 6, "the answers' faults are reported");
    }));

  it("says that it can't open what it is asked for", () =>
    withWithdraws(async (venue, [id]) => {
      assertEquals(outcome(await venue.get("operator", BOB)), OUTDATED);
      assertEquals(outcome(await venue.get("bob", `${WITHDRAWS}/${id}`)), OUTDATED);
      assertEquals(outcome(await venue.get("bob", BENEFICIARIES)), OUTDATED);
    }));

  it("makes no beneficiary whose pin it can't send, and takes no pin", () =>
    withVenue(async (venue) => {
      const { body: { id } } = await createBeneficiary(venue, "bob");
      const pin = await lastPin(venue, "bob");
      venue.clock.now += 60_000;
      await resealed(venue);
      const { sequence } = venue.engine.venue;
      const data = { address: "sandbox-btc-2" };
      assertEquals(outcome(await createBeneficiary(venue, "bob", { data })), OUTDATED);
      assertEquals(outcome(await resend(venue, "bob", id)), OUTDATED);
      assertEquals(outcome(await activate(venue, "bob", id, pin)), OUTDATED);
      const { beneficiaries } = venue.engine.venue.holder(
        venue.engine.venue.holderByUid.get(UIDS.bob)?.member.index ?? 0,
      );
      assertEquals([...beneficiaries.values()].map(({ state }) => state), ["pending"]);
      assertEquals(venue.engine.venue.sequence - sequence, 0, "503 says that nothing happened");
    }));
});
