import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals } from "@std/assert";
import { isRejection } from "../../src/domain/command.ts";
import { HERE, IdentityVenue, outcomeOf } from "../support/identity_venue.ts";

const SESSION = { sessionId: "a session" };

/** Uses a code as a withdrawal does; returns whether it was accepted. */
async function spend(venue: IdentityVenue, member: number, code: string) {
  const otp = await venue.identity.twoFactor.prove(member, code, SESSION);
  return !isRejection(await venue.engine.submit({ kind: "spend_otp", otp }, null));
}

describe("wrong codes in a session or by a key", () => {
  for (const place of [{ sessionId: "stolen" }, { sessionId: null, kid: "leaked" }]) {
    it(`lock only ${place.sessionId ?? place.kid}, however many they are`, async () => {
      await using venue = await IdentityVenue.open();
      const { uid, index } = await venue.joinWithTwoFactor();
      const { twoFactor } = venue.identity;
      for (let count = 0; count < 20; count++) {
        await twoFactor.prove(index, venue.wrongCode(count), place);
        if (count % 5 === 4) {
          const right = twoFactor.prove(index, venue.code(), place);
          assert((await outcomeOf(right)).startsWith("code_"), String(count));
          assertEquals(await outcomeOf(venue.signIn(venue.code())), "ok", String(count));
          assertEquals(await spend(venue, index, venue.code(30_000)), true);
          venue.pass(15 * 2 ** Math.floor(count / 5));
        }
      }
      assertEquals(await outcomeOf(twoFactor.prove(index, venue.code(), place)), "code_locked");
      assertEquals(await outcomeOf(venue.signIn(venue.code())), "ok");
      const told = (await venue.sent(uid)).filter(({ kind }) => kind === "codes_refused");
      assertEquals(told.length, 1);
      venue.pass(1);
      await venue.identity.unlock(uid);
      assertEquals(await outcomeOf(twoFactor.prove(index, venue.code(), place)), "ok");
    });
  }

  it("are counted there when a factor is turned off, and not at sign-in", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    const { twoFactor } = venue.identity;
    const owner = { ...venue.owner(index), ...SESSION };
    const disable = (code: string) => outcomeOf(twoFactor.disable(index, code, HERE, owner));
    for (let count = 0; count < 5; count++) {
      assertEquals(await disable(venue.wrongCode(count)), "code_wrong");
    }
    assertEquals(await disable(venue.code()), "code_throttled");
    assertEquals(await outcomeOf(venue.signIn(venue.code())), "ok");
  });

  it("are not more because others were entered at sign-in", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    for (let count = 0; count < 5; count++) {
      const origin = { ...HERE, address: `198.51.100.${count}` };
      await outcomeOf(venue.signIn(venue.wrongCode(count), { origin }));
    }
    assertEquals(await outcomeOf(venue.signIn(venue.code())), "code_throttled");
    assertEquals(await spend(venue, index, venue.code()), true);
  });
});
