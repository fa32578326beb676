import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { isRejection } from "../../src/domain/command.ts";
import { UnavailableError, UnreadableError } from "../../src/engine/engine.ts";
import { IdentityProcesses } from "../support/identity_processes.ts";
import { HERE, IdentityVenue, outcomeOf, SECRET } from "../support/identity_venue.ts";
import { otpAt } from "../support/otp_at.ts";

const SESSION = { sessionId: "a session" };

/** Uses a code as a withdrawal does; returns whether it was accepted. */
async function spend(venue: IdentityVenue, member: number, code: string) {
  const otp = await venue.identity.twoFactor.prove(member, code, SESSION);
  return !isRejection(await venue.engine.submit({ kind: "spend_otp", otp }, null));
}

describe("turning the second factor on", () => {
  it("takes a code of the new secret and returns ten recovery codes", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    const { twoFactor } = venue.identity;
    const { secret, uri, svg } = await twoFactor.generate(index);
    assertEquals(new URL(uri).searchParams.get("secret"), secret);
    assert(decodeURIComponent(uri).includes("carol@example.org"), uri);
    assert(svg.startsWith("<svg") && svg.endsWith("</svg>"));
    assertEquals(venue.member(uid).hasTwoFactor, false);

    const { cookie } = await venue.signIn();
    await venue.caller(cookie);
    const codes = await twoFactor.enable(
      index,
      otpAt(secret, venue.clock.now),
      HERE,
      venue.owner(index),
    );
    assertEquals(await venue.identity.sessions.authenticate(cookie, false), null);
    assertEquals(venue.member(uid).hasTwoFactor, true);
    assertEquals(new Set(codes).size, 10);
    for (const code of codes) assert(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/.test(code), code);
    assertEquals(await venue.recoveryCodesLeft(uid), 10);
    assertEquals((await venue.sent(uid))[0]?.kind, "two_factor_changed");
  });

  it("leaves no session without it even if the process then dies", async () => {
    let isDead = false;
    await using venue = await IdentityVenue.open({
      onChange: ([table]) =>
        isDead && table === "sessions"
          ? Promise.reject(new UnreadableError("It is dead"))
          : Promise.resolve(),
    });
    const { index } = await venue.join();
    const other = await venue.signIn();
    const { cookie } = await venue.signIn();
    const { sessionId } = await venue.caller(cookie);
    const { sessions, twoFactor } = venue.identity;
    const { secret } = await twoFactor.generate(index);
    const code = otpAt(secret, venue.clock.now);
    isDead = true;
    await twoFactor.enable(index, code, HERE, { ...venue.owner(index), sessionId }).catch(() => {});
    venue.clock.now += 1000;
    assertEquals(await sessions.authenticate(other.cookie, false), null);
    assertNotEquals(await sessions.authenticate(cookie, false), null);
  });

  it("uses up its code", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.join();
    const { secret } = await venue.turnOnTwoFactor(index);
    assertEquals(await spend(venue, index, otpAt(secret, venue.clock.now)), false);
    assertEquals(await spend(venue, index, otpAt(secret, venue.clock.now + 30_000)), true);
  });

  it("takes a new secret's code for a step that the old secret has used", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    const { twoFactor } = venue.identity;
    await twoFactor.disable(
      index,
      otpAt(SECRET, venue.clock.now + 30_000),
      HERE,
      venue.owner(index),
    );
    const { secret } = await twoFactor.generate(index);
    const code = otpAt(secret, venue.clock.now);
    assertEquals(await outcomeOf(twoFactor.enable(index, code, HERE, venue.owner(index))), "ok");
    assertEquals(await spend(venue, index, code), false);
    venue.pass(1);
    assertEquals(await spend(venue, index, otpAt(secret, venue.clock.now)), true);
  });

  it("refuses wrong codes and old secrets, or when already on", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    const { twoFactor } = venue.identity;
    const enable = (code: string) =>
      outcomeOf(twoFactor.enable(index, code, HERE, venue.owner(index)));
    assertEquals(await enable("123456"), "two_factor_not_generated");
    const first = await twoFactor.generate(index);
    const second = await twoFactor.generate(index);
    assertNotEquals(first.secret, second.secret);
    assertEquals(await enable(otpAt(second.secret, venue.clock.now - 90_000)), "code_wrong");
    assertEquals(await enable(otpAt(first.secret, venue.clock.now)), "code_wrong");
    venue.pass(60);
    assertEquals(await enable(otpAt(second.secret, venue.clock.now)), "two_factor_not_generated");
    const third = await twoFactor.generate(index);
    assertEquals(await enable(otpAt(third.secret, venue.clock.now)), "ok");
    assertEquals(await enable(otpAt(third.secret, venue.clock.now)), "two_factor_on");
    assertEquals(await outcomeOf(twoFactor.generate(index)), "two_factor_on");
    assertEquals(venue.member(uid).hasTwoFactor, true);
  });

  it("stores no secret that is readable without the master key", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.join();
    const { secret, codes } = await venue.turnOnTwoFactor(index);
    const text = JSON.stringify(await venue.engine.listSidecar({ prefix: [], limit: 1000 }));
    assert(!text.includes(secret));
    for (const code of codes) assert(!text.includes(code.replaceAll("-", "")), code);
  });
});

describe("proving a second factor", () => {
  it("takes a number as a code that lost its leading zeros", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    while (!venue.code().startsWith("0")) venue.clock.now += 30_000;
    const { step } = await venue.identity.twoFactor.prove(
      index,
      String(Number(venue.code())),
      SESSION,
    );
    assertEquals(step, venue.clock.now / 30_000);
  });

  it("yields no step for a wrong or used code, or a member with none", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    const { index: plain } = await venue.join("dave@example.org");
    const { twoFactor } = venue.identity;
    const code = venue.code();
    assertEquals(await spend(venue, index, code), true);
    for (const wrong of [code, venue.wrongCode(), "1234567", "", "1.5"]) {
      assertEquals(await twoFactor.prove(index, wrong, SESSION), {
        member: index,
        generation: 1,
        step: null,
      });
    }
    for (let count = 0; count < 30; count++) {
      assertEquals(await twoFactor.prove(plain, code, SESSION), {
        member: plain,
        generation: 0,
        step: null,
      });
    }
  });

  it("forgives nothing for a code already used", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    const { twoFactor } = venue.identity;
    const code = venue.code();
    await spend(venue, index, code);
    for (let count = 0; count < 5; count++) {
      await twoFactor.prove(index, venue.wrongCode(count), SESSION);
      if (count < 4) await twoFactor.prove(index, code, SESSION);
    }
    assertEquals(await outcomeOf(twoFactor.prove(index, code, SESSION)), "code_throttled");
    assertEquals(
      await outcomeOf(twoFactor.prove(index, venue.wrongCode(5), SESSION)),
      "code_throttled",
    );
  });

  it("forgives wrong codes before a right one", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    const { twoFactor } = venue.identity;
    for (const offsetMs of [0, 30_000]) {
      for (let count = 0; count < 4; count++) {
        await twoFactor.prove(index, venue.wrongCode(count), SESSION);
      }
      assertEquals(await spend(venue, index, venue.code(offsetMs)), true);
    }
    assertEquals(await twoFactor.prove(index, venue.wrongCode(), SESSION), {
      member: index,
      generation: 1,
      step: null,
    });
  });

  it("never counts a used code as wrong, but throttles it by itself", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.joinWithTwoFactor();
    const { twoFactor } = venue.identity;
    const code = venue.code();
    const replay = () => outcomeOf(twoFactor.prove(index, code, SESSION));
    assertEquals(await spend(venue, index, code), true);
    assertEquals(await Promise.all([replay(), replay(), replay()]), ["ok", "ok", "ok"]);
    assertEquals(
      await outcomeOf(twoFactor.disable(index, code, HERE, venue.owner(index))),
      "code_wrong",
    );
    assertEquals(await outcomeOf(venue.signIn(code)), "sign_in_code_wrong");
    for (let count = 0; count < 30; count++) assertEquals(await replay(), "code_throttled");
    assertEquals(await outcomeOf(venue.signIn(code)), "code_throttled");
    assertEquals(await outcomeOf(twoFactor.prove(index, venue.wrongCode(), SESSION)), "ok");
    assertEquals(await spend(venue, index, venue.code(30_000)), true);
    const kinds = (await venue.sent(uid)).map(({ kind }) => kind);
    assert(!kinds.includes("codes_refused"), kinds.join());
    await venue.identity.unlock(uid);
    assertEquals(await replay(), "ok");
  });

  it("does not count a code that an unreadable store left unjudged", async () => {
    await using venue = await IdentityVenue.open();
    const { index } = await venue.joinWithTwoFactor();
    const { store } = venue.venue;
    store.isUnreadable = (key) => key.includes("two_factor");
    for (let count = 0; count < 10; count++) {
      await assertRejects(() => spend(venue, index, venue.wrongCode(count)), UnreadableError);
    }
    store.isUnreadable = () => false;
    assertEquals(await spend(venue, index, venue.code()), true);
  });

  it("counts once among thousands at once in two processes, never after a restart", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    const { index } = await one.joinWithTwoFactor();
    await two.engine.fresh();
    const otp = await one.identity.twoFactor.prove(index, one.code(), SESSION);
    const counted = async ({ engine }: IdentityVenue, times: number) => {
      const submit = () => engine.submit({ kind: "spend_otp", otp }, null);
      const outcomes = await Promise.all(Array.from({ length: times }, submit));
      return outcomes.filter((outcome) => !isRejection(outcome)).length;
    };
    const [first, second] = await Promise.all([counted(one, 2500), counted(two, 2500)]);
    assertEquals(first + second, 1);
    await using later = await processes.restart();
    assertEquals(await counted(later, 1000), 0);
  });

  it("locks after twenty wrong codes across processes and restarts, even at once", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    const { uid, index } = await one.joinWithTwoFactor();
    await two.engine.fresh();
    let wrong = 0;
    for (const minutes of [15, 30, 60, 120]) {
      const outcomes = await Promise.all([one, two, one, two, one, two, one, two].map(
        ({ identity }, count) =>
          outcomeOf(identity.twoFactor.prove(index, one.wrongCode(count), SESSION)),
      ));
      wrong += outcomes.filter((outcome) => outcome === "ok").length;
      one.pass(minutes);
    }
    assertEquals(wrong, 20);
    const locks = (await one.sent(uid)).filter(({ kind }) => kind === "codes_refused");
    assertEquals(locks.length, 1);
    await using later = await processes.restart();
    const { twoFactor } = later.identity;
    assertEquals(await outcomeOf(twoFactor.prove(index, later.code(), SESSION)), "code_locked");
    await later.identity.unlock(uid);
    assertEquals(await spend(later, index, later.code()), true);
  });
});

describe("recovery codes", () => {
  it("replace a code at sign-in once each, however they are typed", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    const { codes } = await venue.turnOnTwoFactor(index);
    const [first = "", second = ""] = codes;
    assertEquals(await outcomeOf(venue.signIn(first)), "ok");
    assertEquals(await outcomeOf(venue.signIn(first)), "sign_in_code_wrong");
    assertEquals(
      await outcomeOf(venue.signIn(` ${second.toLowerCase().replaceAll("-", " ")} `)),
      "ok",
    );
    assertEquals(await venue.recoveryCodesLeft(uid), 8);
    const kinds = (await venue.sent(uid)).map(({ kind }) => kind);
    assertEquals(kinds.filter((kind) => kind === "recovery_code_used").length, 2);
  });

  it("work once across two processes, and not after a restart", async () => {
    await using processes = await IdentityProcesses.open();
    const { one, two } = processes;
    const { index } = await one.join();
    const { codes: [code = ""] } = await one.turnOnTwoFactor(index);
    const outcomes = await Promise.all(
      [one, two, one, two].map((venue) => outcomeOf(venue.signIn(code))),
    );
    assertEquals(outcomes.sort(), ["ok", ...Array(3).fill("sign_in_code_wrong")]);
    await using later = await processes.restart();
    assertEquals(await outcomeOf(later.signIn(code)), "sign_in_code_wrong");
  });

  it("do not confirm a withdrawal", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    const { codes } = await venue.turnOnTwoFactor(index);
    assertEquals(await spend(venue, index, codes[0] ?? ""), false);
    assertEquals(await venue.recoveryCodesLeft(uid), 10);
  });
});

describe("turning the second factor off", () => {
  it("takes a code and removes secret and recovery codes", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.joinWithTwoFactor();
    const { twoFactor } = venue.identity;
    assertEquals(
      await outcomeOf(twoFactor.disable(index, venue.wrongCode(), HERE, venue.owner(index))),
      "code_wrong",
    );
    await twoFactor.disable(index, venue.code(), HERE, venue.owner(index));
    assertEquals(venue.member(uid).hasTwoFactor, false);
    assertEquals(await venue.recoveryCodesLeft(uid), 0);
    assertEquals(await venue.engine.readSidecar(["two_factor", uid]), null);
    assertEquals(
      await outcomeOf(twoFactor.disable(index, venue.code(), HERE, venue.owner(index))),
      "two_factor_off",
    );
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("takes a recovery code if the authenticator is lost, so a new one can be set up", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    const { twoFactor } = venue.identity;
    const { codes: [code = ""] } = await venue.turnOnTwoFactor(index);
    await twoFactor.disable(index, code, HERE, venue.owner(index));
    assertEquals(venue.member(uid).hasTwoFactor, false);
    venue.clock.now += 30_000;
    await venue.turnOnTwoFactor(index);
    assertEquals(
      await outcomeOf(twoFactor.disable(index, code, HERE, venue.owner(index))),
      "code_wrong",
    );
  });

  it("leaves a recovery code valid when the store fails", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    const { twoFactor } = venue.identity;
    const { codes: [code = ""] } = await venue.turnOnTwoFactor(index);
    venue.venue.store.plan = (purpose) => purpose === "log" ? "fail" : "none";
    await assertRejects(
      () => twoFactor.disable(index, code, HERE, venue.owner(index)),
      UnavailableError,
    );
    assertEquals(venue.member(uid).hasTwoFactor, true);
    venue.venue.store.plan = () => "none";
    await twoFactor.disable(index, code, HERE, venue.owner(index));
    assertEquals(venue.member(uid).hasTwoFactor, false);
  });
});

describe("seeding a second factor", () => {
  it("leaves the current code unused and an enabled factor as is", async () => {
    await using venue = await IdentityVenue.open();
    const { uid, index } = await venue.join();
    await venue.identity.seedTwoFactor(uid, SECRET);
    await venue.identity.seedTwoFactor(uid, "GEZDGNBVGY3TQOJQ");
    assertEquals(await spend(venue, index, venue.code(-30_000)), true);
    assertEquals(await spend(venue, index, venue.code()), true);
  });
});
