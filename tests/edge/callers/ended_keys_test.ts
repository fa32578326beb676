import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertError } from "../../support/assert_error.ts";
import { Person } from "../../support/person.ts";
import { type Answer, type TestVenue, withVenue } from "../../support/with_venue.ts";

const KEYS = "/resource/api_keys";
const BALANCES = "/api/v2/backend/account/balances";
const NEW_PASSWORD = "C0rrect-h0rse";
const FOR_GOOD = "resource.api_key.disabled_for_good";

function changePassword(person: Person, more: Record<string, unknown> = {}): Promise<Answer> {
  return person.call("PUT", "/api/v2/auth/resource/users/password", {
    json: {
      old_password: person.password,
      new_password: NEW_PASSWORD,
      confirm_password: NEW_PASSWORD,
      ...more,
    },
  });
}

async function turnOff(person: Person, code: string): Promise<void> {
  const { status, text } = await person.disableOtp(code);
  assertEquals(status, 201, text);
}

/** Every way in which a member's credentials change, but an ordinary change of the password. */
const CHANGES: Readonly<Record<string, (person: Person, codes: string[]) => Promise<unknown>>> = {
  "a password reset": async (person) => {
    await person.resetPassword();
    assertEquals((await person.signIn(person.nextOtp())).status, 200);
  },
  "turning the second factor off, and on again": async (person) => {
    await turnOff(person, person.nextOtp());
    await person.turnTwoFactorOn();
  },
  "a recovery code that turns it off": async (person, [code = ""]) => {
    await turnOff(person, code);
    await person.turnTwoFactorOn();
  },
  "an operator who turns it off": async (person) => {
    const path = `/api/v2/admin/members/${person.uid}`;
    const answer = await person.venue.call("operator", "PATCH", path, { json: { otp: false } });
    assertEquals(answer.status, 200, answer.text);
    assertEquals((await person.signIn()).status, 200);
    await person.turnTwoFactorOn();
  },
};

/** Returns what a key's holder is told, by HTTP. */
async function statusOf(venue: TestVenue, key: { kid: string; secret: string }): Promise<number> {
  return (await venue.get(key, BALANCES)).status;
}

/** Notes the keys that each message about disabled ones lists, from now on. */
function disabledLists({ outbox }: TestVenue): (readonly string[])[] {
  const lists: (readonly string[])[] = [];
  const send = outbox.send.bind(outbox);
  outbox.send = (message) => {
    if (message.kind === "api_keys_disabled") lists.push(message.kids);
    return send(message);
  };
  return lists;
}

async function told(person: Person): Promise<string[]> {
  return (await person.venue.outbox.list(person.uid)).map(({ kind }) => kind);
}

describe("keys that a member made", () => {
  for (const [what, change] of Object.entries(CHANGES)) {
    it(`are disabled for good by ${what}, and one message says so`, () =>
      withVenue(async (venue) => {
        const lists = disabledLists(venue);
        const carol = await Person.join(venue);
        const codes = await carol.turnTwoFactorOn();
        const made = [(await carol.makeKey()).body, (await carol.makeKey()).body];
        const path = `/api/v2/admin/members/${carol.uid}/api_keys`;
        const { body: given } = await venue.call("operator", "POST", path, { json: {} });
        assertEquals(await statusOf(venue, made[0]), 200);
        await change(carol, codes);
        for (const key of made) {
          assertError(await venue.get(key, BALANCES), 401, "authz.apikey_not_active");
        }
        assertError(await venue.order(made[0]), 401, "authz.apikey_not_active");
        assertEquals(await statusOf(venue, given), 200);
        assertEquals(lists.map((kids) => kids.toSorted()), [made.map(({ kid }) => kid).toSorted()]);
        const listed = (await carol.get(KEYS)).body as { kid: string; state: string }[];
        assertEquals(listed.map(({ state }) => state), ["disabled", "disabled", "active"]);

        const own = `/api/v2/auth${KEYS}/${made[0].kid}`;
        const again = { state: "active" };
        const json = carol.proven({ totp_code: carol.nextOtp(), ...again });
        assertError(await carol.call("PATCH", own, { json }), 422, FOR_GOOD);
        const byOperator = await venue.call("operator", "PATCH", `${path}/${made[1].kid}`, {
          json: again,
        });
        assertError(byOperator, 422, FOR_GOOD);
        const gone = await carol.call("DELETE", own, {
          json: carol.proven({ totp_code: carol.nextOtp() }),
        });
        assertEquals(gone.status, 204);
        assertEquals(await statusOf(venue, (await carol.makeKey()).body), 200);
      }));
  }

  it("end with an ordinary change of the password unless a code keeps them", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const [kept, other] = [(await carol.makeKey()).body, (await carol.makeKey()).body];
      const keep_keys = [kept.kid];
      const missing = await changePassword(carol, { keep_keys });
      assertError(missing, 422, "resource.api_key.missing_totp");
      const wrong = await changePassword(carol, { keep_keys, totp_code: "000000" });
      assertError(wrong, 422, "resource.api_key.invalid_totp");
      assertEquals(wrong.body.details.field, "totp_code");
      for (const unknown of ["demo-alice", "nothing"]) {
        const answer = await changePassword(carol, {
          keep_keys: [kept.kid, unknown],
          totp_code: carol.nextOtp(),
        });
        assertError(answer, 422, "resource.password.invalid_keep_keys");
        assertEquals(answer.body.details.field, "keep_keys");
      }
      assertEquals([await statusOf(venue, kept), await statusOf(venue, other)], [200, 200]);
      const done = await changePassword(carol, { keep_keys, totp_code: carol.nextOtp() });
      assertEquals(done.status, 201, done.text);
      assertEquals([await statusOf(venue, kept), await statusOf(venue, other)], [200, 401]);
      assertEquals((await told(carol)).slice(0, 2), ["api_keys_disabled", "password_changed"]);

      const again = await changePassword(carol, {
        old_password: NEW_PASSWORD,
        new_password: carol.password,
        confirm_password: carol.password,
      });
      assertEquals(again.status, 201);
      assertEquals(await statusOf(venue, kept), 401);
    }));

  it("can't be kept without the second factor", () =>
    withVenue(async (venue) => {
      const carol = await Person.joinWithTwoFactor(venue);
      const { kid } = (await carol.makeKey()).body;
      await turnOff(carol, carol.nextOtp());
      const path = `/api/v2/admin/members/${carol.uid}/api_keys`;
      const { body } = await venue.call("operator", "POST", path, { json: {} });
      const keep = (kid: string) =>
        changePassword(carol, { keep_keys: [kid], totp_code: carol.nextOtp() });
      assertError(await keep(kid), 422, "resource.password.invalid_keep_keys");
      assertError(await keep(body.kid), 422, "resource.api_key.2fa_disabled");
    }));
});
