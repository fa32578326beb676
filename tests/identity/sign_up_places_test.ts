import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { digestText } from "../../src/identity/random_text.ts";
import { HERE, IdentityVenue, outcomeOf, PASSWORD } from "../support/identity_venue.ts";

const CAROL = { email: "carol@example.org", password: PASSWORD };

/** Returns the tables of the sidecar that have rows. */
async function tablesOf({ engine }: IdentityVenue): Promise<Set<string>> {
  const rows = await engine.listSidecar({ prefix: [], limit: 1000 });
  return new Set(rows.map(({ key }) => String(key[0])));
}

describe("a sign-up among those of strangers", () => {
  it("lets the mailbox's owner in, however many strangers sign up with its address", async () => {
    await using venue = await IdentityVenue.open();
    const strangers = async (from: number) => {
      for (let count = 0; count < 6; count++) {
        const origin = { ...HERE, address: `198.51.100.${from + count}` };
        await venue.signUp(CAROL.email, "Str4nger-here", origin);
        await venue.identity.resendEmailCode(CAROL.email, origin);
      }
    };
    await strangers(0);
    const first = await venue.signUp();
    const lost = await venue.lastCode(first);
    await strangers(40);
    venue.pass(5);
    await strangers(80);
    await venue.identity.resendEmailCode(CAROL.email, HERE);
    assertNotEquals(await venue.lastCode(first), lost);
    const second = await venue.signUp(CAROL.email, "0wner-Again");
    await strangers(120);
    assertEquals((await venue.outbox.list()).filter(({ uid }) => uid === second), []);
    venue.pass(5);
    const last = await venue.signUp(CAROL.email, "0wner-Again");
    await strangers(160);
    assertEquals((await venue.confirm(last, "0wner-Again")).uid, last);
    const signIn = (password: string) => outcomeOf(venue.signIn(undefined, { password }));
    assertEquals(await signIn("Str4nger-here"), "credentials_wrong");
    assertEquals(await signIn("0wner-Again"), "ok");
  });

  it("of another network leaves a code and its password as they are", async () => {
    await using venue = await IdentityVenue.open();
    const owner = await venue.signUp();
    const origin = { ...HERE, address: "198.51.100.1" };
    const stranger = await venue.signUp(CAROL.email, "Str4nger-here", origin);
    assertNotEquals(await venue.lastCode(owner), await venue.lastCode(stranger));
    assertEquals(await outcomeOf(venue.confirm(stranger)), "sign_up_password_wrong");
    assertEquals((await venue.confirm(owner)).uid, owner);
    const late = venue.confirm(stranger, "Str4nger-here");
    assertEquals(await outcomeOf(late), "email_code_invalid");
    assert(!(await tablesOf(venue)).has("sign_ups"));
  });

  it("is mailed once from each network where a mailbox was sent much, and a member less", async () => {
    await using venue = await IdentityVenue.open();
    const sent = async (email: string) => {
      for (let count = 0; count < 20; count++) {
        const origin = { ...HERE, address: `2001:db8:${count % 10}::${count}` };
        await venue.signUp(email, PASSWORD, origin);
      }
      return (await venue.outbox.list()).filter(({ to }) => to === email).length;
    };
    const { uid } = await venue.join("dave@example.org");
    venue.pass(5);
    assertEquals(await sent(CAROL.email), 10);
    const before = (await venue.sent(uid)).length;
    await sent("dave@example.org");
    assertEquals((await venue.sent(uid)).length - before, 3);
  });

  it("keeps in its code nothing that tells where it came from", async () => {
    await using one = await IdentityVenue.open();
    await using two = await IdentityVenue.open();
    const names = await Promise.all([one, two].map(async (venue) => {
      return (await venue.lastCode(await venue.signUp())).split(".")[0];
    }));
    assertNotEquals(names[0]?.split("-")[1], names[1]?.split("-")[1]);
  });

  it("can be confirmed that an older program has kept, one for each mailbox", async () => {
    await using venue = await IdentityVenue.open();
    const uid = await venue.signUp();
    const [row] = await venue.engine.listSidecar({ prefix: ["sign_ups"], limit: 2 });
    const [, emailDigest = ""] = row?.key ?? [];
    const code = `${emailDigest}.${"0".repeat(32)}`;
    const value = { ...row?.value as object, codeDigest: digestText(code) };
    await venue.engine.writeSidecar({ key: row?.key ?? [], value: null });
    await venue.engine.writeSidecar({ key: ["sign_ups", emailDigest], value });
    const member = await venue.identity.confirmEmail({ code, password: PASSWORD }, HERE);
    assertEquals(member.uid, uid);
    assert(!(await tablesOf(venue)).has("sign_ups"));
  });
});
