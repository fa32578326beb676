import { describe, it } from "@std/testing/bdd";
import { THROTTLE_ROWS } from "../../../src/engine/sidecar_rows.ts";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import {
  addressParty,
  addressSubject,
  AddressThrottle,
} from "../../../src/identity/walls/address_throttle.ts";
import {
  ADDRESS_RULE,
  CODE_RULE,
  isThrottleOver,
  MAILBOX_RULE,
  PASSWORD_RULE,
  Throttle,
} from "../../../src/identity/walls/throttle.ts";
import { IdentityVenue, outcomeOf, retryAfterOf } from "../../support/identity_venue.ts";

const MINUTE = 60;

async function takeMany(throttle: Throttle, times: number): Promise<string[]> {
  const outcomes: string[] = [];
  for (let i = 0; i < times; i++) outcomes.push(await outcomeOf(throttle.take("carol")));
  return outcomes;
}

describe("Throttle", () => {
  it("locks for 15 minutes after five tries, doubling each time up to a day", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, PASSWORD_RULE);
    for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1440, 1440]) {
      assertEquals(await takeMany(throttle, 6), [...Array(5).fill("ok"), "sign_in_throttled"]);
      assertEquals(await retryAfterOf(throttle.take("carol")), minutes * MINUTE);
      venue.clock.now += minutes * 60_000 - 1;
      assertEquals(await retryAfterOf(throttle.take("carol")), 1);
      venue.clock.now += 1;
    }
    assertEquals(await outcomeOf(throttle.take("carol")), "ok");
    assertEquals(await outcomeOf(throttle.take("bob")), "ok");
  });

  it("counts neither tries nor locks of a clock that was ahead", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, CODE_RULE);
    venue.pass(60);
    assertEquals((await takeMany(throttle, 6)).at(-1), "code_throttled");
    venue.pass(-60);
    assertEquals(await takeMany(throttle, 6), [...Array(5).fill("ok"), "code_throttled"]);
    venue.pass(30 - 1);
    assertEquals(await retryAfterOf(throttle.take("carol")), MINUTE);
  });

  it("counts the tries of a quarter of an hour, however slowly they come", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, PASSWORD_RULE);
    for (let count = 0; count < 5; count++) {
      assertEquals(await outcomeOf(throttle.take("carol")), "ok");
      venue.pass(3);
    }
    assertEquals(await retryAfterOf(throttle.take("carol")), 12 * MINUTE);
  });

  it("stops a mailbox's codes for five minutes each time, however often others ask", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, { ...MAILBOX_RULE, name: "password_reset" });
    for (let lock = 0; lock < 4; lock++) {
      const admitted = [];
      for (let count = 0; count < 5; count++) admitted.push(await throttle.admits("carol"));
      assertEquals(admitted, [true, true, true, false, false]);
      assertEquals(await retryAfterOf(throttle.take("carol")), 5 * MINUTE);
      venue.pass(5);
    }
    const rows = () => venue.engine.listSidecar({ prefix: THROTTLE_ROWS, limit: 10 });
    assertEquals([await throttle.feign("bob"), (await rows()).length], [false, 1]);
  });

  it("forgives the tries of one kind, and lifts the locks below a subject", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, PASSWORD_RULE);
    const here = ["carol", "here"];
    for (const kind of ["a", "b", "a"]) await throttle.take(here, kind);
    const last = await throttle.take(here, "a");
    assertEquals(last.count, 4);
    await throttle.forgive(here, last);
    for (let count = 0; count < 4; count++) await throttle.take(here, "a");
    assertEquals(await outcomeOf(throttle.take(here)), "sign_in_throttled");
    await takeMany(throttle, 5);
    await throttle.unlock(["dave"]);
    assertEquals(await outcomeOf(throttle.take(here)), "sign_in_throttled");
    await throttle.unlock(["carol"]);
    assertEquals(await outcomeOf(throttle.take(here)), "ok");
    assertEquals(await outcomeOf(throttle.take("carol")), "ok");
  });

  it("forgets tries after a quarter of an hour, and locks after a day", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, PASSWORD_RULE);
    await takeMany(throttle, 4);
    venue.pass(15);
    assertEquals(await takeMany(throttle, 5), Array(5).fill("ok"));
    venue.pass(15 + 24 * 60 + 1);
    await takeMany(throttle, 5);
    assertEquals(await retryAfterOf(throttle.take("carol")), 15 * MINUTE);
  });

  it("forgives tries before a successful one", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, PASSWORD_RULE);
    await takeMany(throttle, 4);
    await throttle.pass("carol", await throttle.take("carol"));
    assertEquals(await takeMany(throttle, 5), Array(5).fill("ok"));
    assertEquals(await outcomeOf(throttle.take("carol")), "sign_in_throttled");
    venue.pass(15);
    await throttle.pass("carol", await throttle.take("carol"));
    await takeMany(throttle, 5);
    assertEquals(await retryAfterOf(throttle.take("carol")), 15 * MINUTE, "and locks, too");
  });

  it("takes back one try and the lock it began, without forgiving the others", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, PASSWORD_RULE);
    await takeMany(throttle, 4);
    await throttle.release("carol", await throttle.take("carol"));
    assertEquals(await takeMany(throttle, 2), ["ok", "sign_in_throttled"]);
    assertEquals(await retryAfterOf(throttle.take("carol")), 15 * MINUTE);
  });

  it("is remembered for a day after the last lock", async () => {
    await using venue = await IdentityVenue.open();
    await takeMany(new Throttle(venue.engine, PASSWORD_RULE), 5);
    const [row] = await venue.engine.listSidecar({ prefix: THROTTLE_ROWS, limit: 1 });
    const end = venue.clock.now + (15 + 24 * 60) * 60_000;
    assertEquals([end - 1, end].map((at) => isThrottleOver(row?.value, at)), [false, true]);
  });

  it("takes a lock back, but locks no shorter the next time", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, PASSWORD_RULE);
    for (const minutes of [15, 30, 60]) {
      await takeMany(throttle, 4);
      await throttle.release("carol", await throttle.take("carol"));
      assertEquals(await takeMany(throttle, 2), ["ok", "sign_in_throttled"]);
      assertEquals(await retryAfterOf(throttle.take("carol")), minutes * MINUTE);
      venue.pass(minutes);
    }
  });

  it("counts tries before they are judged, however many come at once", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, PASSWORD_RULE);
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => outcomeOf(throttle.take("carol"))),
    );
    assertEquals(outcomes.filter((outcome) => outcome === "ok").length, 5);
  });

  it("locks for good after twenty in a day, whatever succeeds in between", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, CODE_RULE);
    let last = false;
    for (let count = 1; count <= 20; count++) {
      const taken = await throttle.take("carol");
      assertEquals(taken.isLast, count === 20);
      last = taken.isLast;
      if (count % 4 === 0 && !last) await throttle.pass("carol", await throttle.take("carol"));
    }
    assert(last);
    venue.pass(2 * 24 * 60);
    assertEquals(await outcomeOf(throttle.take("carol")), "code_locked");
    await throttle.unlock("carol");
    assertEquals(await outcomeOf(throttle.take("carol")), "ok");
  });
});

describe("the last try of a day", () => {
  it("ignores tries of the day before", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new Throttle(venue.engine, CODE_RULE);
    for (let count = 1; count < 20; count++) {
      await throttle.take("carol");
      if (count % 5 === 0) venue.pass(60);
    }
    venue.pass(24 * 60);
    assertEquals((await throttle.take("carol")).isLast, false);
  });

  it("locks nothing if it succeeds or is taken back", async () => {
    for (const ending of ["pass", "release"] as const) {
      await using venue = await IdentityVenue.open();
      const throttle = new Throttle(venue.engine, CODE_RULE);
      for (let count = 1; count < 20; count++) {
        await throttle.take("carol");
        if (count % 5 === 0) venue.pass(60);
      }
      const last = await throttle.take("carol");
      assertEquals(last.isLast, true);
      await throttle[ending]("carol", last);
      assertEquals(await outcomeOf(throttle.take("carol")), "ok", ending);
      assertEquals(await outcomeOf(throttle.take("carol")), "code_locked", ending);
    }
  });
});

describe("AddressThrottle", () => {
  it("counts by address, except this machine's own, which many share", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new AddressThrottle(venue.engine, ADDRESS_RULE);
    for (let i = 0; i < 20; i++) await throttle.take("192.0.2.1");
    assertEquals(await outcomeOf(throttle.take("::ffff:192.0.2.1")), "sign_in_throttled");
    assertEquals(await outcomeOf(throttle.take("192.0.2.2")), "ok");
    for (let i = 0; i < 21; i++) await throttle.take("127.0.0.1");
  });

  it("counts one IPv6 network as one address", () => {
    assertEquals(addressSubject("2001:db8:1:2::1"), addressSubject("2001:db8:1:2:3:4:5:6"));
    assert(addressSubject("2001:db8:1:2::1") !== addressSubject("2001:db8:1:3::1"));
    assertEquals([addressSubject("::1"), addressSubject("127.9.9.9")], [null, null]);
    assertEquals(addressSubject("unix"), "unix");
  });

  it("counts a site as well as its networks, and leaves no rows for those it stops", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new AddressThrottle(venue.engine, ADDRESS_RULE);
    const take = (net: number) => outcomeOf(throttle.take(`2001:db8:1:${net.toString(16)}::1`));
    for (let count = 0; count < 60; count++) assertEquals(await take(count), "ok");
    const rows = async () =>
      (await venue.engine.listSidecar({ prefix: THROTTLE_ROWS, limit: 1000 })).length;
    const before = await rows();
    for (let count = 60; count < 100; count++) assertEquals(await take(count), "sign_in_throttled");
    assertEquals(await rows(), before);
    assertEquals(await outcomeOf(throttle.take("2001:db8:2::1")), "ok");
  });

  it("tells the first try of a network, and takes tries back from its site too", async () => {
    await using venue = await IdentityVenue.open();
    const throttle = new AddressThrottle(venue.engine, ADDRESS_RULE);
    const one = await throttle.take("2001:db8:1:1::1", "a");
    const two = await throttle.take("2001:db8:1:2::1", "a");
    assertEquals([one.isFirst, two.isFirst], [true, false]);
    await one.release();
    await two.forgive();
    assertEquals((await throttle.take("2001:db8:1:3::1", "a")).isFirst, true);
    assertEquals((await throttle.take("192.0.2.1")).isFirst, true);
    assertEquals((await throttle.take("192.0.2.1")).isFirst, false);
    assertEquals((await throttle.take("127.0.0.1")).isFirst, false);
  });

  it("counts a wider network as one where places are shared", () => {
    assertEquals(
      addressParty("2001:db8:1:2::1", "other").name,
      addressParty("2001:db8:1:ffff::1", "other").name,
    );
    assertNotEquals(
      addressParty("2001:db8:1::1", "other").name,
      addressParty("2001:db8:2::1", "other").name,
    );
    assertEquals(
      addressParty("::ffff:192.0.2.1", "other").name,
      addressParty("192.0.2.1", "other").name,
    );
    assertNotEquals(
      addressParty("192.0.2.1", "other").name,
      addressParty("192.0.2.2", "other").name,
    );
    assertEquals(addressParty("unix", "other").name, "unix");
  });
});
