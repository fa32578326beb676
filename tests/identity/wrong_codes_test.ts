/** What wrong codes from messages cost: anybody may send them without end. */
import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { UnavailableError } from "../../src/engine/engine.ts";
import { HERE, IdentityVenue, outcomeOf, PASSWORD } from "../support/identity_venue.ts";

const EMAIL = "carol@example.org";
const NEW = "C0rrect-horse";
/** The operator's own machine, whose wrong codes are not counted. */
const LOCAL = { ...HERE, address: "127.0.0.1" };
const THERE = { ...HERE, address: "198.51.100.1" };

/** Opens a venue and returns the tables whose rows are changed. */
async function watched(): Promise<{ venue: IdentityVenue; changed: string[] }> {
  const changed: string[] = [];
  const onChange = ([table]: readonly unknown[]) =>
    Promise.resolve(void changed.push(String(table)));
  return { venue: await IdentityVenue.open({ onChange }), changed };
}

describe("a wrong code from a message", () => {
  it("costs no write where it names nothing, or what is there with another secret", async () => {
    const opened = await watched();
    await using venue = opened.venue;
    const { changed } = opened;
    const { uid } = await venue.join();
    await venue.identity.sendResetCode(EMAIL, HERE);
    const reset = await venue.lastCode(uid);
    const place = (await venue.lastCode(await venue.signUp("dave@example.org"))).split(".")[0];
    const secret = "0".repeat(32);
    changed.length = 0;
    for (const name of [`${"a".repeat(64)}-${"b".repeat(32)}`, "a".repeat(64), place]) {
      const code = `${name}.${secret}`;
      const confirming = venue.identity.confirmEmail({ code, password: PASSWORD }, LOCAL);
      assertEquals(await outcomeOf(confirming), "email_code_invalid");
    }
    for (const code of [`${uid}.${secret}`, `ID0000000000.${secret}`, `${reset}0`]) {
      const resetting = venue.identity.resetPassword(code, NEW, LOCAL);
      assertEquals(await outcomeOf(resetting), "reset_code_invalid");
    }
    assertEquals(changed, []);
  });

  it("is counted by the address that sends it, and locks out no right one", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.identity.sendResetCode(EMAIL, HERE);
    const dave = await venue.signUp("dave@example.org");
    const confirm = (origin = HERE) =>
      outcomeOf(
        venue.identity.confirmEmail({ code: `${"a".repeat(64)}.0`, password: PASSWORD }, origin),
      );
    const reset = (code: string) => outcomeOf(venue.identity.resetPassword(code, NEW, HERE));
    for (let count = 0; count < 10; count++) {
      assertEquals(await confirm(), "email_code_invalid");
      assertEquals(await reset(`${count < 5 ? uid : "ID0000000000"}.0`), "reset_code_invalid");
    }
    const outcomes = [await confirm(), await reset(`${uid}.0`), await reset("ID0000000000.0")];
    assertEquals(outcomes, Array(3).fill("sign_in_throttled"));
    assertEquals(await confirm(THERE), "email_code_invalid");
    assertEquals((await venue.confirm(dave)).uid, dave);
    assertEquals(await reset(await venue.lastCode(uid)), "ok");
  });

  it("is one that another process has used up meanwhile", async () => {
    const rival: { use: (() => Promise<unknown>) | null } = { use: null };
    await using venue = await IdentityVenue.open({
      onChange: async ([table]) => {
        if (table !== "email_codes") return;
        const { use } = rival;
        rival.use = null;
        await use?.();
      },
    });
    const { uid } = await venue.join();
    await venue.identity.sendResetCode(EMAIL, HERE);
    const code = await venue.lastCode(uid);
    rival.use = () => venue.identity.resetPassword(code, NEW, HERE);
    const late = venue.identity.resetPassword(code, "An0ther-horse", HERE);
    assertEquals(await outcomeOf(late), "reset_code_invalid");
    assertEquals(await outcomeOf(venue.signIn(undefined, { password: NEW })), "ok");
  });
});

describe("a right code from a message", () => {
  it("costs no write where it is refused for the factor that it may not turn off", async () => {
    const opened = await watched();
    await using venue = opened.venue;
    const { uid } = await venue.joinWithTwoFactor();
    await venue.identity.sendResetCode(EMAIL, HERE);
    const code = await venue.lastCode(uid);
    opened.changed.length = 0;
    const refused = venue.identity.resetPassword(code, NEW, HERE, true);
    assertEquals(await outcomeOf(refused), "factor_not_new");
    assertEquals(opened.changed, []);
    assertEquals(await outcomeOf(venue.identity.resetPassword(code, NEW, HERE)), "ok");
  });

  it("stays good where the store takes no change", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.identity.sendResetCode(EMAIL, HERE);
    const code = await venue.lastCode(uid);
    const { engine } = venue;
    const submit = engine.submit.bind(engine);
    engine.submit = () => Promise.reject(new UnavailableError("not now"));
    const reset = () => venue.identity.resetPassword(code, NEW, HERE);
    await assertRejects(reset, UnavailableError, "not now");
    engine.submit = submit;
    assertEquals(await outcomeOf(reset()), "ok");
  });
});
