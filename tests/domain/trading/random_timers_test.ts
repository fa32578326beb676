import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { apply } from "../../../src/domain/apply.ts";
import { runTimers } from "../../../src/domain/trading/decide_timers.ts";
import { Venue } from "../../../src/domain/venue.ts";
import { Prng } from "../../support/prng.ts";
import { stateText } from "../../support/state_text.ts";
import { DomainVenue } from "../../support/domain_venue.ts";
import { TEST_SETTINGS } from "../../support/test_settings.ts";

const MEMBERS = ["ann", "ben", "cay"] as const;
const KEYS_PER_MEMBER = 2;
const TIMERS_PER_KEY = 3;
const STEPS = 3000;

/** Expected firing times of timers and open orders, as plain maps. */
class Expected {
  readonly firesAt = new Map<string, number>();
  readonly open = new Map<number, string>();

  set(uid: string, key: number, timer: number, at: number | null): void {
    const name = `${uid} ${key} ${timer}`;
    if (at === null) this.firesAt.delete(name);
    else this.firesAt.set(name, at);
  }

  advance(now: number): void {
    for (const [name, at] of this.firesAt) {
      if (at > now) continue;
      this.firesAt.delete(name);
      for (const [id, owner] of this.open) {
        if (name.startsWith(`${owner} `)) this.open.delete(id);
      }
    }
  }

  get soonest(): number {
    return Math.min(Infinity, ...this.firesAt.values());
  }
}

function venueOf(): DomainVenue {
  const test = new DomainVenue(7).withMarket("btc", "usdt");
  for (const uid of MEMBERS) {
    test.withMember(uid, { usdt: "1000000" });
    for (let key = 0; key < KEYS_PER_MEMBER; key++) test.addKey(uid, `${uid} ${key}`);
  }
  return test;
}

function step(test: DomainVenue, expected: Expected, prng: Prng): void {
  const uid = prng.pick(MEMBERS);
  if (prng.chance(0.5)) {
    const { id } = test.buy(uid, "1", "10");
    expected.open.set(id, uid);
    return;
  }
  const key = prng.below(KEYS_PER_MEMBER);
  const timer = prng.below(TIMERS_PER_KEY);
  const timeoutMs = prng.chance(0.2) ? 0 : prng.between(1000, 5000);
  const index = test.venue.keyByKid.get(`${uid} ${key}`)?.key.index ?? -1;
  test.must({ kind: "set_cancel_timer", key: index, timer, timeoutMs });
  expected.set(uid, key, timer, timeoutMs === 0 ? null : test.sink.at + timeoutMs);
}

function runAll(test: DomainVenue): void {
  test.sink.nextBatch();
  while (!runTimers(test.venue, test.sink)) test.sink.nextBatch();
}

describe("random streams of timers", () => {
  const given = Deno.env.get("KVENUE_TEST_SEED");
  const seed = given === undefined
    ? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
    : Number(given);

  it(`match a plain list of timers, are undone, and are replayed (seed ${seed})`, () => {
    const prng = new Prng(seed);
    const test = venueOf();
    const expected = new Expected();
    for (let done = 0; done < STEPS; done++) {
      step(test, expected, prng);
      test.sink.at += prng.below(400);
      const before = stateText(test.venue);
      const mark = test.sink.mark();
      runAll(test);
      if (prng.chance(0.3)) {
        test.sink.rollback(mark);
        assertEquals(stateText(test.venue), before, `step ${done}`);
        runAll(test);
      }
      expected.advance(test.sink.at);
      assertEquals(test.venue.timers.soonest, expected.soonest, `step ${done}`);
      assertEquals(
        Array.from(test.venue.orders.values(), ({ id }) => id).sort(),
        [...expected.open.keys()].sort(),
      );
      test.sink.forget();
      test.venue.endedOrders.length = 0;
    }
    const replayed = new Venue({ nonceWindowMs: 5000, undo: null, settings: TEST_SETTINGS });
    for (const { event, at } of test.sink.events) apply(replayed, event, at);
    replayed.endedOrders.length = 0;
    assertEquals(stateText(replayed), stateText(test.venue));
  });
});
