import { describe, it } from "@std/testing/bdd";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { requestDigest } from "../../../src/edge/callers/nonce_guard.ts";
import { ReadNonces } from "../../../src/engine/read_nonces.ts";
import {
  LATE_MS_MAX,
  OutcomeUnknownError,
  UnavailableError,
  UnreadableError,
} from "../../../src/engine/engine.ts";
import { AuthVenue, type TestCall } from "../../support/auth_venue.ts";
import { eventually } from "../../support/eventually.ts";

const USED = "401 authz.nonce_already_used";
const EXPIRED = "401 authz.nonce_expired";
const READ: TestCall = {};
const WRITE: TestCall = { method: "POST", path: "/write" };
const REFUSED: TestCall = { method: "POST", path: "/refused" };
const UNPERMITTED: TestCall = { method: "POST", path: "/withdraw" };

describe("a nonce is used once per key", () => {
  for (const isShared of [false, true]) {
    describe(isShared ? "where processes share the store" : "where one process owns it", () => {
      for (const ahead of [0, 3000]) {
        it(`whatever it was used for, ${ahead} ms ahead of the clock`, async () => {
          await using venue = await AuthVenue.open({ isShared });
          for (const first of [READ, WRITE, REFUSED, UNPERMITTED]) {
            for (const second of [READ, WRITE]) {
              venue.clock.now += 10;
              const nonce = venue.clock.now + ahead;
              assertNotEquals(await venue.outcome({ ...first, nonce }), USED);
              const { status, body } = await venue.call({ ...second, nonce });
              assertEquals([status, body.errors], [401, ["authz.nonce_already_used"]]);
              assertEquals(body.server_time, venue.clock.now);
            }
          }
        });

        it(`even after a restart, ${ahead} ms ahead of the clock`, async () => {
          await using venue = await AuthVenue.open({ isShared });
          for (const first of [READ, WRITE, REFUSED, UNPERMITTED]) {
            venue.clock.now += 10;
            const nonce = venue.clock.now + ahead;
            await venue.outcome({ ...first, nonce });
            venue.clock.now += 10;
            const restarted = venue.createApp();
            for (const second of [READ, WRITE]) {
              const outcome = await venue.outcome({ ...second, nonce }, restarted);
              assert(outcome === USED || outcome === EXPIRED && !isShared, outcome);
            }
          }
        });
      }

      it("when the same call comes many times at once", async () => {
        await using venue = await AuthVenue.open({ isShared });
        for (const call of [READ, WRITE]) {
          venue.clock.now += 10;
          const nonce = venue.clock.now;
          const calls = Array.from({ length: 20 }, () => venue.outcome({ ...call, nonce }));
          const outcomes = await Promise.all(calls);
          assertEquals(outcomes.filter((outcome) => outcome !== USED).length, 1);
        }
      });

      it("even if the clock is set back to when it was new", async () => {
        for (const steps of [[20_001, 20_001], [41_000], [20_001]]) {
          await using venue = await AuthVenue.open({ isShared });
          const nonce = venue.clock.now;
          assertEquals(await venue.outcome({ nonce }), "200");
          for (const step of steps) {
            venue.clock.now += step;
            await venue.outcome();
          }
          const later = venue.clock.now;
          venue.clock.now = nonce;
          for (const second of [READ, WRITE]) {
            const outcome = await venue.outcome({ ...second, nonce });
            assert(outcome === USED || outcome === EXPIRED, outcome);
          }
          venue.clock.now = later + 10;
          assertEquals(await venue.outcome(WRITE), "201");
        }
      });

      it("even if only the log has forgotten it when the clock is set back", async () => {
        await using venue = await AuthVenue.open({ isShared });
        const nonce = venue.clock.now;
        assertEquals(await venue.outcome({ ...WRITE, nonce }), "201");
        for (const [step, call] of [[39_000, READ], [2_000, WRITE]] as const) {
          venue.clock.now += step;
          await venue.outcome(call);
        }
        venue.clock.now = nonce;
        const outcome = await venue.outcome({ ...READ, nonce });
        assert(outcome === USED || outcome === EXPIRED, outcome);
      });

      it("by each key separately", async () => {
        await using venue = await AuthVenue.open({ isShared });
        await venue.addKey("bob", { kid: "bob" });
        const nonce = venue.nextNonce();
        assertEquals(await venue.outcome({ nonce }), "200");
        assertEquals(await venue.outcome({ nonce, kid: "bob" }), "200");
      });

      it("in any order", async () => {
        await using venue = await AuthVenue.open({ isShared });
        venue.clock.now += 100;
        const { now } = venue.clock;
        assertEquals(await venue.outcome({ nonce: now }), "200");
        assertEquals(await venue.outcome({ nonce: now - 50 }), "200");
        assertEquals(await venue.outcome({ nonce: now - 25 }), "200");
      });
    });
  }

  it("over several processes on one store", async () => {
    await using venue = await AuthVenue.open({ isShared: true });
    const other = venue.createApp();
    for (const first of [READ, REFUSED, UNPERMITTED, WRITE]) {
      venue.clock.now += 10;
      const nonce = venue.clock.now;
      await venue.outcome({ ...first, nonce });
      assertEquals(await venue.outcome({ ...READ, nonce }, other), USED);
    }
  });

  it("over several processes at the same time", async () => {
    await using venue = await AuthVenue.open({ isShared: true });
    const other = venue.createApp();
    const nonce = venue.nextNonce();
    const outcomes = [venue.app, other].map((app) => venue.outcome({ ...READ, nonce }, app));
    assertEquals((await Promise.all(outcomes)).sort(), ["200", USED]);
  });
});

describe("where one process owns the store", () => {
  it("reads behind the clock leave the log alone, those ahead of it do not", async () => {
    await using venue = await AuthVenue.open();
    const behind = venue.clock.now;
    const ahead = venue.clock.now + 1;
    await venue.outcome({ nonce: behind });
    await venue.outcome({ nonce: ahead });
    assertEquals([venue.isLogged("alice", behind), venue.isLogged("alice", ahead)], [false, true]);
  });

  it("a nonce older than the start is refused, for reads and writes", async () => {
    await using venue = await AuthVenue.open();
    const nonce = venue.clock.now - 1;
    assertEquals(await venue.outcome({ nonce }), EXPIRED);
    assertEquals(await venue.outcome({ ...WRITE, nonce }), EXPIRED);
  });

  it("a key newer than the start may use an older nonce once", async () => {
    await using venue = await AuthVenue.open();
    await venue.addKey("bob", { kid: "bob" });
    const nonce = venue.clock.now - 1000;
    assertEquals(await venue.outcome({ kid: "bob", nonce }), "200");
    assertEquals(await venue.outcome({ kid: "bob", nonce }), USED);
    assertEquals(await venue.outcome({ kid: "bob", nonce }, venue.createApp()), EXPIRED);
  });

  it("the start is no earlier than the log's last time", async () => {
    await using venue = await AuthVenue.open();
    venue.clock.now += 2000;
    await venue.outcome(WRITE);
    venue.clock.now -= 1000;
    const restarted = venue.createApp();
    assertEquals(await venue.outcome({ nonce: venue.clock.now + 999 }, restarted), EXPIRED);
    assertEquals(await venue.outcome({ nonce: venue.clock.now + 1001 }, restarted), "200");
  });

  it("reads go on while the log's time is far ahead, and no write takes their nonces", async () => {
    await using venue = await AuthVenue.open();
    venue.clock.now += 600_000;
    await venue.outcome(WRITE);
    venue.clock.now -= 500_000;
    const restarted = venue.createApp();
    venue.clock.now += 1000;
    const nonce = venue.clock.now;
    assertEquals(await venue.outcome({ nonce }, restarted), "200");
    assertEquals(await venue.outcome({ nonce }, restarted), USED);
    assertEquals(await venue.outcome({ ...WRITE, nonce: nonce + 1 }, restarted), EXPIRED);
    venue.clock.now += 2;
    const again = venue.createApp();
    assertEquals(await venue.outcome({ nonce }, again), EXPIRED, "it is from before the start");
    assertEquals(await venue.outcome({ ...WRITE, nonce }, again), EXPIRED);
  });

  it("what reads may have used in the last moments before a start stays refused", async () => {
    await using venue = await AuthVenue.open();
    venue.clock.now += 600_000;
    await venue.outcome(WRITE);
    const { time } = venue.engine.venue;
    venue.clock.now = time - 3000;
    const restarted = venue.createApp();
    assertEquals(await venue.outcome({ nonce: time - 1000 }, restarted), EXPIRED);
  });

  it("a nonce just before the start is refused, however the clock runs", async () => {
    await using venue = await AuthVenue.open();
    const nonce = venue.clock.now;
    assertEquals(await venue.outcome({ nonce }), "200");
    venue.clock.now += 1;
    const restarted = venue.createApp();
    // The venue's clock stands still, but the monotonic one does not.
    const end = performance.now() + 3;
    while (performance.now() < end) await Promise.resolve();
    assertEquals(await venue.outcome({ nonce }, restarted), EXPIRED);
  });

  it("a silent key's nonces are forgotten, and refused if the clock is set back", async () => {
    await using venue = await AuthVenue.open();
    await venue.addKey("bob", { kid: "bob" });
    venue.clock.now += 100;
    const nonce = venue.nextNonce();
    assertEquals(await venue.outcome({ nonce }), "200");
    for (const step of [41_000, 1]) {
      venue.clock.now += step;
      assertEquals(await venue.outcome({ kid: "bob" }), "200");
    }
    venue.clock.now = nonce;
    assertEquals(await venue.outcome({ nonce: nonce - 1 }), EXPIRED);
  });

  it("the start follows the clock if it was ahead then and has been corrected", async () => {
    await using venue = await AuthVenue.open();
    for (const ahead of [3_600_000, 10_000]) {
      venue.clock.now += ahead;
      const restarted = venue.createApp();
      venue.clock.now += 10 - ahead;
      const { now } = venue.clock;
      assertEquals(await venue.outcome({ nonce: now - 1000 }, restarted), EXPIRED);
      assertEquals(await venue.outcome({ nonce: now }, restarted), "200");
      assertEquals(await venue.outcome({ nonce: now }, restarted), USED);
    }
  });

  it("the start follows the clock if it was behind then and has been corrected", async () => {
    await using venue = await AuthVenue.open();
    venue.clock.now += 10_000;
    const nonce = venue.clock.now;
    assertEquals(await venue.outcome({ nonce }), "200");
    for (const behind of [3000, 60_000]) {
      venue.clock.now -= behind;
      const restarted = venue.createApp();
      venue.clock.now += behind + 10;
      assertEquals(await venue.outcome({ nonce }, restarted), EXPIRED);
      assertEquals(await venue.outcome({ nonce: venue.clock.now }, restarted), "200");
    }
  });

  it("no nonce up to one that a read has used works after a restart, however the clock is set", async () => {
    await using venue = await AuthVenue.open();
    const used = venue.clock.now + 50;
    venue.clock.now += 100;
    assertEquals(await venue.outcome({ nonce: used }), "200");
    const { readNonces } = venue.engine;
    assertEquals([readNonces.before, readNonces.highest], [0, used]);
    // As the mark beside the file hands it on.
    Object.defineProperty(venue.engine, "readNonces", { value: new ReadNonces(used) });
    venue.clock.now -= 3_600_000;
    const restarted = venue.createApp();
    venue.clock.now += 3_600_000 - 60;
    for (const second of [READ, WRITE]) {
      assertEquals(await venue.outcome({ ...second, nonce: used }, restarted), EXPIRED);
    }
    assertEquals(await venue.outcome({ nonce: used + 1 }, restarted), "200");
  });

  it("a nonce ahead of the clock, which the log remembers, keeps off no other", async () => {
    await using venue = await AuthVenue.open();
    const nonce = venue.clock.now + 3000;
    assertEquals(await venue.outcome({ nonce }), "200");
    assert(venue.engine.readNonces.highest < nonce);
  });

  it("a write's nonce is in the log once, not twice", async () => {
    await using venue = await AuthVenue.open();
    const before = venue.observed.submitted.length;
    await venue.outcome(WRITE);
    const commands = venue.observed.submitted.slice(before).map(({ kind }) => kind);
    assertEquals(commands, ["cancel_all_orders"]);
  });
});

describe("a store that takes nothing", () => {
  it("is 503, and a shared one lets no read through", async () => {
    await using venue = await AuthVenue.open({ isShared: true });
    venue.observed.onSubmit = () => {
      throw new UnavailableError("closed");
    };
    assertEquals(await venue.outcome(READ), "503 server.unavailable");
    assertEquals(await venue.outcome(WRITE), "503 server.unavailable");
    assertEquals(await venue.outcome(REFUSED), "503 server.unavailable");
  });

  it("is asked once for a write, and its answer says what became of it", async () => {
    await using venue = await AuthVenue.open();
    const { observed } = venue;
    const unavailable = new UnavailableError("closed");
    const failures: [Error, string][] = [
      [unavailable, "503 server.unavailable"],
      [new OutcomeUnknownError([]), "504 server.outcome_unknown"],
    ];
    for (const [failure, outcome] of failures) {
      venue.clock.now += 10;
      const before = observed.submitted.length;
      observed.onSubmit = ({ kind }) => {
        throw kind === "spend_nonce" ? unavailable : failure;
      };
      assertEquals(await venue.outcome(WRITE), outcome);
      const commands = observed.submitted.slice(before).map(({ kind }) => kind);
      assertEquals(commands, ["cancel_all_orders"]);
    }
  });
});

describe("a write that the store did not take, or may have taken", () => {
  it("spends its nonce where other processes could still accept it", async () => {
    for (const failure of [new UnavailableError("closed"), new OutcomeUnknownError([])]) {
      await using venue = await AuthVenue.open({ isShared: true });
      const nonce = venue.nextNonce();
      venue.observed.onSubmit = ({ kind }) => {
        if (kind !== "spend_nonce") throw failure;
      };
      await venue.call({ ...WRITE, nonce });
      await eventually("the nonce", () => venue.isLogged("alice", nonce));
      assertEquals(await venue.outcome({ nonce }, venue.createApp()), USED);
    }
  });
});

describe("a process that can't catch up", () => {
  it("spends the nonces of the calls that it refuses", async () => {
    await using venue = await AuthVenue.open({ isShared: true });
    await venue.outcome();
    const { engine } = venue;
    const away = () => Promise.reject(new UnreadableError("away"));
    const value = (value: unknown) => ({ value, configurable: true });
    const { lagMs, fresh } = engine;
    Object.defineProperties(engine, { lagMs: value(LATE_MS_MAX + 1), fresh: value(away) });
    const [nonce, forged] = [venue.nextNonce(), venue.nextNonce()];
    assert(/^50[34]/.test(await venue.outcome({ ...WRITE, nonce })));
    await venue.outcome({ ...WRITE, nonce: forged, secret: "guess" });
    Object.defineProperties(engine, { lagMs: value(lagMs), fresh: value(fresh.bind(engine)) });
    await eventually("the nonce", () => venue.isLogged("alice", nonce));
    assertEquals(await venue.outcome({ nonce }), USED);
    assertEquals(await venue.outcome({ nonce: forged }), "200");
  });
});

describe("a key in request mode", () => {
  it("uses a nonce once per method, path, query and body", async () => {
    await using venue = await AuthVenue.open();
    await venue.addKey("alice", { kid: "bot", nonceMode: "request" });
    const nonce = venue.nextNonce();
    const calls: TestCall[] = [
      { path: "/read" },
      { path: "/read?page=2" },
      { ...WRITE, body: '{"market":"btcusdt"}' },
      { ...WRITE, body: '{"market":"ethusdt"}' },
      { ...WRITE },
    ];
    for (const call of calls) {
      assert(/^20[01]$/.test(await venue.outcome({ ...call, kid: "bot", nonce })));
    }
    for (const call of calls) {
      assertEquals(await venue.outcome({ ...call, kid: "bot", nonce }), USED);
    }
  });
});

describe("requestDigest()", () => {
  it("is a positive integer of at most 48 bits that differs with each part", () => {
    const digests = [
      requestDigest("GET", "/a", ""),
      requestDigest("POST", "/a", ""),
      requestDigest("GET", "/b", ""),
      requestDigest("GET", "/a", "b"),
      requestDigest("GET", "/ab", ""),
    ];
    assertEquals(new Set(digests).size, digests.length);
    for (const digest of digests) assert(Number.isInteger(digest) && digest > 0);
    for (const digest of digests) assert(digest < 2 ** 48);
    assertEquals(requestDigest("GET", "/a", ""), digests[0]);
  });
});
