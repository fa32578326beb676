/** Changes whose answers a KV server loses, so that they are made again. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HERE, IdentityVenue, outcomeOf } from "../support/identity_venue.ts";

const EMAIL = "carol@example.org";
const NEW = "C0rrect-horse";
const WRONG = { email: EMAIL, password: "Wr0ng-password" };
/** Number of wrong passwords of which the last is still checked, and locks. */
const TRIES_MAX = 5;

/** Opens a venue that makes every change twice. */
function openVenue(): Promise<IdentityVenue> {
  return IdentityVenue.open({ isAnswerLost: () => true });
}

describe("a change whose answer was lost", () => {
  it("confirms an address once", async () => {
    await using venue = await openVenue();
    const uid = await venue.signUp(EMAIL);
    assertEquals((await venue.confirm(uid)).state, "active");
    assertEquals(await outcomeOf(venue.confirm(uid)), "email_code_invalid");
  });

  it("sets a password by a code once", async () => {
    await using venue = await openVenue();
    const { uid } = await venue.join(EMAIL);
    await venue.identity.sendResetCode(EMAIL, HERE);
    const code = await venue.lastCode(uid);
    const reset = () => outcomeOf(venue.identity.resetPassword(code, NEW, HERE));
    assertEquals([await reset(), await reset()], ["ok", "reset_code_invalid"]);
    assertEquals(await outcomeOf(venue.signIn(undefined, { password: NEW })), "ok");
  });

  it("uses a recovery code once", async () => {
    await using venue = await openVenue();
    const { uid, index } = await venue.join(EMAIL);
    const { codes: [code = ""] } = await venue.turnOnTwoFactor(index);
    const signIn = () => outcomeOf(venue.signIn(code));
    assertEquals([await signIn(), await signIn()], ["ok", "sign_in_code_wrong"]);
    assertEquals(await venue.recoveryCodesLeft(uid), 9);
  });

  it("ends a session once", async () => {
    await using venue = await openVenue();
    await venue.join(EMAIL);
    const caller = await venue.caller((await venue.signIn()).cookie);
    const signOut = () => outcomeOf(venue.identity.signOut(caller, HERE));
    assertEquals([await signOut(), await signOut()], ["ok", "session_not_found"]);
  });

  it("is one try, and the last is still judged", async () => {
    await using venue = await openVenue();
    await venue.join(EMAIL);
    for (let tries = 1; tries < TRIES_MAX; tries++) {
      assertEquals(await outcomeOf(venue.signIn(undefined, WRONG)), "credentials_wrong");
    }
    assertEquals(await outcomeOf(venue.signIn()), "ok");
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      assertEquals(await outcomeOf(venue.signIn(undefined, WRONG)), "credentials_wrong");
    }
    assertEquals(await outcomeOf(venue.signIn()), "sign_in_throttled");
  });
});
