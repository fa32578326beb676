import { describe, it } from "@std/testing/bdd";
import { assertEquals, assertNotEquals } from "@std/assert";
import { otpAt } from "../support/otp_at.ts";
import { HERE, IdentityVenue, outcomeOf } from "../support/identity_venue.ts";

const SESSION = { sessionId: "session" };
const NEW = "C0rrect-horse";
const SECOND_MS = 1000;
const IDLE_MINUTES = 120;
const CODE_MINUTES = 10;

/** Makes each read of a row take so many minutes by the venue's clock. */
function slow({ clock, engine }: IdentityVenue, minutes: number): void {
  const { readSidecar, changeSidecar } = engine;
  const late = () => clock.now += minutes * 60 * SECOND_MS;
  const patched: Partial<typeof engine> = {
    readSidecar: async (key) => {
      late();
      return await readSidecar.call(engine, key);
    },
    changeSidecar: async (key, change) => {
      late();
      return await changeSidecar.call(engine, key, change) as ReturnType<typeof change>;
    },
  };
  Object.assign(engine, patched);
}

describe("what came in time while the store takes long", () => {
  it("is a right one-time code", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    venue.pass(1);
    const code = venue.code();
    slow(venue, 5);
    const { step } = await venue.identity.twoFactor.prove(index, code, SESSION);
    assertNotEquals(step, null);
    const late = await venue.identity.twoFactor.prove(index, code, SESSION);
    assertEquals(late.step, null, "the code of long ago is wrong when it comes now");
  });

  it("is the first code of a second factor", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.join();
    const { secret } = await venue.identity.twoFactor.generate(index);
    const code = otpAt(secret, venue.clock.now);
    slow(venue, 5);
    const enabling = venue.identity.twoFactor.enable(index, code, HERE, venue.owner(index));
    assertEquals(await outcomeOf(enabling), "ok");
  });

  it("is a session that is about to end", async () => {
    await using venue = await IdentityVenue.open();
    await venue.join();
    const { cookie } = await venue.signIn();
    venue.pass(IDLE_MINUTES);
    venue.clock.now -= SECOND_MS;
    slow(venue, 1);
    assertNotEquals(await venue.identity.sessions.authenticate(cookie, true), null);
  });

  it("is a code that was mailed", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.identity.sendResetCode("carol@example.org", HERE);
    const code = await venue.lastCode(uid);
    venue.pass(CODE_MINUTES);
    assertEquals(
      await outcomeOf(venue.identity.resetPassword(code, NEW, HERE)),
      "reset_code_invalid",
    );
    await venue.identity.sendResetCode("carol@example.org", HERE);
    const late = await venue.lastCode(uid);
    venue.pass(CODE_MINUTES - 1);
    slow(venue, 2);
    assertEquals(await outcomeOf(venue.identity.resetPassword(late, NEW, HERE)), "ok");
  });
});
