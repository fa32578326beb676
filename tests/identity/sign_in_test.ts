import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals } from "@std/assert";
import { addressSubject } from "../../src/identity/walls/address_throttle.ts";
import { IdentityProcesses } from "../support/identity_processes.ts";
import { HERE, IdentityVenue, outcomeOf, retryAfterOf, SECRET } from "../support/identity_venue.ts";
import { VenueFile } from "../support/engine_venue.ts";

const WRONG = { password: "Tr0ub4dor&4" };
const UNKNOWN = { email: "nobody@example.org" };

describe("signing in", () => {
  it("begins a session", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const { member, cookie, csrfToken, expiresAt } = await venue.signIn();
    assertEquals(member.uid, uid);
    assertEquals(expiresAt, venue.clock.now + 24 * 60 * 60_000);
    const caller = await venue.identity.sessions.authenticate(cookie, false);
    assertEquals([caller?.member.uid, caller?.csrfToken], [uid, csrfToken]);
    assert(/^[0-9a-f]{64}$/.test(csrfToken), csrfToken);
  });

  it("ignores a code that was not asked for, and records a wrong one", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    assertEquals(await outcomeOf(venue.signIn("123456")), "ok");
    await venue.identity.seedTwoFactor(uid, SECRET);
    assertEquals(await outcomeOf(venue.signIn(venue.wrongCode())), "sign_in_code_wrong");
    const { items } = await venue.identity.activity.list(uid, {
      topic: "session",
      offset: 0,
      limit: 10,
    });
    assertEquals(items.map(({ result }) => result), ["failed", "succeed"]);
  });

  it("hides whether the address or the password was wrong", async () => {
    await using venue = await IdentityVenue.open();
    await venue.join();
    const outcomes: Record<string, string[]> = {};
    for (const [name, request] of Object.entries({ wrong: WRONG, unknown: UNKNOWN })) {
      const found: string[] = outcomes[name] = [];
      for (let count = 0; count < 6; count++) {
        found.push(await outcomeOf(venue.signIn(undefined, request)));
      }
      found.push(String(await retryAfterOf(venue.signIn(undefined, request))));
    }
    const expected = [...Array(5).fill("credentials_wrong"), "sign_in_throttled", "900"];
    assertEquals(outcomes, { wrong: expected, unknown: expected });
  });

  it("gives its reason only to those who know the password", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    for (const state of ["locked", "banned", "pending"] as const) {
      await venue.setState(uid, state);
      assertEquals(await outcomeOf(venue.signIn(undefined, WRONG)), "credentials_wrong");
      assertEquals(await outcomeOf(venue.signIn()), `member_${state}`);
      await venue.identity.unlock(uid);
    }
  });

  it("works for others while one address signs in again and again", async () => {
    await using venue = await IdentityVenue.open({ passwordCost: 2 ** 14 });
    const crowd = Array.from({ length: 9 }, (_, i) => `${i}@example.org`);
    await venue.join();
    for (const email of crowd) await venue.join(email);
    const origin = { ...HERE, address: "127.0.0.1" };
    const calls = crowd.flatMap((email) =>
      Array.from({ length: 5 }, () => outcomeOf(venue.signIn(undefined, { email, origin })))
    );
    await Promise.any(calls);
    assertEquals(await outcomeOf(venue.signIn()), "ok");
    const outcomes = await Promise.all(calls);
    assert(outcomes.includes("ok") && outcomes.includes("unavailable"), String(outcomes));
  });

  it("locks an address that goes on with a right password of who may not sign in", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await venue.setState(uid, "pending");
    for (let count = 0; count < 5; count++) {
      assertEquals(await outcomeOf(venue.signIn()), "member_pending");
    }
    assertEquals(await outcomeOf(venue.signIn()), "sign_in_throttled");
  });

  it("locks an address that tries many members", async () => {
    await using venue = await IdentityVenue.open();
    await venue.join();
    for (let count = 0; count < 20; count++) {
      const email = `${count}@example.org`;
      assertEquals(await outcomeOf(venue.signIn(undefined, { email })), "credentials_wrong");
      // Signing in to one account does not reset the failures on others.
      if (count < 19) assertEquals(await outcomeOf(venue.signIn()), "ok");
    }
    assertEquals(await outcomeOf(venue.signIn()), "sign_in_throttled");
    const elsewhere = { origin: { ...HERE, address: "198.51.100.1" } };
    assertEquals(await outcomeOf(venue.signIn(undefined, elsewhere)), "ok");
  });

  it("remembers wrong passwords across restarts and processes", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    await one.join();
    for (const { identity } of [one, two, one]) {
      const request = { email: "carol@example.org", ...WRONG };
      assertEquals(await outcomeOf(identity.signIn(request, HERE)), "credentials_wrong");
    }
    await using later = await processes.restart();
    for (let count = 0; count < 2; count++) await outcomeOf(later.signIn(undefined, WRONG));
    assertEquals(await outcomeOf(later.signIn()), "sign_in_throttled");
  });

  it("rehashes a password hashed with other parameters", async () => {
    await using file = await VenueFile.create();
    const clock = { now: Date.UTC(2030, 0, 1) };
    const options = { path: file.path, clock };
    const old = await IdentityVenue.open({ ...options, passwordCost: 2 });
    const { uid } = await old.join();
    await old.close();
    await using venue = await IdentityVenue.open({ ...options, passwordCost: 4 });
    await venue.signIn();
    const row = await venue.engine.readSidecar(["passwords", uid]) as { hash: { cost: number } };
    assertEquals(row.hash.cost, 4);
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("begins no session with a password that was changed meanwhile", async () => {
    const changes = { isDue: false };
    await using venue = await IdentityVenue.open({
      onChange: async ([table], engine) => {
        if (!changes.isDue || table !== "sessions") return;
        changes.isDue = false;
        await engine.changeSidecar(["passwords", uid], (old) => ({
          ...old as object,
          version: "another",
        }));
      },
    });
    const { uid } = await venue.join();
    const before = await venue.identity.sessions.list(uid);
    changes.isDue = true;
    assertEquals(await outcomeOf(venue.signIn()), "credentials_wrong");
    assertEquals(await venue.identity.sessions.list(uid), before);
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("notifies the member of a new address, but of none used before", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const other = { ...HERE, address: "198.51.100.1" };
    for (const origin of [HERE, HERE, other, HERE, other]) {
      await venue.signIn(undefined, { origin });
    }
    const notices = (await venue.sent(uid)).filter(({ kind }) => kind === "sign_in");
    assertEquals(notices.length, 1);
    assertEquals(venue.faults, []);
  });

  it("tells of the first sign-in unless it is from the address of the sign-up", async () => {
    await using venue = await IdentityVenue.open();
    const there = { ...HERE, address: "198.51.100.1" };
    const told = async (uid: string) =>
      (await venue.sent(uid)).filter(({ kind }) => kind === "sign_in").length;
    const carol = await venue.join();
    await venue.signIn();
    assertEquals(await told(carol.uid), 0);

    const dave = await venue.join("dave@example.org");
    await venue.signIn(undefined, { email: "dave@example.org", origin: there });
    assertEquals(await told(dave.uid), 1);
  });

  it("tells of an address from which only a code was requested before", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const there = { ...HERE, address: "198.51.100.1" };
    await venue.identity.sendResetCode("carol@example.org", there);
    await venue.signIn(undefined, { origin: there });
    assertEquals((await venue.sent(uid)).filter(({ kind }) => kind === "sign_in").length, 1);
  });

  it("tells of a sign-in after so long that no address is known any more", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    venue.pass(100 * 24 * 60);
    await venue.signIn(undefined, { origin: { ...HERE, address: "198.51.100.1" } });
    assertEquals((await venue.sent(uid)).filter(({ kind }) => kind === "sign_in").length, 1);
  });

  it("tells of at most twenty new addresses an hour", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const signInFrom = (place: number) =>
      venue.signIn(undefined, { origin: { ...HERE, address: `2001:db8::${place}` } });
    const told = async () => (await venue.sent(uid)).filter(({ kind }) => kind === "sign_in");
    for (let place = 0; place < 25; place++) await signInFrom(place);
    assertEquals((await told()).length, 20);
    venue.pass(61);
    await signInFrom(99);
    assertEquals((await told()).length, 21);
  });
});

describe("signing in with a second factor", () => {
  /** Returns a member whose two-factor is turned on while a sign-in changes a row of this table. */
  async function turningOn(table: string): Promise<{ venue: IdentityVenue; uid: string }> {
    const turning = { isDue: false };
    const venue = await IdentityVenue.open({
      onChange: async (key) => {
        if (!turning.isDue || !key.join().startsWith(table)) return;
        turning.isDue = false;
        await venue.identity.seedTwoFactor(uid, SECRET);
      },
    });
    const { uid } = await venue.join();
    turning.isDue = true;
    return { venue, uid };
  }

  it("begins no session without a code if turned on meanwhile", async () => {
    for (const table of ["throttles,password", "sessions"]) {
      const { venue, uid } = await turningOn(table);
      await using _open = venue;
      const before = await venue.identity.sessions.list(uid);
      assertEquals(await outcomeOf(venue.signIn()), "sign_in_code_missing", table);
      assertEquals(await venue.identity.sessions.list(uid), before);
      assertEquals(await outcomeOf(venue.signIn(venue.code())), "ok");
    }
  });

  it("begins no session if an operator shuts the member out or moves it meanwhile", async () => {
    const cases = [
      { changes: { state: "locked" }, outcome: "member_locked" },
      { changes: { state: "banned" }, outcome: "member_banned" },
      { changes: { hasTwoFactor: false }, outcome: "credentials_wrong" },
      { changes: { emailDigest: "another" }, outcome: "credentials_wrong" },
    ] as const;
    for (const { changes, outcome } of cases) {
      let isDue = false;
      await using venue = await IdentityVenue.open({
        onChange: async ([table], engine) => {
          if (!isDue || table !== "sessions") return;
          isDue = false;
          await engine.submit({ kind: "change_member", uid, changes }, null);
        },
      });
      const { uid } = await venue.joinWithTwoFactor();
      const before = await venue.identity.sessions.list(uid);
      isDue = true;
      assertEquals(await outcomeOf(venue.signIn(venue.code())), outcome);
      assertEquals(await venue.identity.sessions.list(uid), before);
    }
  });

  it("checks the code if turned on while the password was compared", async () => {
    for (const code of ["right", "wrong"]) {
      const { venue } = await turningOn("throttles,password");
      await using _open = venue;
      const outcome = await outcomeOf(
        venue.signIn(code === "right" ? venue.code() : venue.wrongCode()),
      );
      assertEquals(outcome, code === "right" ? "ok" : "sign_in_code_wrong");
    }
  });

  it("needs a code, and takes it once", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.joinWithTwoFactor();
    assertEquals(await outcomeOf(venue.signIn()), "sign_in_code_missing");
    assertEquals(await outcomeOf(venue.signIn("")), "sign_in_code_missing");
    const code = venue.code();
    assertEquals(await outcomeOf(venue.signIn(code)), "ok");
    assertEquals(await outcomeOf(venue.signIn(code)), "sign_in_code_wrong");
    assertEquals(await outcomeOf(venue.signIn(venue.wrongCode())), "sign_in_code_wrong");
    assertEquals(venue.member(uid).otpStep, venue.clock.now / 30_000);
    venue.clock.now += 30_000;
    assertEquals(await outcomeOf(venue.signIn(String(Number(venue.code())))), "ok");
  });

  it("counts a right password until its code comes", async () => {
    await using venue = await IdentityVenue.open();
    await venue.joinWithTwoFactor();
    for (let count = 0; count < 4; count++) {
      assertEquals(await outcomeOf(venue.signIn()), "sign_in_code_missing");
    }
    assertEquals(await outcomeOf(venue.signIn(venue.code())), "ok");
    for (let count = 0; count < 5; count++) {
      assertEquals(await outcomeOf(venue.signIn()), "sign_in_code_missing");
    }
    venue.pass(1);
    for (const code of [undefined, venue.code()]) {
      assertEquals(await outcomeOf(venue.signIn(code)), "sign_in_throttled");
    }
    const elsewhere = { origin: { ...HERE, address: "198.51.100.1" } };
    assertEquals(await outcomeOf(venue.signIn(venue.code(), elsewhere)), "ok");
  });

  it("counts missing and wrong codes as failures of the address until a right one", async () => {
    await using venue = await IdentityVenue.open();
    await venue.joinWithTwoFactor();
    const key = ["throttles", "address", addressSubject(HERE.address) ?? ""];
    const counted = async () => {
      const row = await venue.engine.readSidecar(key) as { recent: unknown[] } | null;
      return row?.recent.length ?? 0;
    };
    await outcomeOf(venue.signIn(undefined, UNKNOWN));
    assertEquals(await outcomeOf(venue.signIn()), "sign_in_code_missing");
    assertEquals(await outcomeOf(venue.signIn(venue.wrongCode())), "sign_in_code_wrong");
    assertEquals(await counted(), 3);
    assertEquals(await outcomeOf(venue.signIn(venue.code())), "ok");
    assertEquals(await counted(), 1, "that of another mailbox");
  });

  it("checks no code until the password is right", async () => {
    await using venue = await IdentityVenue.open();
    await venue.joinWithTwoFactor();
    const code = venue.code();
    assertEquals(await outcomeOf(venue.signIn(code, WRONG)), "credentials_wrong");
    assertEquals(await outcomeOf(venue.signIn(code)), "ok");
  });

  it("takes a code once across two processes, and not after a restart", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    await one.joinWithTwoFactor();
    const code = one.code();
    const outcomes = await Promise.all(
      [one, two, one, two].map((venue) => outcomeOf(venue.signIn(code))),
    );
    assertEquals(outcomes.sort(), ["ok", ...Array(3).fill("sign_in_code_wrong")]);
    await using later = await processes.restart();
    assertEquals(await outcomeOf(later.signIn(code)), "sign_in_code_wrong");
  });

  it("locks after five wrong codes, and for good after twenty in a day", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.joinWithTwoFactor();
    let place = 0;
    const signIn = (code: string) => {
      const origin = { ...HERE, address: `198.51.100.${++place}` };
      return venue.signIn(code, { origin });
    };
    for (let lock = 0; lock < 4; lock++) {
      for (let count = 0; count < 5; count++) {
        const code = venue.wrongCode(lock * 5 + count);
        assertEquals(await outcomeOf(signIn(code)), "sign_in_code_wrong");
      }
      if (lock === 3) break;
      assertEquals(await outcomeOf(signIn(venue.code())), "code_throttled");
      assertEquals(await retryAfterOf(signIn(venue.code())), 900 * 2 ** lock);
      venue.pass(15 * 2 ** lock);
    }
    assertEquals(await outcomeOf(signIn(venue.code())), "code_locked");
    venue.pass(3 * 24 * 60);
    assertEquals(await outcomeOf(signIn(venue.code())), "code_locked");
    const kinds = (await venue.sent(uid)).map(({ kind }) => kind);
    assertEquals(kinds.filter((kind) => kind === "two_factor_locked").length, 1);
    await venue.identity.unlock(uid);
    assertEquals(await outcomeOf(venue.signIn(venue.code())), "ok");
  });
});

describe("signing out", () => {
  it("ends the session", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    const { cookie } = await venue.signIn();
    const caller = await venue.caller(cookie);
    await venue.identity.signOut(caller, HERE);
    assertEquals(await venue.identity.sessions.authenticate(cookie, false), null);
    assertEquals(await outcomeOf(venue.identity.signOut(caller, HERE)), "session_not_found");
    const { items } = await venue.identity.activity.list(uid, { offset: 0, limit: 2 });
    assertEquals(items.map(({ action }) => action).sort(), ["login", "logout"]);
  });
});
