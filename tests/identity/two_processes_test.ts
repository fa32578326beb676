import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { VenueFile } from "../support/engine_venue.ts";
import type { FaultyStore } from "../support/faulty_store.ts";
import { IdentityProcesses } from "../support/identity_processes.ts";
import { HERE, IdentityVenue, outcomeOf, SECRET, START } from "../support/identity_venue.ts";

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
      assertEquals(await two.identity.sessions.authenticate(cookie), null);
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
