import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { UnavailableError } from "../../src/engine/engine.ts";
import { NoMessenger } from "../../src/messages/no_messenger.ts";
import { IdentityProcesses } from "../support/identity_processes.ts";
import { HERE, IdentityVenue, outcomeOf, PASSWORD } from "../support/identity_venue.ts";

const CAROL = { email: "carol@example.org", password: PASSWORD };

describe("signing up", () => {
  it("makes a pending member of level 0, whose session opens nothing yet", async () => {
    await using venue = await IdentityVenue.open();
    const { member, cookie, csrfToken } = await venue.identity.signUp(CAROL, HERE);
    assert(/^ID[0-9A-F]{10}$/.test(member.uid), member.uid);
    assertEquals([member.state, member.level, member.hasTwoFactor], ["pending", 0, false]);
    assertEquals(await venue.identity.sessions.authenticate(cookie), null);
    assertEquals(await outcomeOf(venue.signIn()), "member_pending");
    assertEquals(await venue.identity.email(member.uid), CAROL.email);

    await venue.identity.confirmEmail(await venue.lastCode(member.uid), HERE);
    const caller = await venue.identity.sessions.authenticate(cookie);
    assertEquals([caller?.member.uid, caller?.csrfToken], [member.uid, csrfToken]);
  });

  it("makes one member per address, however written", async () => {
    await using venue = await IdentityVenue.open();
    await venue.identity.signUp(CAROL, HERE);
    const again = { ...CAROL, email: " Carol@Example.ORG" };
    assertEquals(await outcomeOf(venue.identity.signUp(again, HERE)), "email_taken");
    const both = await Promise.all(
      ["192.0.2.8", "192.0.2.9"].map((address) =>
        outcomeOf(venue.identity.signUp({ ...CAROL, email: "x@y.org" }, { ...HERE, address }))
      ),
    );
    assertEquals(both.sort(), ["email_taken", "ok"]);
  });

  it("makes no member for a weak password", async () => {
    await using venue = await IdentityVenue.open();
    const weak = { ...CAROL, password: "password" };
    assertEquals(await outcomeOf(venue.identity.signUp(weak, HERE)), "password_weak");
    assertEquals(venue.engine.venue.members().length, 0);
  });

  it("makes no member if messages can't be sent", async () => {
    await using venue = await IdentityVenue.open({ messenger: new NoMessenger() });
    assertEquals(await outcomeOf(venue.identity.signUp(CAROL, HERE)), "unavailable");
    assertEquals(await outcomeOf(venue.identity.resendEmailCode(CAROL.email, HERE)), "unavailable");
    assertEquals(await outcomeOf(venue.identity.sendResetCode(CAROL.email, HERE)), "unavailable");
    assertEquals(venue.engine.venue.members().length, 0);
  });

  it("is limited by the address it comes from", async () => {
    await using venue = await IdentityVenue.open();
    for (let i = 0; i < 20; i++) {
      await venue.identity.signUp({ ...CAROL, email: `${i}@example.org` }, HERE);
    }
    assertEquals(await outcomeOf(venue.identity.signUp(CAROL, HERE)), "sign_in_throttled");
    const elsewhere = { ...HERE, address: "192.0.2.8" };
    assertEquals(await outcomeOf(venue.identity.signUp(CAROL, elsewhere)), "ok");
  });
});

describe("confirming an address", () => {
  it("makes the member active, of level 1, once", async () => {
    await using venue = await IdentityVenue.open();
    const { member } = await venue.identity.signUp(CAROL, HERE);
    const code = await venue.lastCode(member.uid);
    const confirmed = await venue.identity.confirmEmail(code, HERE);
    assertEquals([confirmed.uid, confirmed.state, confirmed.level], [member.uid, "active", 1]);
    assertEquals(await outcomeOf(venue.identity.confirmEmail(code, HERE)), "email_code_invalid");
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("refuses codes that are wrong, another's, or ten minutes old", async () => {
    await using venue = await IdentityVenue.open();
    const { member: { uid } } = await venue.identity.signUp(CAROL, HERE);
    const dave = { ...CAROL, email: "dave@example.org" };
    const { member: other } = await venue.identity.signUp(dave, HERE);
    const code = await venue.lastCode(uid);
    const foreign = (await venue.lastCode(other.uid)).replace(other.uid, uid);
    for (const wrong of ["", "x", uid, `${uid}.`, `${code}0`, code.slice(0, -1), foreign]) {
      assertEquals(
        await outcomeOf(venue.identity.confirmEmail(wrong, HERE)),
        "email_code_invalid",
        wrong,
      );
    }
    venue.pass(10);
    assertEquals(await outcomeOf(venue.identity.confirmEmail(code, HERE)), "email_code_invalid");
    assertEquals(venue.member(uid).state, "pending");
  });

  it("leaves alone a ban that came while the code was checked", async () => {
    await using venue = await IdentityVenue.open();
    const { member: { uid } } = await venue.identity.signUp(CAROL, HERE);
    const code = await venue.lastCode(uid);
    const { engine } = venue;
    const submit = engine.submit.bind(engine);
    engine.submit = async (...call) => {
      engine.submit = submit;
      await venue.setState(uid, "banned");
      return await submit(...call);
    };
    assertEquals(await outcomeOf(venue.identity.confirmEmail(code, HERE)), "email_code_invalid");
    assertEquals([venue.member(uid).state, venue.member(uid).level], ["banned", 0]);
  });

  it("leaves the code valid if the store could not record its use", async () => {
    await using venue = await IdentityVenue.open();
    const { member: { uid } } = await venue.identity.signUp(CAROL, HERE);
    const code = await venue.lastCode(uid);
    const { engine } = venue;
    const submit = engine.submit.bind(engine);
    engine.submit = () => Promise.reject(new UnavailableError("not now"));
    const confirm = () => venue.identity.confirmEmail(code, HERE);
    await assertRejects(confirm, UnavailableError, "not now");
    engine.submit = submit;
    assertEquals(await outcomeOf(confirm()), "ok");
  });

  it("sends another code, which makes the one before it invalid", async () => {
    await using venue = await IdentityVenue.open();
    const { member: { uid } } = await venue.identity.signUp(CAROL, HERE);
    const first = await venue.lastCode(uid);
    await venue.identity.resendEmailCode(CAROL.email, HERE);
    const second = await venue.lastCode(uid);
    assertNotEquals(first, second);
    assertEquals(await outcomeOf(venue.identity.confirmEmail(first, HERE)), "email_code_invalid");
    assertEquals(await outcomeOf(venue.identity.confirmEmail(second, HERE)), "ok");
  });

  it("answers alike for any address, even after too many codes", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.identity.signUp({ ...CAROL, email: "dave@example.org" }, HERE);
    const before = (await venue.outbox.list()).length;
    for (const email of [CAROL.email, "nobody@example.org", "dave@example.org"]) {
      for (let count = 0; count < 5; count++) await venue.identity.resendEmailCode(email, HERE);
      assertEquals(
        await outcomeOf(venue.identity.resendEmailCode(email, HERE)),
        "messages_throttled",
      );
    }
    const messages = await venue.outbox.list();
    assertEquals(messages.length - before, 5);
    assert(messages.slice(0, 5).every(({ to }) => to === "dave@example.org"));
    assert(messages.slice(0, 5).every((message) => message.uid !== uid));
  });

  it("counts once across two processes, and not again after a restart", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    const { member: { uid } } = await one.identity.signUp(CAROL, HERE);
    const code = await one.lastCode(uid);
    const outcomes = await Promise.all(
      [one, two, one, two].map(({ identity }) => outcomeOf(identity.confirmEmail(code, HERE))),
    );
    assertEquals(outcomes.filter((outcome) => outcome === "ok").length, 1);
    await using later = await processes.restart();
    await later.setState(uid, "pending");
    assertEquals(await outcomeOf(later.identity.confirmEmail(code, HERE)), "email_code_invalid");
  });

  it("leaves no code in any row, event or activity", async () => {
    await using venue = await IdentityVenue.open();
    const { member: { uid } } = await venue.identity.signUp(CAROL, HERE);
    const code = await venue.lastCode(uid);
    const rows = await venue.engine.listSidecar({ prefix: [], limit: 1000 });
    const kept = rows.filter(({ key }) => key[0] !== "outbox");
    assert(kept.length > 5);
    const text = JSON.stringify(kept);
    for (const secret of [code, code.split(".")[1] ?? code, CAROL.email, PASSWORD]) {
      assert(!text.includes(secret), secret);
    }
  });
});
