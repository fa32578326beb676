import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { VenueFile } from "../support/engine_venue.ts";
import type { FaultyStore } from "../support/faulty_store.ts";
import { IdentityProcesses } from "../support/identity_processes.ts";
import type { SessionCaller } from "../../src/identity/identity.ts";
import {
  HERE,
  IdentityVenue,
  outcomeOf,
  PASSWORD,
  SECRET,
  START,
} from "../support/identity_venue.ts";
import { otpAt } from "../support/otp_at.ts";

const NEW = "C0rrect-horse";

/** Runs a test with two processes on one store that learn nothing from the watch. */
async function withProcesses(
  test: (one: IdentityVenue, two: IdentityVenue) => Promise<void>,
): Promise<void> {
  await using processes = await IdentityProcesses.open((store) => {
    store.isWatchDropped = true;
  });
  await test(processes.one, processes.two);
}

describe("a person that another process has just heard of", () => {
  it("is sent a code to confirm its address, and confirms it", () =>
    withProcesses(async (one, two) => {
      const carol = await one.signUp("carol@example.org");
      const first = await one.lastCode(carol);
      await two.identity.resendEmailCode("carol@example.org", HERE);
      assertNotEquals(await one.lastCode(carol), first);
      const dave = await one.signUp("dave@example.org");
      assertEquals((await two.confirm(dave)).state, "active");
      assertEquals(await outcomeOf(one.confirm(dave)), "email_code_invalid");
    }));

  it("signs in, and is known by the cookie it got there", () =>
    withProcesses(async (one, two) => {
      await one.join();
      assertEquals(await outcomeOf(two.signIn()), "ok");
      const dave = await one.join("dave@example.org");
      const { cookie } = await one.signIn(undefined, { email: "dave@example.org" });
      assertEquals((await two.caller(cookie)).member.uid, dave.uid);
      await one.setState(dave.uid, "locked");
      await two.engine.fresh();
      const refused = two.identity.sessions.authenticate(cookie, false);
      assertEquals(await outcomeOf(refused), "member_locked");
      await one.setState(dave.uid, "active");
      assertEquals((await two.caller(cookie)).member.uid, dave.uid);
    }));

  it("is sent a code for a new password, and sets it", () =>
    withProcesses(async (one, two) => {
      const carol = await one.join("carol@example.org");
      await two.identity.sendResetCode("carol@example.org", HERE);
      assertEquals((await two.sent(carol.uid))[0]?.kind, "password_reset");
      const dave = await one.join("dave@example.org");
      await one.identity.sendResetCode("dave@example.org", HERE);
      await two.identity.resetPassword(await one.lastCode(dave.uid), NEW, HERE);
      const signIn = one.signIn(undefined, { email: "dave@example.org", password: NEW });
      assertEquals(await outcomeOf(signIn), "ok");
    }));

  it("begins no session without a code once its second factor is on there", async () => {
    await using file = await VenueFile.create();
    const prepare = (store: FaultyStore) => {
      store.isWatchDropped = true;
    };
    const options = { path: file.path, isShared: true, clock: { now: START }, prepare };
    await using two = await IdentityVenue.open(options);
    const turning = { isDue: false };
    await using one = await IdentityVenue.open({
      ...options,
      onChange: async ([table]) => {
        if (!turning.isDue || table !== "sessions") return;
        turning.isDue = false;
        await two.identity.seedTwoFactor(uid, SECRET);
      },
    });
    const { uid } = await one.join();
    await two.engine.fresh();
    const before = await one.identity.sessions.list(uid);
    turning.isDue = true;
    assertEquals(await outcomeOf(one.signIn()), "sign_in_code_missing");
    assertEquals([turning.isDue, await one.identity.sessions.list(uid)], [false, before]);
    assertEquals(await outcomeOf(one.signIn(one.code())), "ok");
  });

  it("has the second factor that was just turned on there", () =>
    withProcesses(async (one, two) => {
      const names = ["carol", "dave", "erin"];
      const members = [];
      for (const name of names) members.push(await one.join(`${name}@example.org`));
      await two.engine.fresh();
      const { twoFactor } = two.identity;
      const calls = [
        (index: number) => twoFactor.generate(index),
        (index: number) => twoFactor.enable(index, "123456", HERE, one.owner(index)),
        (index: number) => twoFactor.disable(index, two.code(), HERE, one.owner(index)),
      ];
      const outcomes: string[] = [];
      for (const [i, { uid, index }] of members.entries()) {
        await one.identity.seedTwoFactor(uid, SECRET);
        outcomes.push(await outcomeOf(calls[i]?.(index) ?? Promise.resolve()));
      }
      assertEquals(outcomes, ["two_factor_on", "two_factor_on", "ok"]);
    }));
});

describe("a session that another process ends while its call is under way", () => {
  it("changes neither password nor second factor", () =>
    withProcesses(async (one, two) => {
      const carol = await one.join();
      await two.engine.fresh();
      const { twoFactor } = two.identity;
      const { secret } = await twoFactor.generate(carol.index);
      const session = async () => await two.caller((await one.signIn()).cookie);
      const submit = two.engine.submit.bind(two.engine);
      const during = async (caller: SessionCaller, call: () => Promise<unknown>) => {
        let ended = 0;
        two.engine.submit = async (...command) => {
          if (ended++ === 0) await one.identity.sessions.end(carol.uid, caller.sessionId);
          return await submit(...command);
        };
        return [await outcomeOf(call()), ended];
      };
      const owner = ({ sessionId }: SessionCaller) => ({ ...two.owner(carol.index), sessionId });
      const code = () => otpAt(secret, two.clock.now);

      const first = await session();
      const enable = () => twoFactor.enable(carol.index, code(), HERE, owner(first));
      assertEquals(await during(first, enable), ["session_over", 1]);
      assertEquals(two.member(carol.uid).hasTwoFactor, false);
      const second = await session();
      const passwords = { oldPassword: PASSWORD, newPassword: NEW };
      const change = () => two.identity.changePassword(second, passwords, HERE);
      assertEquals(await during(second, change), ["session_over", 1]);
      two.engine.submit = submit;
      assertEquals(await outcomeOf(one.signIn(undefined, { password: NEW })), "credentials_wrong");
    }));

  it("changes them while its use is noted, which is no end", () =>
    withProcesses(async (one, two) => {
      const carol = await one.join();
      await two.engine.fresh();
      const { secret } = await two.identity.twoFactor.generate(carol.index);
      const { cookie } = await one.signIn();
      const { sessionId } = await two.caller(cookie);
      const submit = two.engine.submit.bind(two.engine);
      let tries = 0;
      two.engine.submit = async (...command) => {
        one.pass(2);
        if (tries++ === 0) await one.caller(cookie);
        return await submit(...command);
      };
      const owner = { ...two.owner(carol.index), sessionId };
      const code = otpAt(secret, two.clock.now);
      await two.identity.twoFactor.enable(carol.index, code, HERE, owner);
      assertEquals([two.member(carol.uid).hasTwoFactor, tries], [true, 2]);
    }));

  it("keeps a second factor, and the recovery code that was to turn it off", () =>
    withProcesses(async (one, two) => {
      const carol = await one.join();
      const { secret, codes } = await one.turnOnTwoFactor(carol.index);
      one.pass(1);
      const { cookie } = await one.signIn(otpAt(secret, one.clock.now));
      const { sessionId } = await two.caller(cookie);
      await one.identity.sessions.end(carol.uid, sessionId);
      const owner = { ...two.owner(carol.index), sessionId };
      const disable = two.identity.twoFactor.disable(carol.index, codes[0] ?? "", HERE, owner);
      assertEquals(await outcomeOf(disable), "session_over");
      assertEquals(two.member(carol.uid).hasTwoFactor, true);
      assertEquals(await one.recoveryCodesLeft(carol.uid), codes.length);
    }));

  it("writes nothing more there, though it may still be read for a moment", () =>
    withProcesses(async (one, two) => {
      await one.join();
      const { cookie } = await one.signIn();
      const { member: { uid }, sessionId } = await two.caller(cookie);
      await one.identity.sessions.end(uid, sessionId);
      const { sessions } = two.identity;
      assertEquals(await sessions.authenticate(cookie, true), null);
      assertEquals(await sessions.authenticate(cookie, false), null, "it knows by now");
    }));
});
