import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ADMIN_WITHDRAW_DETAIL } from "../../../../src/edge/schemas/admin/admin_money.ts";
import { assertError } from "../../../support/assert_error.ts";
import { activeBeneficiary, BENEFICIARIES, UIDS } from "../../../support/beneficiaries.ts";
import { write } from "../../../support/operator_writes.ts";
import { withdraw } from "../../../support/withdraws.ts";
import { withVenue } from "../../../support/with_venue.ts";

const ADMIN = "/api/v2/admin";
const REASON = { reason: "a stolen phone" };

describe("a withdrawal to a beneficiary that is deleted", () => {
  const WITHDRAWS = "/withdraws";

  it("is shown as such with its member's state, and paid only if it was the member who did", () =>
    withVenue(async (venue) => {
      await write(venue, "POST", "/withdraw_limits", { limit_24_hour: "0", limit_1_month: "0" });
      const [own, thiefs] = [
        await activeBeneficiary(venue, "alice"),
        await activeBeneficiary(venue, "alice", { data: { address: "sandbox-btc-thief" } }),
      ];
      const ids: number[] = [];
      for (const to of [own, thiefs]) ids.push((await withdraw(venue, to)).body.id);
      const [mine = 0, stolen = 0] = ids;
      const read = async (id: number) => {
        const { body } = await venue.get("operator", `${ADMIN}${WITHDRAWS}/${id}`);
        ADMIN_WITHDRAW_DETAIL.parse(body);
        assertEquals(body.beneficiary.state, body.beneficiary_state);
        return [body.member_state, body.beneficiary_state, body.waiting_for];
      };
      assertEquals(await read(stolen), ["active", "active", "approval"]);
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${own}`);
      await venue.call("alice", "DELETE", `${BENEFICIARIES}/${thiefs}`);
      assertEquals(await read(stolen), ["active", "archived", "approval"]);
      const path = `/members/${UIDS.alice}`;
      await write(venue, "PATCH", path, { state: "locked", ...REASON });
      const deleted = await write(venue, "DELETE", `${path}/beneficiaries/${thiefs}`, REASON);
      assertEquals(deleted.status, 204);
      assertEquals(await read(stolen), ["locked", "disabled", "decision"]);
      assertEquals(await read(mine), ["locked", "archived", "hold"]);
      await write(venue, "PATCH", path, { state: "active", ...REASON });
      const refused = await write(venue, "POST", `${WITHDRAWS}/${stolen}/approve`, REASON);
      assertError(refused, 422, "admin.withdraw.beneficiary_disabled");
      const approved = await write(venue, "POST", `${WITHDRAWS}/${mine}/approve`, REASON);
      assertEquals([approved.status, approved.body.beneficiary_state], [200, "archived"]);
      const rejected = await write(venue, "POST", `${WITHDRAWS}/${stolen}/reject`, REASON);
      assertEquals([rejected.status, rejected.body.state], [200, "rejected"]);
    }));
});
