import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { UnavailableError } from "../../src/engine/engine.ts";
import { type Message, type MessageKind, NoMessenger } from "../../src/messages/messenger.ts";
import { Reaper } from "../../src/identity/reaper.ts";
import { IdentityProcesses } from "../support/identity_processes.ts";
import { VenueFile } from "../support/engine_venue.ts";
import { HERE, IdentityVenue, outcomeOf, PASSWORD, START } from "../support/identity_venue.ts";

const CAROL = { email: "carol@example.org", password: PASSWORD };

/** Returns the tables of the sidecar that have rows. */
async function tablesOf({ engine }: IdentityVenue): Promise<Set<string>> {
  const rows = await engine.listSidecar({ prefix: [], limit: 1000 });
  return new Set(rows.map(({ key }) => String(key[0])));
}

/** Returns the number of rows, apart from those that count requests by address. */
async function countOf({ engine }: IdentityVenue): Promise<number> {
  const rows = await engine.listSidecar({ prefix: [], limit: 1000 });
  return rows.filter(({ key }) => key[1] !== "code_request").length;
}

describe("signing up", () => {
  it("makes no member and opens no session before the address is confirmed", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, email, createdAt } = await venue.identity.signUp(CAROL, HERE);
    assert(/^ID[0-9A-F]{10}$/.test(uid), uid);
    assertEquals([email, createdAt], [CAROL.email, venue.clock.now]);
    assertEquals(venue.engine.venue.members().length, 0);
    const tables = await tablesOf(venue);
    for (const table of ["sessions", "passwords", "contacts"]) assert(!tables.has(table), table);
    assertEquals(await outcomeOf(venue.signIn()), "credentials_wrong");

    const member = await venue.confirm(uid);
    assertEquals([member.uid, member.state, member.level], [uid, "active", 1]);
    assertEquals(await venue.identity.email(uid), CAROL.email);
    assertEquals(await venue.identity.sessions.list(uid), []);
    assert(!(await tablesOf(venue)).has("sign_ups"));
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("proves nothing: the next one of an address and network replaces its password and code", async () => {
    await using venue = await IdentityVenue.open();
    const stranger = await venue.signUp(CAROL.email, "Str4nger-here");
    const first = await venue.lastCode(stranger);
    const owner = await venue.signUp(" Carol@Example.ORG");
    for (const password of [PASSWORD, "Str4nger-here"]) {
      const confirmed = venue.identity.confirmEmail({ code: first, password }, HERE);
      assertEquals(await outcomeOf(confirmed), "email_code_invalid");
    }
    assertEquals(
      await outcomeOf(venue.confirm(owner, "Str4nger-here")),
      "sign_up_password_wrong",
    );
    assertEquals((await venue.confirm(owner)).uid, owner);
    const signIn = venue.signIn(undefined, { password: "Str4nger-here" });
    assertEquals(await outcomeOf(signIn), "credentials_wrong");
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("gives a mailbox's owner nothing that a stranger has chosen", async () => {
    await using venue = await IdentityVenue.open();
    const uid = await venue.signUp(CAROL.email, "Str4nger-here");
    assertEquals(await outcomeOf(venue.confirm(uid)), "sign_up_password_wrong");
    assertEquals(await outcomeOf(venue.signIn()), "credentials_wrong");
    const own = await venue.signUp();
    assertEquals((await venue.confirm(own)).uid, own);
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("answers alike for a member's address, and tells only the member", async () => {
    const changed: string[] = [];
    await using venue = await IdentityVenue.open({
      onChange: ([table]) => Promise.resolve(void changed.push(String(table))),
    });
    const { uid } = await venue.join();
    const seen = [];
    for (const email of [CAROL.email, "dave@example.org"]) {
      changed.length = 0;
      const answer = await venue.identity.signUp({ email, password: "Str4nger-here" }, HERE);
      assertNotEquals(answer.uid, uid);
      seen.push([Object.keys(answer), [...changed]]);
    }
    assertEquals(seen[0], seen[1]);
    assertEquals((await venue.sent(uid))[0]?.kind, "address_in_use");
    assertEquals(venue.engine.venue.members().length, 1);
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("ends after a day, and leaves the address free", async () => {
    await using venue = await IdentityVenue.open();
    const uid = await venue.signUp();
    venue.pass(24 * 60 - 1);
    await venue.identity.resendEmailCode(CAROL.email, HERE);
    const code = await venue.lastCode(uid);
    venue.pass(1);
    const late = venue.identity.confirmEmail({ code, password: PASSWORD }, HERE);
    assertEquals(await outcomeOf(late), "email_code_invalid");
    const before = (await venue.outbox.list()).length;
    await venue.identity.resendEmailCode(CAROL.email, HERE);
    assertEquals((await venue.outbox.list()).length, before);
    await new Reaper(venue.engine, () => {}).step();
    assert(!(await tablesOf(venue)).has("sign_ups"));
    assertEquals((await venue.join()).state, "active");
  });

  it("takes over a pending member, whose sessions and codes are of no use any more", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    const { cookie } = await venue.signIn();
    await venue.identity.twoFactor.generate(index);
    await venue.identity.sendResetCode(CAROL.email, HERE);
    const reset = await venue.lastCode(uid);
    await venue.setState(uid, "pending");
    assertEquals(await outcomeOf(venue.signIn()), "member_pending");

    const proposed = await venue.signUp(CAROL.email, "N3w-password");
    const member = await venue.confirm(proposed, "N3w-password");
    assertEquals([member.uid, member.state], [uid, "active"]);
    assertEquals(await venue.identity.sessions.authenticate(cookie, false), null);
    const old = venue.identity.resetPassword(reset, "Str4nger-here", HERE);
    assertEquals(await outcomeOf(old), "reset_code_invalid");
    const enabled = venue.identity.twoFactor.enable(index, "123456", HERE, venue.owner(index));
    assertEquals(await outcomeOf(enabled), "two_factor_not_generated");
    assertEquals(await outcomeOf(venue.signIn()), "credentials_wrong");
    assertEquals(await outcomeOf(venue.signIn(undefined, { password: "N3w-password" })), "ok");
  });

  it("can still be confirmed after the master key was rotated", async () => {
    await using file = await VenueFile.create();
    const [old, young] = [new Uint8Array(32), new Uint8Array(32).fill(7)];
    const open = (...masterKeys: Uint8Array[]) =>
      IdentityVenue.open({ path: file.path, clock: { now: START }, masterKeys });
    const before = await open(old);
    const uid = await before.signUp();
    await before.close();
    const between = await open(young, old);
    assertEquals(await between.identity.resealAll(), 1);
    assertEquals(await between.identity.resealAll(), 0);
    await between.contacts.resealAll();
    await between.close();
    await using venue = await open(young);
    await venue.identity.resendEmailCode(CAROL.email, HERE);
    assertEquals((await venue.confirm(uid)).state, "active");
    assertEquals(await venue.identity.email(uid), CAROL.email);
  });

  it("is mailed three times in five minutes, and the last code stays good", async () => {
    await using venue = await IdentityVenue.open();
    const uids = [];
    for (let count = 0; count < 5; count++) uids.push(await venue.signUp());
    await venue.identity.resendEmailCode(CAROL.email, HERE);
    const messages = await venue.outbox.list();
    assertEquals(messages.map(({ uid }) => uid), uids.slice(0, 3).reverse());
    venue.pass(9);
    assertEquals((await venue.confirm(uids[2] ?? "")).state, "active");
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

  it("leaves a member its codes where strangers have taken the places of messages", async () => {
    const strangers = ["email_confirmation", "address_in_use"];
    let isFull = false;
    const messenger = {
      hasRoomFor: (kind: MessageKind) => !isFull || !strangers.includes(kind),
      send: (message: Message) => Promise.resolve(void sent.push(message)),
      close: () => Promise.resolve(),
    };
    const sent: Message[] = [];
    await using venue = await IdentityVenue.open({ messenger });
    const { uid } = await venue.identity.signUp(CAROL, HERE);
    const code = sent.flatMap((one) => one.kind === "email_confirmation" ? [one.code] : []).join();
    await venue.identity.confirmEmail({ code, password: PASSWORD }, HERE);
    isFull = true;
    const stranger = { ...CAROL, email: "dave@example.org" };
    assertEquals(await outcomeOf(venue.identity.signUp(stranger, HERE)), "unavailable");
    assertEquals(await outcomeOf(venue.identity.sendResetCode(CAROL.email, HERE)), "ok");
    const last = sent.at(-1);
    assertEquals([last?.kind, last?.uid], ["password_reset", uid]);
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
    const uid = await venue.signUp();
    const confirmed = await venue.confirm(uid);
    assertEquals([confirmed.uid, confirmed.state, confirmed.level], [uid, "active", 1]);
    assertEquals(await outcomeOf(venue.confirm(uid)), "email_code_invalid");
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("refuses codes that are wrong, another's, or ten minutes old", async () => {
    await using venue = await IdentityVenue.open();
    const uid = await venue.signUp();
    const other = await venue.signUp("dave@example.org");
    const code = await venue.lastCode(uid);
    const [place = "", secret = ""] = code.split(".");
    const [, foreign = ""] = (await venue.lastCode(other)).split(".");
    const confirm = (code: string) =>
      outcomeOf(venue.identity.confirmEmail({ code, password: PASSWORD }, HERE));
    const wrong = ["", "x", uid, place, `${place}.`, `${uid}.${secret}`, `${code}0`];
    for (const one of [...wrong, code.slice(0, -1), `${place}.${foreign}`]) {
      assertEquals(await confirm(one), "email_code_invalid", one);
    }
    venue.pass(10);
    assertEquals(await confirm(code), "email_code_invalid");
    assertEquals(venue.engine.venue.members().length, 0);
  });

  it("takes five passwords with a code, and more only with a new one", async () => {
    await using venue = await IdentityVenue.open();
    const uid = await venue.signUp();
    for (let count = 0; count < 5; count++) {
      assertEquals(await outcomeOf(venue.confirm(uid, "Wr0ng-pass")), "sign_up_password_wrong");
    }
    assertEquals(await outcomeOf(venue.confirm(uid)), "email_code_invalid");
    await venue.identity.resendEmailCode(CAROL.email, HERE);
    assertEquals(await outcomeOf(venue.confirm(uid)), "ok");
  });

  it("leaves alone a member that an operator has created meanwhile", async () => {
    await using venue = await IdentityVenue.open();
    const uid = await venue.signUp();
    const { engine, contacts } = venue;
    const submit = engine.submit.bind(engine);
    const emailDigest = await contacts.emailDigest(CAROL.email);
    engine.submit = async (...call) => {
      engine.submit = submit;
      await venue.venue.must({
        kind: "create_member",
        uid: "IDFFFFFFFFFF",
        emailDigest,
        level: 3,
        group: "any",
      });
      return await submit(...call);
    };
    assertEquals(await outcomeOf(venue.confirm(uid)), "email_code_invalid");
    assertEquals(engine.venue.members().map(({ member }) => member.uid), ["IDFFFFFFFFFF"]);
    assertEquals(await outcomeOf(venue.confirm(uid)), "email_code_invalid");
    assertEquals(await outcomeOf(venue.signIn()), "credentials_wrong");
  });

  it("leaves alone a ban that came while the password was compared", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.setState(uid, "pending");
    const proposed = await venue.signUp();
    const { engine } = venue;
    const submit = engine.submit.bind(engine);
    engine.submit = async (...call) => {
      engine.submit = submit;
      await venue.setState(uid, "banned");
      return await submit(...call);
    };
    assertEquals(await outcomeOf(venue.confirm(proposed)), "email_code_invalid");
    assertEquals(venue.member(uid).state, "banned");
  });

  it("leaves the code valid if the store could not record its use", async () => {
    await using venue = await IdentityVenue.open();
    const uid = await venue.signUp();
    const { engine } = venue;
    const submit = engine.submit.bind(engine);
    engine.submit = () => Promise.reject(new UnavailableError("not now"));
    const confirm = () => venue.confirm(uid);
    await assertRejects(confirm, UnavailableError, "not now");
    engine.submit = submit;
    assertEquals(await outcomeOf(confirm()), "ok");
  });

  it("sends another code, which makes the one before it invalid", async () => {
    await using venue = await IdentityVenue.open();
    const uid = await venue.signUp();
    const first = await venue.lastCode(uid);
    await venue.identity.resendEmailCode(CAROL.email, HERE);
    assertNotEquals(await venue.lastCode(uid), first);
    const old = venue.identity.confirmEmail({ code: first, password: PASSWORD }, HERE);
    assertEquals(await outcomeOf(old), "email_code_invalid");
    assertEquals(await outcomeOf(venue.confirm(uid)), "ok");
  });

  it("is asked for alike for any address, which costs rows only where there is one", async () => {
    const changed: string[] = [];
    await using venue = await IdentityVenue.open({
      onChange: ([table]) => Promise.resolve(void changed.push(String(table))),
    });
    const { uid } = await venue.join();
    await venue.signUp("dave@example.org");
    const before = (await venue.outbox.list()).length;
    const seen = [];
    for (const email of [CAROL.email, "nobody@example.org", "dave@example.org"]) {
      changed.length = 0;
      const rows = await countOf(venue);
      for (let count = 0; count < 5; count++) await venue.identity.resendEmailCode(email, HERE);
      seen.push([...changed]);
      if (email !== "dave@example.org") assertEquals(await countOf(venue), rows, email);
    }
    assertEquals(seen, Array(3).fill(seen[0]));
    const messages = await venue.outbox.list();
    assertEquals(messages.length - before, 2, "three in five minutes, the sign-up's among them");
    assert(messages.slice(0, 2).every(({ to }) => to === "dave@example.org"));
    assert(messages.slice(0, 2).every((message) => message.uid !== uid));
  });

  it("counts once across two processes, and not again after a restart", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    const uid = await one.signUp();
    const outcomes = await Promise.all(
      [one, two, one, two].map((venue) => outcomeOf(venue.confirm(uid))),
    );
    assertEquals(outcomes.sort(), [...Array(3).fill("email_code_invalid"), "ok"]);
    await using later = await processes.restart();
    await later.setState(uid, "pending");
    assertEquals(await outcomeOf(later.confirm(uid)), "email_code_invalid");
  });

  it("leaves no code in any row, event or activity", async () => {
    await using venue = await IdentityVenue.open();
    const uid = await venue.signUp();
    const code = await venue.lastCode(uid);
    const rows = await venue.engine.listSidecar({ prefix: [], limit: 1000 });
    const kept = rows.filter(({ key }) => key[0] !== "outbox");
    assert(kept.some(({ key }) => key[0] === "sign_ups"));
    const text = JSON.stringify(kept);
    for (const secret of [code, code.split(".")[1] ?? code, CAROL.email, PASSWORD]) {
      assert(!text.includes(secret), secret);
    }
  });
});
