import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { SidecarKey } from "../../src/engine/engine.ts";
import { NoMessenger } from "../../src/messages/messenger.ts";
import { IdentityProcesses } from "../support/identity_processes.ts";
import { HERE, IdentityVenue, outcomeOf, PASSWORD } from "../support/identity_venue.ts";

const EMAIL = "carol@example.org";
const NEW = "C0rrect-horse";

describe("resetting a password", () => {
  it("sets a new one by the code, ends all sessions, and lifts the lock", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.joinWithTwoFactor();
    const { cookie } = await venue.signIn(venue.code());
    await venue.caller(cookie);
    for (let count = 0; count < 5; count++) {
      await outcomeOf(venue.signIn(undefined, { password: "Tr0ub4dor&4" }));
    }
    await venue.identity.sendResetCode(EMAIL, HERE);
    await venue.identity.resetPassword(await venue.lastCode(uid), NEW, HERE);
    assertEquals(await venue.identity.sessions.authenticate(cookie, false), null);
    assertEquals(await outcomeOf(venue.signIn()), "credentials_wrong");
    // The second factor stays on.
    assertEquals(
      await outcomeOf(venue.signIn(undefined, { password: NEW })),
      "sign_in_code_missing",
    );
    venue.clock.now += 30_000;
    assertEquals(await outcomeOf(venue.signIn(venue.code(), { password: NEW })), "ok");
  });

  it("does not unlock a second factor that wrong codes have locked", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.joinWithTwoFactor();
    for (let count = 0; count < 20; count++) {
      const origin = { ...HERE, address: `198.51.100.${count}` };
      await outcomeOf(venue.signIn(venue.wrongCode(count), { origin }));
      if (count % 5 === 4) venue.pass(15 * 2 ** Math.floor(count / 5));
    }
    assertEquals(await outcomeOf(venue.signIn(venue.code())), "code_locked");
    await venue.identity.sendResetCode(EMAIL, HERE);
    await venue.identity.resetPassword(await venue.lastCode(uid), NEW, HERE);
    const signIn = () => outcomeOf(venue.signIn(venue.code(), { password: NEW }));
    assertEquals(await signIn(), "code_locked");
    await venue.identity.unlock(uid);
    assertEquals(await signIn(), "ok");
  });

  it("is mailed again to a mailbox that was sent much after an operator's unlock", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const ask = async () => {
      await venue.identity.sendResetCode(EMAIL, HERE);
      return (await venue.sent(uid)).filter(({ kind }) => kind === "password_reset").length;
    };
    assertEquals([await ask(), await ask(), await ask(), await ask()], [1, 2, 3, 3]);
    await venue.identity.unlock(uid);
    assertEquals(await ask(), 4);
  });

  it("takes a code once, for ten minutes, and only the latest", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const reset = (code: string, password = NEW) =>
      outcomeOf(venue.identity.resetPassword(code, password, HERE));
    await venue.identity.sendResetCode(EMAIL, HERE);
    const first = await venue.lastCode(uid);
    await venue.identity.sendResetCode(EMAIL, HERE);
    const second = await venue.lastCode(uid);
    assertEquals(await reset(first), "reset_code_invalid");
    assertEquals(await reset(second, "password"), "password_weak");
    assertEquals(await reset(second), "ok");
    assertEquals(await reset(second), "reset_code_invalid");
    await venue.identity.sendResetCode(EMAIL, HERE);
    const third = await venue.lastCode(uid);
    venue.pass(10);
    assertEquals(await reset(third), "reset_code_invalid");
    assertEquals(await reset(""), "reset_code_invalid");
  });

  it("takes no sign-up code, nor does a sign-up take its code", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.identity.sendResetCode(EMAIL, HERE);
    const reset = await venue.lastCode(uid);
    const other = await venue.signUp("dave@example.org");
    const { identity } = venue;
    const confirmation = await venue.lastCode(other);
    assertEquals(
      await outcomeOf(identity.resetPassword(confirmation, NEW, HERE)),
      "reset_code_invalid",
    );
    const confirmed = identity.confirmEmail({ code: reset, password: PASSWORD }, HERE);
    assertEquals(await outcomeOf(confirmed), "email_code_invalid");
    assertEquals(await outcomeOf(identity.resetPassword(reset, NEW, HERE)), "ok");
    assertEquals(await outcomeOf(venue.confirm(other)), "ok");
  });

  it("is asked for alike for any address, and costs no row where there is no member", async () => {
    const changed: string[] = [];
    await using venue = await IdentityVenue.open({
      onChange: (key) => Promise.resolve(void changed.push(String(key[0]))),
    });
    const { uid } = await venue.join();
    await venue.signUp("dave@example.org");
    const rowsOf = async () => {
      const rows = await venue.engine.listSidecar({ prefix: [], limit: 1000 });
      return rows.filter(({ key }) => key[1] !== "code_request").length;
    };
    const seen = [];
    for (const email of [EMAIL, "nobody@example.org", "dave@example.org"]) {
      changed.length = 0;
      const before = await rowsOf();
      for (let count = 0; count < 5; count++) await venue.identity.sendResetCode(email, HERE);
      seen.push([...changed]);
      if (email !== EMAIL) assertEquals(await rowsOf(), before, email);
    }
    assertEquals(seen, Array(3).fill(seen[0]));
    assert(changed.includes("email_codes"), changed.join());
    const sent = (await venue.outbox.list()).filter(({ kind }) => kind === "password_reset");
    assertEquals(sent.map((one) => one.uid), Array(3).fill(uid));
  });

  it("stays possible however often strangers ask: the last code sent is good", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const ask = (address: string) =>
      outcomeOf(venue.identity.sendResetCode(EMAIL, { ...HERE, address }));
    for (let count = 0; count < 40; count++) {
      assertEquals(await ask(`198.51.100.${count}`), "ok");
    }
    const code = await venue.lastCode(uid);
    venue.pass(4);
    assertEquals(await ask("192.0.2.8"), "ok");
    assertEquals(await venue.lastCode(uid), code);
    venue.pass(5);
    assertEquals(await outcomeOf(venue.identity.resetPassword(code, NEW, HERE)), "ok");
  });

  it("ends what came before it: sessions, other codes, a factor not in force yet", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    const { cookie } = await venue.signIn();
    await venue.identity.twoFactor.generate(index);
    await venue.identity.sendResetCode(EMAIL, HERE);
    const first = await venue.lastCode(uid);
    await venue.identity.sendResetCode(EMAIL, HERE);
    await venue.identity.resetPassword(await venue.lastCode(uid), NEW, HERE);
    assertEquals(await venue.identity.sessions.authenticate(cookie, false), null);
    const again = venue.identity.resetPassword(first, PASSWORD, HERE);
    assertEquals(await outcomeOf(again), "reset_code_invalid");
    const enabled = venue.identity.twoFactor.enable(index, "123456", HERE, venue.owner(index));
    assertEquals(await outcomeOf(enabled), "two_factor_not_generated");
  });

  it("is refused to an address asking too often, before anything is written", async () => {
    const changed: SidecarKey[] = [];
    await using venue = await IdentityVenue.open({
      onChange: (key) => Promise.resolve(void changed.push(key)),
    });
    const { identity } = venue;
    for (let count = 0; count < 20; count++) {
      const email = `nobody${count}@example.org`;
      const asked = count % 2 === 0
        ? identity.sendResetCode(email, HERE)
        : identity.resendEmailCode(email, HERE);
      assertEquals(await outcomeOf(asked), "ok");
    }
    changed.length = 0;
    for (const ask of [identity.sendResetCode, identity.resendEmailCode]) {
      const asked = outcomeOf(ask.call(identity, "one.more@example.org", HERE));
      assertEquals(await asked, "messages_throttled");
    }
    assertEquals(
      new Set(changed.map((key) => key.slice(0, 2).join())),
      new Set(["throttles,code_request"]),
    );
    const elsewhere = { ...HERE, address: "192.0.2.8" };
    assertEquals(await outcomeOf(identity.sendResetCode("a@example.org", elsewhere)), "ok");
    venue.pass(60);
    assertEquals(await outcomeOf(identity.sendResetCode("a@example.org", HERE)), "ok");
  });

  it("takes a code once across two processes, and not after a restart", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    const { uid } = await one.join();
    await one.identity.sendResetCode(EMAIL, HERE);
    const code = await one.lastCode(uid);
    const outcomes = await Promise.all(
      [one, two, one, two].map(({ identity }, count) =>
        outcomeOf(identity.resetPassword(code, `${NEW}${count}`, HERE))
      ),
    );
    assertEquals(outcomes.sort(), ["ok", ...Array(3).fill("reset_code_invalid")]);
    await using later = await processes.restart();
    assertEquals(
      await outcomeOf(later.identity.resetPassword(code, NEW, HERE)),
      "reset_code_invalid",
    );
  });

  it("leaves the code valid if the password could not be written", async () => {
    const store = { isFailing: false };
    await using venue = await IdentityVenue.open({
      onChange: ([table]) =>
        store.isFailing && table === "passwords"
          ? Promise.reject(new Error("the store fails"))
          : Promise.resolve(),
    });
    const { uid } = await venue.join();
    await venue.identity.sendResetCode(EMAIL, HERE);
    const code = await venue.lastCode(uid);
    store.isFailing = true;
    const failure = await venue.identity.resetPassword(code, NEW, HERE).catch(({ message }) =>
      message
    );
    assertEquals(failure, "the store fails");
    store.isFailing = false;
    assertEquals(await outcomeOf(venue.identity.resetPassword(code, NEW, HERE)), "ok");
  });

  it("is refused if an operator moves the member to another mailbox meanwhile", async () => {
    let isDue = false;
    await using venue = await IdentityVenue.open({
      onChange: async ([table], engine) => {
        if (!isDue || table !== "email_codes") return;
        isDue = false;
        await engine.submit({ kind: "change_member", uid, changes: { emailDigest: "new" } }, null);
      },
    });
    const { uid } = await venue.join();
    await venue.identity.sendResetCode(EMAIL, HERE);
    const code = await venue.lastCode(uid);
    isDue = true;
    const reset = () => outcomeOf(venue.identity.resetPassword(code, NEW, HERE));
    assertEquals(await reset(), "reset_code_invalid");
    assertEquals(await reset(), "reset_code_invalid");
  });

  it("keeps valid a newer code sent while the password could not be written", async () => {
    const store = { isFailing: false };
    await using venue = await IdentityVenue.open({
      onChange: async ([table]) => {
        if (!store.isFailing || table !== "passwords") return;
        await venue.identity.sendResetCode(EMAIL, HERE);
        throw new Error("the store fails");
      },
    });
    const { uid } = await venue.join();
    await venue.identity.sendResetCode(EMAIL, HERE);
    const code = await venue.lastCode(uid);
    const reset = (given: string) => outcomeOf(venue.identity.resetPassword(given, NEW, HERE));
    store.isFailing = true;
    await assertRejects(() => reset(code), Error, "the store fails");
    store.isFailing = false;
    assertEquals(await reset(code), "reset_code_invalid");
    assertEquals(await reset(await venue.lastCode(uid)), "ok");
  });
});

describe("a reset that turns a second factor off", () => {
  const reset = async (venue: IdentityVenue, uid: string) => {
    await venue.identity.sendResetCode(EMAIL, HERE);
    const code = await venue.lastCode(uid);
    return await outcomeOf(venue.identity.resetPassword(code, NEW, HERE, true));
  };

  it("is possible for 48 hours, not for one more millisecond", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    await venue.turnOnTwoFactor(index);
    venue.pass(48 * 60);
    assertEquals(await reset(venue, uid), "factor_not_new");
    venue.clock.now -= 1;
    assertEquals(await reset(venue, uid), "ok");
    assertEquals(venue.member(uid).hasTwoFactor, false);
  });

  it("is never possible for one that no member turned on, as in a store from before", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.joinWithTwoFactor();
    assertEquals(await reset(venue, uid), "factor_not_new");
    assertEquals(venue.member(uid).hasTwoFactor, true);
  });
});

describe("a move to another mailbox", () => {
  it("ends the password although no message can be sent: the member asks for a code later", async () => {
    const messenger = new NoMessenger();
    await using venue = await IdentityVenue.open({ messenger });
    const uid = "ID7";
    const emailDigest = await venue.contacts.emailDigest(EMAIL);
    await venue.engine.submit(
      { kind: "create_member", uid, emailDigest, level: 1, group: "any" },
      null,
    );
    await venue.identity.seedPassword(uid, PASSWORD);
    const { cookie } = await venue.signIn();
    const rows = await venue.identity.moveRows(uid);
    const moved = await venue.contacts.emailDigest("carol@new.example");
    await venue.engine.submit(
      { kind: "change_member", uid, changes: { emailDigest: moved } },
      null,
      () => rows,
    );
    assertEquals(await venue.identity.sessions.authenticate(cookie, true), null);
    await venue.identity.hasMoved(uid);
    const signIn = () => outcomeOf(venue.signIn(undefined, { email: "carol@new.example" }));
    assertEquals(await signIn(), "credentials_wrong");
    // As at the next start of a demo.
    await venue.identity.seedPassword(uid, PASSWORD);
    assertEquals(await signIn(), "credentials_wrong");
  });
});
