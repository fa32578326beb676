import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { PAGE_ROWS, Reaper } from "../../src/identity/reaper.ts";
import { HERE, IdentityVenue, outcomeOf } from "../support/identity_venue.ts";

const DAY_MINUTES = 24 * 60;
async function tablesOf(venue: IdentityVenue): Promise<string[]> {
  const rows = await venue.engine.listSidecar({ prefix: [], limit: 1000 });
  return [...new Set(rows.map(({ key }) => String(key[0])))].sort();
}

/** Lets a new reaper take one step over all rows; returns how many it deleted. */
async function sweep({ engine }: IdentityVenue): Promise<number> {
  const count = async () => (await engine.listSidecar({ prefix: [], limit: 1000 })).length;
  const before = await count();
  await new Reaper(engine, () => {}).step();
  return before - await count();
}

describe("the reaper", () => {
  it("removes what no longer matters and leaves what does", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    await venue.identity.twoFactor.generate(index);
    await venue.identity.sendResetCode("carol@example.org", HERE);
    await venue.signUp("dave@example.org");
    await outcomeOf(venue.signIn(undefined, { password: "Tr0ub4dor&4" }));
    const { cookie } = await venue.signIn();
    const all = await tablesOf(venue);
    const passing = [
      "activity",
      "email_codes",
      "sessions",
      "sign_ups",
      "throttles",
      "two_factor_new",
    ];
    for (const table of passing) assert(all.includes(table), table);

    assertEquals(await sweep(venue), 0);
    assertNotEquals(await venue.identity.sessions.authenticate(cookie, false), null);
    assertEquals(await tablesOf(venue), all);

    venue.pass(2 * DAY_MINUTES);
    assert(await sweep(venue) >= 5);
    const later = all.filter((table) => table === "activity" || !passing.includes(table));
    assertEquals(await tablesOf(venue), later);
    assertEquals((await venue.identity.activity.list(uid, { offset: 0, limit: 10 })).total, 4);

    venue.pass(90 * DAY_MINUTES);
    await sweep(venue);
    assertEquals(await tablesOf(venue), later.filter((table) => table !== "activity"));
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("leaves a session that a lock has ended for as long as it says so", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const { cookie } = await venue.signIn();
    const { sessions } = venue.identity;
    for (const row of await sessions.shutOutRows(uid)) await venue.engine.writeSidecar(row);
    await venue.setState(uid, "locked");
    assertEquals(await sessions.endOthers(uid, null), 0, "it has ended");
    await sweep(venue);
    assertEquals(await outcomeOf(sessions.authenticate(cookie, true)), "member_locked");
    venue.pass(DAY_MINUTES);
    await sweep(venue);
    assertEquals((await tablesOf(venue)).includes("sessions"), false);
    assertEquals(await sessions.authenticate(cookie, true), null);
  });

  it("leaves a lock that nobody has lifted", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    const { twoFactor } = venue.identity;
    const SESSION = { sessionId: "a session" };
    for (let count = 0; count < 20; count++) {
      await twoFactor.prove(index, venue.wrongCode(count), SESSION);
      if (count % 5 === 4) venue.pass(15 * 2 ** Math.floor(count / 5));
    }
    venue.pass(100 * DAY_MINUTES);
    await sweep(venue);
    assertEquals(await outcomeOf(twoFactor.prove(index, venue.code(), SESSION)), "code_locked");
  });

  it("goes on to the next page if a full one held expired rows, and otherwise waits", async () => {
    await using venue = await IdentityVenue.open();
    const { engine, clock } = venue;
    const write = async (count: number, expiresAt: number) => {
      const value = { uid: null, digest: String(count), expiresAt };
      await engine.writeSidecar({ key: ["email_codes", "password_reset", count], value });
    };
    const left = async () =>
      (await engine.listSidecar({ prefix: ["email_codes"], limit: 1000 })).length;
    for (let count = 0; count < 2 * PAGE_ROWS + 50; count++) await write(count, clock.now);
    const reaper = new Reaper(engine, () => {});
    await reaper.step();
    assertEquals(await left(), 0);

    for (let count = 0; count < PAGE_ROWS; count++) await write(count, clock.now + 1);
    for (let count = PAGE_ROWS; count < PAGE_ROWS + 50; count++) await write(count, clock.now);
    const next = new Reaper(engine, () => {});
    await next.step();
    assertEquals(await left(), PAGE_ROWS + 50);
    await next.step();
    assertEquals(await left(), PAGE_ROWS);
  });

  it("removes expired rows of one kind, however many of another stay", async () => {
    await using venue = await IdentityVenue.open();
    const { engine, clock } = venue;
    for (let count = 0; count < 3 * PAGE_ROWS; count++) {
      await engine.writeSidecar({ key: ["activity", count], value: { createdAt: clock.now } });
    }
    const reaper = new Reaper(engine, () => {});
    const key = ["email_codes", "password_reset", "ID0"];
    for (let step = 0; step < 5; step++) {
      await engine.writeSidecar({ key, value: { uid: null, digest: "", expiresAt: clock.now } });
      await reaper.step();
      assertEquals(await engine.readSidecar(key), null, `step ${step}`);
    }
    assertEquals(
      (await engine.listSidecar({ prefix: ["activity"], limit: 1000 })).length,
      3 * PAGE_ROWS,
    );
  });

  it("keeps walking in rounds once started, and continues after a fault", async () => {
    await using venue = await IdentityVenue.open();
    const { engine, clock, faults } = venue;
    const { setInterval } = globalThis;
    let walk = () => {};
    try {
      const keep = (work: () => void) => (walk = work, 0);
      Object.assign(globalThis, { setInterval: keep });
      venue.identity.start();
    } finally {
      Object.assign(globalThis, { setInterval });
    }
    const walkUntil = async (isDone: () => Promise<boolean> | boolean) => {
      for (let walks = 0; walks < 1000 && !await isDone(); walks++) {
        walk();
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    const key = ["email_codes", "password_reset", "ID0"];
    for (let round = 0; round < 3; round++) {
      await engine.writeSidecar({ key, value: { uid: null, digest: "", expiresAt: clock.now } });
      venue.venue.store.areReadsFailing = true;
      await walkUntil(() => faults.length > round);
      venue.venue.store.areReadsFailing = false;
      await walkUntil(async () => await engine.readSidecar(key) === null);
      assertEquals(await engine.readSidecar(key), null, `round ${round}`);
      assertEquals(faults.length > round, true);
    }
  });

  it("walks over more rows than a page", async () => {
    await using venue = await IdentityVenue.open();
    for (let count = 0; count < 450; count++) {
      const value = { uid: null, digest: String(count), expiresAt: venue.clock.now };
      await venue.engine.writeSidecar({ key: ["email_codes", "password_reset", count], value });
    }
    assertEquals(await sweep(venue), 450);
    assertEquals(await venue.engine.listSidecar({ prefix: ["email_codes"], limit: 1 }), []);
  });
});
