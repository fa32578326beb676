/** Guesses of passwords are bounded, and keep no member out, whatever strangers do. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { eventually } from "../../support/eventually.ts";
import {
  HERE,
  IdentityVenue,
  outcomeOf,
  PASSWORD,
  retryAfterOf,
} from "../../support/identity_venue.ts";

const WRONG = { password: "Tr0ub4dor&4" };
/** Where the member calls from. */
const HOME = { ...HERE, address: "192.0.2.200" };

/** Guesses from one network after the other until the mailbox is on guard. */
async function guessFromMany(venue: IdentityVenue, code?: string): Promise<string[]> {
  const outcomes = [];
  for (let place = 0; place < 40; place++) {
    const origin = { ...HERE, address: `198.51.100.${place}` };
    outcomes.push(await outcomeOf(venue.signIn(code, { ...WRONG, origin })));
  }
  return outcomes;
}

describe("wrong passwords", () => {
  it("from one network lock it out, twice as long each time, and nobody else", async () => {
    await using venue = await IdentityVenue.open();
    await venue.join();
    for (const minutes of [15, 30, 60]) {
      for (let count = 0; count < 5; count++) {
        assertEquals(await outcomeOf(venue.signIn(undefined, WRONG)), "credentials_wrong");
      }
      assertEquals(await retryAfterOf(venue.signIn()), minutes * 60);
      assertEquals(await outcomeOf(venue.signIn(undefined, { origin: HOME })), "ok");
      venue.pass(minutes);
    }
    assertEquals(await outcomeOf(venue.signIn()), "ok");
  });

  it("from many networks put a mailbox on guard after thirty, a member's or not", async () => {
    await using venue = await IdentityVenue.open();
    await venue.join();
    const expected = [
      ...Array(30).fill("credentials_wrong"),
      ...Array(10).fill("sign_in_throttled"),
    ];
    assertEquals(await guessFromMany(venue), expected);
    const nobody = [];
    for (let place = 0; place < 40; place++) {
      const origin = { ...HERE, address: `203.0.113.${place}` };
      nobody.push(await outcomeOf(venue.signIn(undefined, { email: "nobody@x.org", origin })));
    }
    assertEquals(nobody, expected);
    assertEquals(await retryAfterOf(venue.signIn(undefined, { origin: HOME })), 3600);
    venue.pass(60);
    assertEquals(await outcomeOf(venue.signIn(undefined, { origin: HOME })), "ok");
    assertEquals(
      (await guessFromMany(venue)).filter((one) => one === "credentials_wrong").length,
      30,
    );
    assertEquals(await retryAfterOf(venue.signIn(undefined, { origin: HOME })), 7200);
  });

  it("never keep out whoever brings the right password and code from elsewhere", async () => {
    await using venue = await IdentityVenue.open();
    await venue.joinWithTwoFactor();
    await guessFromMany(venue);
    assertEquals(await outcomeOf(venue.signIn(undefined, { origin: HOME })), "sign_in_throttled");
    assertEquals(await outcomeOf(venue.signIn(venue.code(), { origin: HOME })), "ok");
  });

  it("and right ones are told apart on guard by nothing but a right code", async () => {
    const changed: string[] = [];
    await using venue = await IdentityVenue.open({
      onChange: ([table, name]) => Promise.resolve(void changed.push(`${table} ${name}`)),
    });
    await venue.joinWithTwoFactor();
    await guessFromMany(venue);
    const seen = [];
    for (const password of [PASSWORD, WRONG.password]) {
      changed.length = 0;
      const guess = () => venue.signIn(venue.wrongCode(), { password, origin: HOME });
      const wait = await retryAfterOf(guess());
      seen.push([wait, await outcomeOf(guess()), [...changed]]);
    }
    assertEquals(seen[0], seen[1]);
    assertEquals(seen[0]?.slice(0, 2), [3600, "sign_in_throttled"]);
  });

  it("keep out nobody without a second factor on a device known to the member", async () => {
    await using venue = await IdentityVenue.open();
    const member = await venue.join();
    const device = await venue.identity.rememberDevice(member, "");
    await guessFromMany(venue);
    for (let count = 0; count < 5; count++) await outcomeOf(venue.signIn(undefined, WRONG));
    const known = { origin: { ...HERE, device } };
    assertEquals(await outcomeOf(venue.signIn()), "sign_in_throttled");
    assertEquals(await outcomeOf(venue.signIn("123456", { origin: HOME })), "sign_in_throttled");
    assertEquals(await outcomeOf(venue.signIn(undefined, known)), "ok");
  });

  it("on a known device are bounded like those of a network, after which it is a stranger's", async () => {
    await using venue = await IdentityVenue.open();
    const member = await venue.join();
    const device = await venue.identity.rememberDevice(member, "");
    let place = 0;
    const guess = (password: string) =>
      outcomeOf(venue.signIn(undefined, {
        password,
        origin: { ...HERE, address: `198.51.100.${place++}`, device },
      }));
    for (let count = 0; count < 35; count++) {
      assertEquals(await guess(WRONG.password), "credentials_wrong");
    }
    assertEquals(await guess(PASSWORD), "sign_in_throttled");
    venue.pass(15);
    assertEquals(await guess(PASSWORD), "ok");
  });

  it("are forgotten at a mailbox whose owner has set a new one by a mailed code", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await guessFromMany(venue);
    for (let count = 0; count < 5; count++) {
      await outcomeOf(venue.signIn(undefined, { ...WRONG, origin: HOME }));
    }
    await venue.identity.sendResetCode("carol@example.org", HOME);
    const code = await venue.lastCode(uid);
    const member = await venue.identity.resetPassword(code, "C0rrect-horse", HOME);
    const signIn = (device: string) =>
      outcomeOf(venue.signIn(undefined, {
        password: "C0rrect-horse",
        origin: { ...HOME, device },
      }));
    assertEquals(await signIn(""), "ok");
    const device = await venue.identity.rememberDevice(member, "");
    await guessFromMany(venue);
    assertEquals([await signIn(""), await signIn(device)], ["sign_in_throttled", "ok"]);
  });

  it("are forgotten when an operator unlocks the member, from wherever they came", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await guessFromMany(venue);
    for (let count = 0; count < 5; count++) await outcomeOf(venue.signIn(undefined, WRONG));
    await venue.identity.unlock(uid);
    assertEquals(await outcomeOf(venue.signIn()), "ok");
    assertEquals(await outcomeOf(venue.signIn(undefined, { origin: HOME })), "ok");
  });

  it("in a flood from many networks let the member in, ahead of all but a few", async () => {
    await using venue = await IdentityVenue.open({ passwordCost: 2 ** 12 });
    const member = await venue.joinWithTwoFactor();
    const device = await venue.identity.rememberDevice(member, "");
    let settled = 0;
    const flood = Array.from({ length: 120 }, async (_, place) => {
      const origin = { ...HERE, address: `198.51.100.${place % 60}` };
      const email = `${place % 5}@example.org`;
      const outcome = await outcomeOf(venue.signIn("123456", { ...WRONG, email, origin }));
      if (outcome === "credentials_wrong") settled += 1;
      return outcome;
    });
    await eventually("the flood has begun", () => settled > 0);
    const before = settled;
    const known = { origin: { ...HOME, device } };
    assertEquals(await outcomeOf(venue.signIn(venue.code(-30_000), known)), "ok");
    assertEquals(await outcomeOf(venue.signIn(venue.code(), { origin: HOME })), "ok");
    const ahead = settled - before;
    const outcomes = await Promise.all(flood);
    assert(outcomes.includes("unavailable"), "the flood took every place");
    assert(ahead <= 24 && settled > before + ahead + 20, `${before} + ${ahead} of ${settled}`);
  });

  it("in a burst that is still on its way let the member in as well", async () => {
    await using venue = await IdentityVenue.open({ passwordCost: 2 ** 12 });
    await venue.joinWithTwoFactor();
    const burst = Array.from({ length: 100 }, (_, place) => {
      const origin = { ...HERE, address: `198.51.100.${place}` };
      return outcomeOf(venue.signIn("123456", { ...WRONG, email: `${place}@example.org`, origin }));
    });
    assertEquals(await outcomeOf(venue.signIn(venue.code(), { origin: HOME })), "ok");
    assert((await Promise.all(burst)).includes("unavailable"), "the burst took every place");
  });
});

describe("a known device", () => {
  it("is known to its member alone, as long as the credentials last, and a year at most", async () => {
    await using venue = await IdentityVenue.open();
    const carol = await venue.join();
    const dave = await venue.join("dave@example.org");
    const first = await venue.identity.rememberDevice(carol, "");
    const both = await venue.identity.rememberDevice(dave, first);
    const isKnown = async (device: string, email: string) => {
      const origin = { ...HERE, device };
      await outcomeOf(venue.signIn(undefined, { ...WRONG, email, origin }));
      const rows = await venue.engine.listSidecar({ prefix: ["throttles", "device"], limit: 10 });
      await venue.identity.unlock(carol.uid);
      await venue.identity.unlock(dave.uid);
      return rows.length === 1;
    };
    const [at, on] = ["carol@example.org", "dave@example.org"];
    assertEquals([await isKnown(first, at), await isKnown(first, on)], [true, false]);
    assertEquals([await isKnown(both, at), await isKnown(both, on)], [true, true]);
    const forged = first.replace(carol.uid, dave.uid);
    for (const other of ["", "x", `${first}0`, first.slice(0, -1), carol.uid, `${carol.uid}...`]) {
      assertEquals(await isKnown(other, at), false, other);
    }
    assertEquals(await isKnown(forged, on), false);
    venue.pass(364 * 24 * 60);
    assertEquals(await isKnown(both, at), true);
    venue.pass(24 * 60);
    assertEquals(await isKnown(both, at), false);
    const again = await venue.identity.rememberDevice(carol, both);
    venue.pass(1);
    await venue.identity.sendResetCode(at, HERE);
    const reset = await venue.lastCode(carol.uid);
    const changed = await venue.identity.resetPassword(reset, "C0rrect-horse", HERE);
    assertEquals(await isKnown(again, at), false);
    assertEquals(await isKnown(await venue.identity.rememberDevice(changed, again), at), true);
  });
});
