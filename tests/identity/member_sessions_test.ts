import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { SidecarKey } from "../../src/engine/engine.ts";
import { MemberSessions, type NewSession } from "../../src/identity/member_sessions.ts";
import { IdentityProcesses } from "../support/identity_processes.ts";
import { HERE, IdentityVenue, outcomeOf, SECRET } from "../support/identity_venue.ts";
import { VenueFile } from "../support/engine_venue.ts";

const DAY_MINUTES = 24 * 60;

describe("MemberSessions", () => {
  it("open only by their own cookie", async () => {
    await using venue = await IdentityVenue.open();
    await venue.join();
    const { uid: other } = await venue.join("dave@example.org");
    const { cookie } = await venue.signIn();
    const { sessions } = venue.identity;
    const random = cookie.slice(cookie.lastIndexOf(".") + 1);
    assert(/^[0-9a-f]{64}$/.test(random), random);
    const wrong = ["", ".", "x", random, `.${random}`, `${other}.${random}`, `${cookie}0`];
    for (const one of wrong) assertEquals(await sessions.authenticate(one, false), null, one);
    assertNotEquals(await sessions.authenticate(cookie, false), null);
  });

  it("tell those who listen which of them have ended, before that is answered", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const { sessions } = venue.identity;
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const { cookie } = await venue.signIn();
      ids.push((await venue.caller(cookie)).sessionId);
    }
    const [first = "", second = "", third = "", fourth = ""] = ids;
    const told = new Set<string>();
    sessions.onEnded((whose, hasEnded) => {
      if (whose === uid) { for (const id of ids.filter(hasEnded)) told.add(id); }
    });
    await sessions.end(uid, first);
    assertEquals([...told], [first]);
    await sessions.endOthers(uid, fourth);
    assertEquals(told, new Set([first, second, third]));
  });

  it("tell who holds one of a code only while it is fresh", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.identity.seedTwoFactor(uid, SECRET);
    const { cookie } = await venue.signIn(venue.code());
    const caller = await venue.caller(cookie);
    const { sessions, twoFactor } = venue.identity;
    const held = () => sessions.holding(caller, (_, code) => Promise.resolve(code));
    assertEquals(await held(), null);
    venue.clock.now += 30_000;
    const until = await twoFactor.confirm(caller, venue.code(), HERE);
    assertEquals((await held())?.until, until);
    venue.clock.now = until - 1;
    assertEquals((await held())?.until, until);
    venue.clock.now = until;
    assertEquals(await held(), null);
  });

  it("are stored without what opens them", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const { cookie } = await venue.signIn();
    const rows = await venue.engine.listSidecar({ prefix: ["sessions"], limit: 10 });
    assertEquals(rows.length, 1);
    assert(!JSON.stringify(rows).includes(cookie.slice(uid.length + 1)));
  });

  it("end two hours after the last call, a day after the sign-in at the latest", async () => {
    await using venue = await IdentityVenue.open();
    await venue.join();
    const idle = await venue.signIn();
    const used = await venue.signIn();
    const { sessions } = venue.identity;
    for (let minutes = 100; minutes < DAY_MINUTES; minutes += 100) {
      venue.pass(100);
      assertNotEquals(await sessions.authenticate(used.cookie, false), null);
      if (minutes === 200) assertEquals(await sessions.authenticate(idle.cookie, false), null);
    }
    venue.clock.now = used.expiresAt - 1;
    assertNotEquals(await sessions.authenticate(used.cookie, false), null);
    venue.clock.now += 1;
    assertEquals(await sessions.authenticate(used.cookie, false), null);
  });

  it("stay alive while used, and end after a minute idle", async () => {
    await using venue = await IdentityVenue.open();
    const changes = { sessionLifeMs: 60 * 60_000, sessionIdleMs: 60_000 };
    await venue.venue.must({ kind: "set_settings", changes });
    await venue.join();
    const { cookie } = await venue.signIn();
    const { sessions } = venue.identity;
    for (let count = 0; count < 9; count++) {
      venue.clock.now += 40_000;
      assertNotEquals(await sessions.authenticate(cookie, false), null, String(count));
    }
    venue.clock.now += 60_000;
    assertEquals(await sessions.authenticate(cookie, false), null);
  });

  it("end exactly on time, cached or not", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const { cookie } = await venue.signIn();
    const { sessions } = venue.identity;
    venue.clock.now += 120 * 60_000 - 1;
    const { cookie: other } = await venue.signIn();
    assertNotEquals(await sessions.authenticate(cookie, false), null);
    venue.clock.now += 120 * 60_000;
    assertEquals(await sessions.authenticate(cookie, false), null);
    assertEquals(await sessions.authenticate(other, false), null);
    assertEquals(await sessions.list(uid), []);
  });

  it("record their use by the minute, not on every call", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.signIn();
    const { cookie } = await venue.signIn();
    const begun = venue.clock.now;
    const { sessions } = venue.identity;
    venue.clock.now += 59_999;
    await sessions.authenticate(cookie, false);
    assertEquals((await sessions.list(uid)).map((one) => one.lastSeenAt), [begun, begun]);
    venue.clock.now += 1_001;
    await sessions.authenticate(cookie, false);
    const seen = (await sessions.list(uid)).map((one) => one.lastSeenAt);
    assertEquals(seen.sort(), [begun, begun + 61_000]);
  });

  it("record simultaneous use in one write", async () => {
    let writes = 0;
    const onChange = ([table]: SidecarKey) => {
      if (table === "sessions") writes += 1;
      return Promise.resolve();
    };
    await using venue = await IdentityVenue.open({ onChange });
    const { uid } = await venue.join();
    const { cookie } = await venue.signIn();
    const { sessions } = venue.identity;
    for (let count = 0; count < 2; count++) {
      venue.clock.now += 61_000;
      writes = 0;
      const calls = Array.from({ length: 50 }, () => sessions.authenticate(cookie, false));
      assert((await Promise.all(calls)).every((caller) => caller !== null));
      assertEquals(writes, 1);
      const [seen] = (await sessions.list(uid)).map((one) => one.lastSeenAt).sort().reverse();
      assertEquals(seen, venue.clock.now);
    }
  });

  it("are listed newest first, with their origin", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.signIn();
    venue.pass(1);
    const origin = { address: "198.51.100.1", userAgent: "x".repeat(1000) };
    const { expiresAt } = await venue.signIn(undefined, { origin });
    const [newest, first, ...rest] = await venue.identity.sessions.list(uid);
    assertEquals(rest, []);
    assertEquals(first?.address, HERE.address);
    assertEquals([newest?.address, newest?.userAgent.length], ["198.51.100.1", 256]);
    assertEquals([newest?.createdAt, newest?.expiresAt], [venue.clock.now, expiresAt]);
  });

  it("end one by one, only by their own member", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const { uid: other } = await venue.join("dave@example.org");
    const { cookie } = await venue.signIn();
    const { sessionId } = await venue.caller(cookie);
    const { sessions } = venue.identity;
    assertEquals(await outcomeOf(sessions.end(other, sessionId)), "session_not_found");
    assertNotEquals(await sessions.authenticate(cookie, false), null);
    await sessions.end(uid, sessionId);
    assertEquals(await sessions.authenticate(cookie, false), null);
    assertEquals(await outcomeOf(sessions.end(uid, sessionId)), "session_not_found");
  });

  it("end all but one", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const cookies = [];
    for (let count = 0; count < 3; count++) cookies.push((await venue.signIn()).cookie);
    const { sessions } = venue.identity;
    const { sessionId } = await venue.caller(cookies[0] ?? "");
    assertEquals(await sessions.endOthers(uid, sessionId), 2);
    const open = await Promise.all(cookies.map((cookie) => sessions.authenticate(cookie, false)));
    assertEquals(open.map((caller) => caller !== null), [true, false, false]);
    assertEquals(await sessions.endOthers(uid, null), 1);
    assertEquals(await sessions.list(uid), []);
  });

  it("end among hundreds of ended ones that are not swept yet", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const sessions = new MemberSessions(venue.engine);
    for (let day = 0; day < 15; day++) {
      for (let count = 0; count < 20; count++) await sessions.begin(uid, HERE);
      venue.pass(DAY_MINUTES);
    }
    const begun: NewSession[] = [];
    for (let count = 0; count < 20; count++) begun.push(await sessions.begin(uid, HERE));
    assertEquals((await sessions.list(uid)).length, 20);
    assertEquals(await sessions.endOthers(uid, begun[0]?.id ?? null), 19);
    const open = begun.map(async ({ cookie }) =>
      await sessions.authenticate(cookie, false) !== null
    );
    assertEquals(await Promise.all(open), [true, ...Array(19).fill(false)]);
  });

  it("are limited to twenty, dropping the longest unused", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const { sessions } = venue.identity;
    const first = await venue.signIn();
    for (let count = 0; count < 25; count++) {
      venue.pass(2);
      await sessions.authenticate(first.cookie, false);
      await venue.signIn();
    }
    assertEquals((await sessions.list(uid)).length, 20);
    assertNotEquals(await sessions.authenticate(first.cookie, false), null);
  });

  it("that end in one process open nothing in another a second later", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    const { uid } = await one.join();
    const { cookie } = await one.signIn();
    await two.engine.fresh();
    const { sessionId } = await two.caller(cookie);
    await one.identity.sessions.end(uid, sessionId);
    assertEquals(await one.identity.sessions.authenticate(cookie, false), null);
    one.clock.now += 1_000;
    assertEquals(await two.identity.sessions.authenticate(cookie, false), null);
  });

  it("that end in one process open nothing in another whose clock was set back", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    const { uid } = await one.join();
    const { cookie } = await one.signIn();
    await two.engine.fresh();
    const { sessions } = two.identity;
    assertNotEquals(await sessions.authenticate(cookie, false), null);
    one.clock.now -= 60_000;
    const { sessionId } = await one.caller(cookie);
    await one.identity.sessions.end(uid, sessionId);
    assertEquals(await sessions.authenticate(cookie, false), null);
  });

  it("open nothing while their member is frozen, and outlive a restart", async () => {
    await using file = await VenueFile.create();
    const clock = { now: Date.UTC(2030, 0, 1) };
    const options = { path: file.path, clock };
    const venue = await IdentityVenue.open(options);
    const { uid } = await venue.join();
    const { cookie } = await venue.signIn();
    assertNotEquals(await venue.identity.sessions.authenticate(cookie, false), null);
    for (const state of ["locked", "banned"] as const) {
      await venue.setState(uid, state);
      const outcome = await outcomeOf(venue.identity.sessions.authenticate(cookie, false));
      assertEquals(outcome, `member_${state}`);
    }
    await venue.setState(uid, "pending");
    assertEquals(await venue.identity.sessions.authenticate(cookie, false), null);
    await venue.setState(uid, "active");
    await venue.close();
    await using later = await IdentityVenue.open(options);
    assertNotEquals(await later.identity.sessions.authenticate(cookie, false), null);
  });
});
