import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { apply } from "../../src/domain/apply.ts";
import { Venue } from "../../src/domain/venue.ts";
import { Prng } from "../support/prng.ts";
import {
  randomCommand,
  STREAM_CLIENT_ORDER_IDS,
  STREAM_CURRENCIES,
  STREAM_FUNDS,
  STREAM_MEMBERS,
  streamVenue,
} from "../support/random_command.ts";
import { commandText, runRandomCommand } from "../support/run_random_command.ts";
import { stateText } from "../support/state_text.ts";
import type { DomainVenue } from "../support/domain_venue.ts";
import { TwinVenues } from "./twin_venues.ts";
import { TEST_SETTINGS } from "../support/test_settings.ts";

const COMMANDS_PER_STREAM = 30_000;
const STREAMS = 10;
const COMMANDS_PER_CHECK = 500;
const DAY_MS = 86_400_000;

/** A new seed for every run; a failure prints it, and `KVENUE_TEST_SEED` sets it. */
const SEED = seedOf(Deno.env.get("KVENUE_TEST_SEED"));

describe("random streams of commands", () => {
  for (let stream = 0; stream < STREAMS; stream++) {
    it(`leave the venue like the reference venue, stream ${stream}`, () => {
      runLongStream(SEED + stream);
    });
  }

  it("leave the venue like the reference venue, in streams short enough to shrink", () => {
    const tape = fc.array(fc.nat(1_000_000), { minLength: 6, maxLength: 24 });
    fc.assert(
      fc.property(fc.array(tape, { maxLength: 40 }), (tapes) => {
        const twins = new TwinVenues();
        for (const numbers of tapes) {
          twins.do(randomCommand(drawFrom(numbers), twins.test.venue));
        }
        twins.test.venue.checkInvariants();
      }),
      { numRuns: 200, seed: SEED },
    );
  });

  it("are undone without a trace", () => {
    withSeed(SEED, (prng) => {
      const test = fundedVenue(Infinity);
      for (let round = 0; round < 300; round++) {
        test.sink.forget();
        test.venue.endedOrders.length = 0;
        test.sink.at += timeStep(prng);
        const before = stateOf(test, test.sink.at);
        const mark = test.sink.mark();
        advance(test, prng, prng.between(1, 40), () => 0);
        test.sink.rollback(mark);
        assertEquals(stateOf(test, test.sink.at), before, `round ${round}`);
        test.venue.checkInvariants();
        advance(test, prng, prng.between(1, 20));
      }
    });
  });

  it("end in the same state for any batch size", () => {
    for (const capacity of [1, 2, 3, 7]) {
      const wide = fundedVenue(Infinity);
      const narrow = fundedVenue(capacity);
      withSeed(SEED + capacity, (prng) => advance(wide, prng, 1500));
      withSeed(SEED + capacity, (prng) => advance(narrow, prng, 1500));
      assertEquals(narrow.trades(), wide.trades());
      assertEquals(stateOf(narrow), stateOf(wide));
      assert(narrow.sink.batches > wide.sink.batches, "the small batches were never full");
    }
  });

  it("are rebuilt from their events alone", () => {
    withSeed(SEED, (prng) => {
      const test = fundedVenue(Infinity);
      advance(test, prng, 3000);
      const rebuilt = new Venue({ nonceWindowMs: 5000, undo: null, settings: TEST_SETTINGS });
      for (const { event, at } of test.sink.events) apply(rebuilt, event, at);
      assertEquals(stateText(rebuilt, STREAM_CLIENT_ORDER_IDS), stateOf(test));
    });
  });
});

function runLongStream(seed: number): void {
  withSeed(seed, (prng) => {
    const twins = new TwinVenues();
    for (let count = 1; count <= COMMANDS_PER_STREAM; count++) {
      twins.test.sink.at += timeStep(prng);
      const command = randomCommand((below) => prng.below(below), twins.test.venue);
      try {
        twins.do(command);
      } catch (error) {
        throw new Error(`Command ${count}: ${commandText(command)}`, { cause: error });
      }
      if (count % COMMANDS_PER_CHECK === 0) twins.test.venue.checkInvariants();
    }
    assert(twins.reference.trades.length > COMMANDS_PER_STREAM / 20, "the stream hardly traded");
  });
}

function advance(test: DomainVenue, prng: Prng, commands: number, step = timeStep): void {
  for (let count = 0; count < commands; count++) {
    test.sink.at += step(prng);
    const draw = (below: number) => prng.below(below);
    runRandomCommand(test, randomCommand(draw, test.venue));
  }
}

/** Usually milliseconds, occasionally a large part of a day, so that client order ids expire. */
function timeStep(prng: Prng): number {
  return prng.chance(0.01) ? prng.below(DAY_MS) : prng.below(1000);
}

function fundedVenue(capacity: number): DomainVenue {
  const test = streamVenue(capacity);
  for (const uid of STREAM_MEMBERS) {
    for (const currency of STREAM_CURRENCIES) {
      const amount = STREAM_FUNDS[currency] as bigint;
      test.must({ kind: "adjust_balance", uid, currency, amount });
    }
  }
  return test;
}

function stateOf(test: DomainVenue, now: number = test.venue.time): string {
  return stateText(test.venue, STREAM_CLIENT_ORDER_IDS, now);
}

function withSeed(seed: number, run: (prng: Prng) => void): void {
  try {
    run(new Prng(seed));
  } catch (error) {
    throw new Error(`Run again with KVENUE_TEST_SEED=${SEED} (seed ${seed})`, { cause: error });
  }
}

/** Draws from a list, where fewer or smaller numbers mean a simpler command. */
function drawFrom(numbers: readonly number[]): (below: number) => number {
  let position = 0;
  return (below) => (numbers[position++] ?? 0) % below;
}

function seedOf(text: string | undefined): number {
  return text === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(text);
}
