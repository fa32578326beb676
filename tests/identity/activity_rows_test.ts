import { describe, it } from "@std/testing/bdd";
import { assertEquals } from "@std/assert";
import { ActivityRows } from "../../src/identity/activity_rows.ts";
import { HERE, IdentityVenue, outcomeOf } from "../support/identity_venue.ts";

const ALL = { offset: 0, limit: 1000 };
const MINUTES_PER_DAY = 24 * 60;

/** Records `count` activities, numbered and a minute apart. */
async function recordMany(venue: IdentityVenue, rows: ActivityRows, count: number) {
  for (let number = 0; number < count; number++) {
    const result = number % 2 === 0 ? "succeed" : "failed";
    const topic = number % 3 === 0 ? "password" : "session";
    await rows.record("carol", HERE, { topic, action: String(number), result });
    venue.pass(1);
  }
}

describe("ActivityRows", () => {
  it("are listed newest first, in pages", async () => {
    await using venue = await IdentityVenue.open();
    const rows = new ActivityRows(venue.engine);
    await recordMany(venue, rows, 7);
    const page = await rows.list("carol", { offset: 2, limit: 3 });
    assertEquals(page.total, 7);
    assertEquals(page.items.map(({ action }) => action), ["4", "3", "2"]);
    assertEquals(page.items[0]?.createdAt, venue.clock.now - 3 * 60_000);
    assertEquals(page.items[0]?.address, HERE.address);
    assertEquals(await rows.list("dave", ALL), { items: [], total: 0 });
  });

  it("are listed newest first even within a millisecond", async () => {
    await using venue = await IdentityVenue.open();
    const rows = new ActivityRows(venue.engine);
    for (let number = 0; number < 12; number++) {
      await rows.record("carol", HERE, { topic: "otp", action: String(number), result: "succeed" });
    }
    const { items } = await rows.list("carol", ALL);
    assertEquals(items.map(({ action }) => Number(action)), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  });

  it("are found by topic and result", async () => {
    await using venue = await IdentityVenue.open();
    const rows = new ActivityRows(venue.engine);
    await recordMany(venue, rows, 7);
    const actions = async (filter: Omit<Parameters<ActivityRows["list"]>[1], keyof typeof ALL>) =>
      (await rows.list("carol", { ...ALL, ...filter })).items.map(({ action }) => action);
    assertEquals(await actions({ topic: "password" }), ["6", "3", "0"]);
    assertEquals(await actions({ result: "failed" }), ["5", "3", "1"]);
    assertEquals(await actions({ topic: "password", result: "failed" }), ["3"]);
  });

  it("keep only the latest", async () => {
    await using venue = await IdentityVenue.open();
    const bounds = { successesMax: 3, failuresMax: 2, writesPerCut: 3 };
    const rows = new ActivityRows(venue.engine, bounds);
    await recordMany(venue, rows, 12);
    const { items } = await rows.list("carol", ALL);
    assertEquals(items.map(({ action }) => action), ["11", "10", "9", "8", "6"]);
    const kept = await venue.engine.listSidecar({ prefix: ["activity", "carol"], limit: 100 });
    assertEquals(kept.length, 5);
  });

  it("that succeeded are not pushed out by any number that failed", async () => {
    await using venue = await IdentityVenue.open();
    const rows = new ActivityRows(venue.engine);
    const record = (action: string, result: "succeed" | "failed") =>
      rows.record("carol", HERE, { topic: "otp", action, result });
    await record("enable", "succeed");
    for (let number = 0; number < 1_100; number++) await record("verify", "failed");
    const { items, total } = await rows.list("carol", ALL);
    assertEquals([total, items.at(-1)?.action, items.at(-1)?.result], [201, "enable", "succeed"]);
    const kept = await venue.engine.listSidecar({ prefix: ["activity", "carol"], limit: 1_000 });
    assertEquals(kept.length <= 251, true, "but for what has not been cut yet");
  });

  it("are listed across many pages of rows, for ninety days", async () => {
    await using venue = await IdentityVenue.open();
    const rows = new ActivityRows(venue.engine);
    await recordMany(venue, rows, 390);
    assertEquals((await rows.list("carol", { offset: 380, limit: 20 })).items.length, 10);
    venue.pass(90 * MINUTES_PER_DAY - 389);
    const { items } = await rows.list("carol", ALL);
    assertEquals([items.length, items.at(-1)?.action], [389, "1"]);
    venue.pass(390);
    assertEquals((await rows.list("carol", ALL)).total, 0);
  });

  it("show what a member did and what was tried", async () => {
    await using venue = await IdentityVenue.open();
    const { uid } = await venue.join();
    await outcomeOf(venue.signIn(undefined, { password: "Tr0ub4dor&4" }));
    await venue.signIn();
    const { items } = await venue.identity.activity.list(uid, ALL);
    assertEquals(items.map(({ topic, action, result }) => `${topic} ${action} ${result}`), [
      "session login succeed",
      "session login failed",
      "account email_confirmed succeed",
    ]);
  });
});
