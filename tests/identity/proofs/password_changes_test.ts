import { describe, it } from "@std/testing/bdd";
import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { HERE, IdentityVenue, outcomeOf, PASSWORD } from "../../support/identity_venue.ts";
import { UnreadableError } from "../../../src/engine/engine.ts";
import type { SessionCaller } from "../../../src/identity/identity.ts";

const EMAIL = "carol@example.org";
const NEW = "C0rrect-horse";
const WRONG = { password: "Tr0ub4dor&4" };

describe("changing a password", () => {
  it("accepts the new one, not the old one, and ends other sessions", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const other = await venue.signIn();
    const { cookie } = await venue.signIn();
    const caller = await venue.caller(cookie);
    const passwords = { oldPassword: PASSWORD, newPassword: NEW };
    const { sessions } = venue.identity;
    assertNotEquals(await sessions.authenticate(other.cookie, false), null);
    await venue.identity.changePassword(caller, passwords, HERE);
    assertEquals(await sessions.authenticate(other.cookie, false), null);
    assertNotEquals(await sessions.authenticate(cookie, false), null);
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
    meanwhile = async () => void await venue.identity.resetPassword(code, NEW, HERE);
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
    for (const other of others) {
      assertEquals(await sessions.authenticate(other.cookie, false), null);
    }
    assertNotEquals(await sessions.authenticate(cookie, false), null);
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

  it("counts wrong old ones by session, apart from sign-ins and other sessions", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const thief = await venue.caller((await venue.signIn()).cookie);
    const owner = await venue.caller((await venue.signIn()).cookie);
    const change = (caller: SessionCaller, oldPassword: string) =>
      outcomeOf(venue.identity.changePassword(caller, { oldPassword, newPassword: NEW }, HERE));
    for (let count = 0; count < 5; count++) {
      assertEquals(await change(thief, "Tr0ub4dor&4"), "password_wrong");
    }
    assertEquals(await change(thief, PASSWORD), "sign_in_throttled");
    assertEquals(await outcomeOf(venue.signIn()), "ok");
    await venue.identity.unlock(uid);
    assertEquals(await change(thief, "Tr0ub4dor&4"), "password_wrong");
    for (let count = 0; count < 5; count++) await outcomeOf(venue.signIn(undefined, WRONG));
    assertEquals(await outcomeOf(venue.signIn()), "sign_in_throttled");
    assertEquals(await change(owner, PASSWORD), "ok");
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
