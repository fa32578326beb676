import { describe, it } from "@std/testing/bdd";
import { assertEquals } from "@std/assert";
import { AuthVenue } from "../../support/auth_venue.ts";

const LIMITED = "429 server.rate_limited";

describe("rate limits of signed calls", () => {
  it("count a member's calls and say so on every answer", async () => {
    await using venue = await AuthVenue.open({ rateLimit: 2 });
    const first = await venue.call();
    assertEquals(first.headers.get("RateLimit-Limit"), "2");
    assertEquals(first.headers.get("RateLimit-Remaining"), "1");
    assertEquals(first.headers.get("RateLimit-Reset"), "1");
    const second = await venue.call({ method: "POST", path: "/refused" });
    assertEquals([second.status, second.headers.get("RateLimit-Remaining")], [422, "0"]);
    const third = await venue.call();
    assertEquals([third.status, third.headers.get("Retry-After")], [429, "1"]);
    assertEquals(third.headers.get("RateLimit-Remaining"), "0");
  });

  it("count the calls of all keys of a member together", async () => {
    await using venue = await AuthVenue.open({ rateLimit: 2 });
    await venue.addKey("alice", { kid: "another" });
    await venue.addKey("bob", { kid: "bob" });
    assertEquals(await venue.outcome(), "200");
    assertEquals(await venue.outcome({ kid: "another" }), "200");
    assertEquals(await venue.outcome(), LIMITED);
    assertEquals(await venue.outcome({ kid: "another" }), LIMITED);
    assertEquals(await venue.outcome({ kid: "bob" }), "200");
  });

  it("spend the nonce of a call that they refuse", async () => {
    for (const isShared of [false, true]) {
      await using venue = await AuthVenue.open({ rateLimit: 2, isShared });
      for (let i = 0; i < 2; i++) await venue.call();
      const ahead = venue.clock.now + 2000;
      for (const call of [{ nonce: ahead }, { nonce: ahead + 1, method: "POST", path: "/write" }]) {
        assertEquals(await venue.outcome(call), LIMITED);
      }
      venue.clock.now += 2000;
      // Neither here nor in another process, or one that is started meanwhile.
      for (const app of [venue.app, venue.createApp()]) {
        for (const nonce of [ahead, ahead + 1]) {
          assertEquals(await venue.outcome({ nonce }, app), "401 authz.nonce_already_used");
        }
      }
    }
  });

  it("let the log grow by no more calls than they allow", async () => {
    await using venue = await AuthVenue.open({ rateLimit: 5, isShared: true });
    const before = venue.observed.submitted.length;
    for (let i = 0; i < 100; i++) await venue.call();
    assertEquals(venue.observed.submitted.length - before, 10);
  });

  it("are not used up by calls signed by somebody else", async () => {
    await using venue = await AuthVenue.open({ rateLimit: 1 });
    for (let i = 0; i < 5; i++) await venue.call({ secret: "guess" });
    assertEquals(await venue.outcome(), "200");
  });

  it("throttle failed signatures by address, known key or not, and nobody else", async () => {
    await using venue = await AuthVenue.open({ rateLimit: 100 });
    for (let i = 0; i < 10; i++) {
      const call = i % 2 === 0 ? { secret: "guess" } : { kid: "nobody" };
      assertEquals(await venue.outcome(call), "401 authz.invalid_signature");
    }
    assertEquals(await venue.outcome({ secret: "guess" }), LIMITED);
    assertEquals(await venue.outcome({ kid: "nobody" }), LIMITED);
    assertEquals(await venue.outcome(), "200");
    venue.address = "10.0.0.2";
    assertEquals(await venue.outcome({ secret: "guess" }), "401 authz.invalid_signature");
    venue.address = "10.0.0.1";
    venue.clock.now += 60_000;
    assertEquals(await venue.outcome({ secret: "guess" }), "401 authz.invalid_signature");
  });

  it("do not count a correctly signed call as a failed signature", async () => {
    await using venue = await AuthVenue.open({ rateLimit: 100 });
    for (let i = 0; i < 20; i++) {
      assertEquals(await venue.outcome({ nonce: 1 }), "401 authz.nonce_expired");
      const unpermitted = await venue.outcome({ method: "POST", path: "/withdraw" });
      assertEquals(unpermitted, "403 authz.scope_not_permitted");
    }
  });

  it("are all lifted by off", async () => {
    await using venue = await AuthVenue.open({ rateLimit: "off" });
    for (let i = 0; i < 30; i++) {
      assertEquals(await venue.outcome({ secret: "guess" }), "401 authz.invalid_signature");
    }
    const { headers } = await venue.call();
    assertEquals(headers.get("RateLimit-Limit"), null);
  });
});
