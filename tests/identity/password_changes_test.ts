import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { IdentityProcesses } from "../support/identity_processes.ts";
import {
  HERE,
  IdentityVenue,
  outcomeOf,
  PASSWORD,
  retryAfterOf,
} from "../support/identity_venue.ts";
import { type SidecarKey, UnreadableError } from "../../src/engine/engine.ts";

const EMAIL = "carol@example.org";
const NEW = "C0rrect-horse";

describe("changing a password", () => {
  it("accepts the new one, not the old one, and ends other sessions", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const other = await venue.signIn();
    const { cookie } = await venue.signIn();
    const caller = await venue.caller(cookie);
    const passwords = { oldPassword: PASSWORD, newPassword: NEW };
    const { sessions } = venue.identity;
    assertNotEquals(await sessions.authenticate(other.cookie), null);
    await venue.identity.changePassword(caller, passwords, HERE);
    assertEquals(await sessions.authenticate(other.cookie), null);
    assertNotEquals(await sessions.authenticate(cookie), null);
    assertEquals(await outcomeOf(venue.signIn()), "credentials_wrong");
    assertEquals(await outcomeOf(venue.signIn(undefined, { password: NEW })), "ok");
    assertEquals((await venue.sent(uid))[0]?.kind, "password_changed");
  });

  it("sends at most twenty notices an hour", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const caller = await venue.caller((await venue.signIn()).cookie);
    let [oldPassword, newPassword] = [PASSWORD, NEW];
    for (let count = 0; count < 25; count++) {
      await venue.identity.changePassword(caller, { oldPassword, newPassword }, HERE);
      [oldPassword, newPassword] = [newPassword, oldPassword];
    }
    const told = (await venue.sent(uid)).filter(({ kind }) => kind === "password_changed");
    assertEquals(told.length, 20);
  });

  it("refuses a wrong old one, a weak new one, and the same again", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const caller = await venue.caller((await venue.signIn()).cookie);
    const change = (oldPassword: string, newPassword: string) =>
      outcomeOf(venue.identity.changePassword(caller, { oldPassword, newPassword }, HERE));
    assertEquals(await change("Tr0ub4dor&4", NEW), "password_wrong");
    assertEquals(await change(PASSWORD, "password"), "password_weak");
    assertEquals(await change(PASSWORD, PASSWORD), "password_unchanged");
    assertEquals(await outcomeOf(venue.signIn()), "ok");
    const { items } = await venue.identity.activity.list(uid, {
      topic: "password",
      offset: 0,
      limit: 10,
    });
    assertEquals(items.map(({ action, result }) => [action, result]), [["change", "failed"]]);
  });

  it("does not count an old one that an unreadable store left unjudged", async () => {
    await using venue = await IdentityVenue.open();
    await venue.join();
    const caller = await venue.caller((await venue.signIn()).cookie);
    const change = (oldPassword: string) =>
      venue.identity.changePassword(caller, { oldPassword, newPassword: NEW }, HERE);
    const { store } = venue.venue;
    store.isUnreadable = (key) => key.includes("passwords");
    for (let count = 0; count < 10; count++) {
      await assertRejects(() => change("Tr0ub4dor&4"), UnreadableError);
    }
    store.isUnreadable = () => false;
    assertEquals(await outcomeOf(change(PASSWORD)), "ok");
  });

  it("fails if the old one was replaced meanwhile: a reset wins", async () => {
    let meanwhile: (() => Promise<void>) | null = null;
    await using venue = await IdentityVenue.open({
      onChange: async ([table]) => {
        const act = table === "passwords" ? meanwhile : null;
        if (act === null) return;
        meanwhile = null;
        await act();
      },
    });
    const { uid } = await venue.join();
    const caller = await venue.caller((await venue.signIn()).cookie);
    const change = (newPassword: string) =>
      outcomeOf(venue.identity.changePassword(
        caller,
        { oldPassword: PASSWORD, newPassword },
        HERE,
      ));
    await venue.identity.sendResetCode(EMAIL, HERE);
    const code = await venue.lastCode(uid);
    meanwhile = () => venue.identity.resetPassword(code, NEW, HERE);
    assertEquals(await change("Thi3f-horse"), "password_wrong");
    assertEquals(
      await outcomeOf(venue.signIn(undefined, { password: "Thi3f-horse" })),
      "credentials_wrong",
    );
    assertEquals(await outcomeOf(venue.signIn(undefined, { password: NEW })), "ok");
  });

  it("leaves no other session even if the process then dies", async () => {
    let isDead = false;
    await using venue = await IdentityVenue.open({
      onChange: ([table]) => {
        if (isDead) return Promise.reject(new UnreadableError("It is dead"));
        isDead = table === "passwords";
        return Promise.resolve();
      },
    });
    await venue.join();
    const others = [await venue.signIn(), await venue.signIn()];
    const { cookie } = await venue.signIn();
    const caller = await venue.caller(cookie);
    const passwords = { oldPassword: PASSWORD, newPassword: NEW };
    await assertRejects(() => venue.identity.changePassword(caller, passwords, HERE));
    isDead = false;
    venue.clock.now += 1000;
    const { sessions } = venue.identity;
    for (const other of others) assertEquals(await sessions.authenticate(other.cookie), null);
    assertNotEquals(await sessions.authenticate(cookie), null);
  });

  it("makes a code that was sent before it invalid, but none sent after it", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const caller = await venue.caller((await venue.signIn()).cookie);
    await venue.identity.sendResetCode(EMAIL, HERE);
    const before = await venue.lastCode(uid);
    const passwords = { oldPassword: PASSWORD, newPassword: NEW };
    await venue.identity.changePassword(caller, passwords, HERE);
    const reset = (code: string) => outcomeOf(venue.identity.resetPassword(code, PASSWORD, HERE));
    assertEquals(await reset(before), "reset_code_invalid");
    assertEquals(await outcomeOf(venue.signIn(undefined, { password: NEW })), "ok");
    await venue.identity.sendResetCode(EMAIL, HERE);
    assertEquals(await reset(await venue.lastCode(uid)), "ok");
  });

  it("counts wrong old ones as wrong sign-ins", async () => {
    await using venue = await IdentityVenue.open();
    await venue.join();
    const caller = await venue.caller((await venue.signIn()).cookie);
    const passwords = { oldPassword: "Tr0ub4dor&4", newPassword: NEW };
    const change = () => outcomeOf(venue.identity.changePassword(caller, passwords, HERE));
    for (let count = 0; count < 5; count++) assertEquals(await change(), "password_wrong");
    assertEquals(await change(), "sign_in_throttled");
    assertEquals(await outcomeOf(venue.signIn()), "sign_in_throttled");
  });
});

describe("a new password", () => {
  it("has its time logged by a change and by a reset, even while frozen", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const changedAt = () => venue.member(uid).credentialsChangedAt;
    assertEquals(changedAt(), undefined);
    const caller = await venue.caller((await venue.signIn()).cookie);
    const passwords = { oldPassword: PASSWORD, newPassword: NEW };
    venue.clock.now += 1000;
    await venue.identity.changePassword(caller, passwords, HERE);
    assertEquals(changedAt(), venue.clock.now);
    await venue.identity.sendResetCode(EMAIL, HERE);
    await venue.engine.submit({ kind: "change_member", uid, changes: { state: "locked" } }, null);
    venue.clock.now += 1000;
    await venue.identity.resetPassword(await venue.lastCode(uid), PASSWORD, HERE);
    assertEquals(changedAt(), venue.clock.now);
  });
});

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
    assertEquals(await venue.identity.sessions.authenticate(cookie), null);
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
    const { uid, index } = await venue.joinWithTwoFactor();
    for (let count = 0; count < 20; count++) {
      await venue.identity.twoFactor.prove(index, venue.wrongCode(count));
      if (count % 5 === 4) venue.pass(15 * 2 ** Math.floor(count / 5));
    }
    assertEquals(await outcomeOf(venue.identity.twoFactor.prove(index, "1")), "code_locked");
    await venue.identity.sendResetCode(EMAIL, HERE);
    await venue.identity.resetPassword(await venue.lastCode(uid), NEW, HERE);
    const signIn = () => outcomeOf(venue.signIn(venue.code(), { password: NEW }));
    assertEquals(await signIn(), "code_locked");
    await venue.identity.unlock(uid);
    assertEquals(await signIn(), "ok");
  });

  it("is possible again for a mailbox sent too many codes after an operator's unlock", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const { identity } = venue;
    const asks = [identity.sendResetCode, identity.resendEmailCode];
    const askBoth = async () => {
      const outcomes = [];
      for (const ask of asks) outcomes.push(await outcomeOf(ask.call(identity, EMAIL, HERE)));
      return outcomes;
    };
    for (let count = 0; count < 5; count++) assertEquals(await askBoth(), ["ok", "ok"]);
    assertEquals(await askBoth(), Array(2).fill("messages_throttled"));
    await identity.unlock(uid);
    assertEquals(await askBoth(), ["ok", "ok"]);
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
    const { member } = await venue.identity.signUp({ email: EMAIL, password: PASSWORD }, HERE);
    const confirmation = await venue.lastCode(member.uid);
    await venue.identity.sendResetCode(EMAIL, HERE);
    const reset = await venue.lastCode(member.uid);
    const { identity } = venue;
    assertEquals(
      await outcomeOf(identity.resetPassword(confirmation, NEW, HERE)),
      "reset_code_invalid",
    );
    assertEquals(await outcomeOf(identity.confirmEmail(reset, HERE)), "email_code_invalid");
    assertEquals(await outcomeOf(identity.confirmEmail(confirmation, HERE)), "ok");
    assertEquals(await outcomeOf(identity.resetPassword(reset, NEW, HERE)), "ok");
  });

  it("answers and acts the same for any address", async () => {
    const changed: string[] = [];
    await using venue = await IdentityVenue.open({
      onChange: (key) => Promise.resolve(void changed.push(String(key[0]))),
    });
    await venue.join();
    const before = (await venue.outbox.list()).length;
    const seen = [];
    for (const email of [EMAIL, "nobody@example.org"]) {
      changed.length = 0;
      const outcomes = [];
      for (let count = 0; count < 6; count++) {
        outcomes.push(await outcomeOf(venue.identity.sendResetCode(email, HERE)));
      }
      const wait = await retryAfterOf(venue.identity.sendResetCode(email, HERE));
      seen.push([outcomes, wait, [...changed]]);
    }
    assertEquals(seen[0], seen[1]);
    assertEquals(seen[0]?.[0], [...Array(5).fill("ok"), "messages_throttled"]);
    assert(changed.includes("email_codes"), changed.join());
    const messages = await venue.outbox.list();
    assertEquals(messages.length - before, 5);
    assert(messages.every(({ to }) => to === EMAIL));
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
