/** One-time codes that are looked at before their password, and guesses of them. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { eventually } from "../../support/eventually.ts";
import { HERE, IdentityVenue, outcomeOf } from "../../support/identity_venue.ts";

const WRONG = { password: "Tr0ub4dor&4" };
/** Where the member calls from. */
const HOME = { ...HERE, address: "192.0.2.200" };

describe("guesses of codes without the password", () => {
  it("leave a right one its way past a flood, however many come", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    const { twoFactor } = venue.identity;
    for (let count = 0; count < 200; count++) {
      assertEquals(await twoFactor.foresee(index, venue.wrongCode(count)), null);
    }
    assertNotEquals(await twoFactor.foresee(index, venue.code()), null);
    assertEquals(await outcomeOf(venue.signIn(venue.code())), "ok");
    assertEquals(await twoFactor.foresee(index, venue.code()), null, "it was used");
  });

  it("gain nothing by a right one: a wrong password has used it up", async () => {
    await using venue = await IdentityVenue.open({ passwordCost: 2 ** 12 });
    const { uid } = await venue.joinWithTwoFactor();
    const code = venue.code();
    const there = { ...HERE, address: "203.0.113.9" };
    const wrong = { ...WRONG, origin: there };
    assertEquals(await outcomeOf(venue.signIn(code, wrong)), "credentials_wrong");
    const step = venue.member(uid).otpStep;
    let settled = 0;
    const flood = Array.from({ length: 60 }, async (_, place) => {
      const origin = { ...HERE, address: `198.51.100.${place}` };
      await outcomeOf(venue.signIn("123456", { ...WRONG, email: `${place}@example.org`, origin }));
      settled += 1;
    });
    await eventually("the flood has begun", () => settled > 0);
    assertEquals(await outcomeOf(venue.signIn(code, wrong)), "credentials_wrong");
    assert(venue.member(uid).otpStep > step, "it was used up, as it was not without a flood");
    await Promise.all(flood);
    const guess = () => venue.signIn(code, { origin: there });
    assertEquals(await outcomeOf(guess()), "sign_in_code_wrong");
    venue.clock.now += 30_000;
    assertEquals(await outcomeOf(venue.signIn(venue.code(), { origin: HOME })), "ok");
  });
});
