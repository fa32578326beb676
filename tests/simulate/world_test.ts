import { assert, assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import type { KvHandles } from "../../src/store/kv/kv_handles.ts";
import { Store } from "../../src/store/store.ts";
import type { Commit, CommitOutcome } from "../../src/store/kv/commit.ts";
import { IS_OLDEST_RUNTIME } from "../support/oldest_runtime.ts";
import { ArgumentError, parseArguments } from "../support/task_arguments.ts";
import { FAULT_NAMES, TROUBLE_NAMES } from "./faults.ts";
import type { MakeStore } from "./sim_process.ts";
import { simulate, takeSimulateArguments } from "./simulate.ts";
import { makeVenueWorkload } from "./venue_workload.ts";
import { PROFILES } from "./world_profile.ts";
import { runWorld, WorldError, type WorldOptions, type WorldReport } from "./world.ts";

/** Minimum number of short worlds, each with as many faults as many long ones … */
const WORLDS = 24;
/** … and the maximum, if not every fault has happened before. */
const WORLDS_MAX = 400;
const WORLD_COMMANDS = 500;
/** Maximum number of worlds before a faulty store is detected; the log corrects most lies. */
const WRONG_WORLDS = 400;

/** Worlds that once failed, and what happened in them. */
const FAILED: readonly Pick<WorldOptions, "seed" | "commands" | "profile">[] = [
  // A member had just been created by another process.
  ...[1000062, 1000124, 2000078].map((seed) => ({
    seed,
    commands: 30_000,
    profile: PROFILES.long,
  })),
  // A window was completed and the next one begun while a start waited for the first.
  { seed: 6000687, commands: 50_000, profile: PROFILES.long },
  // Two unsigned calls would have had the same effect.
  ...[15000029, 16000043].map((seed) => ({ seed, commands: 50_000, profile: PROFILES.long })),
  // Of two equal calls, the first was answered last, by a process far behind.
  { seed: 21000685, commands: 50_000, profile: PROFILES.long },
  // A call that had all its effects had one too late and another too early.
  { seed: 34100011, commands: 50_000, profile: PROFILES.long },
  // A call of an unknown outcome was sent again, and only the second sending happened.
  { seed: 31415968, commands: 50_000, profile: PROFILES.long },
  // The first deposit of a transaction was only in the rows, a later one in memory.
  { seed: 9351588, commands: 50_000, profile: PROFILES.long },
  // The last process ended while the world waited for it.
  { seed: 145, commands: 500, profile: PROFILES.short },
  // A process was told to close, then paused, and ended when everything was at rest.
  { seed: 20084, commands: 500, profile: PROFILES.short },
  // Profit and loss was first kept in a window that was folded again.
  { seed: 3041, commands: 500, profile: PROFILES.short },
];

/** A different world for each run of the tests. */
const SEED = Number(Deno.env.get("KVENUE_TEST_SEED") ?? Math.floor(Math.random() * 2 ** 31));

/** Its `setImmediate` waits for 1 ms, with which many worlds would take an hour. */
const skip = IS_OLDEST_RUNTIME;

function run(seed: number, commands: number, makeStore?: MakeStore): Promise<WorldReport> {
  const profile = PROFILES.short;
  const options = { seed, commands, profile, makeWorkload: makeVenueWorkload };
  return runWorld(makeStore === undefined ? options : { ...options, makeStore });
}

describeUnless(skip)(`the simulated venue, KVENUE_TEST_SEED=${SEED}`, () => {
  it("keeps every promise, and every kind of fault happens", async () => {
    const sums = { commands: 0, answers: 0, unknown: 0, abandoned: 0 };
    const missing = new Set<string>([...FAULT_NAMES, ...TROUBLE_NAMES]);
    for (let world = 0; world < WORLDS_MAX; world++) {
      if (world >= WORLDS && missing.size === 0 && sums.unknown > 0) break;
      const report = await run(100 + world, WORLD_COMMANDS);
      for (const name of report.faults.keys()) missing.delete(name);
      sums.commands += report.commands;
      sums.answers += report.answers;
      sums.unknown += report.unknown;
      sums.abandoned += report.abandoned;
    }
    assertEquals([...missing], []);
    assert(sums.answers > sums.commands / 2, `only ${sums.answers} of ${sums.commands} answered`);
    assert(sums.unknown > 0, "nobody was left without knowing what came of a command");
    assert(sums.abandoned > 0, "no process died with a command in its hands");
  });

  it("keeps them with a new random seed", async () => {
    const { answers } = await run(SEED, 1500);
    assert(answers > 0);
  });

  it("keeps them with the seeds that once failed", async () => {
    for (const options of FAILED) {
      const { answers } = await runWorld({ ...options, makeWorkload: makeVenueWorkload });
      assert(answers > 0);
    }
  });

  it("keeps them in a long world", async () => {
    const options = { commands: 15_000, profile: PROFILES.long, makeWorkload: makeVenueWorkload };
    assert((await runWorld({ ...options, seed: SEED })).answers > 0);
  });
});

describe("a run of the simulator", () => {
  it("is the same for the same seed, and differs for another", async () => {
    const [first, again, other] = [await run(7, 600), await run(7, 600), await run(8, 600)];
    assertEquals(again, first);
    assertNotEquals(other.digest, first.digest);
  });
});

/** Creates stores that misreport the outcome of the log's commits. */
function lyingStore(change: (outcome: CommitOutcome) => CommitOutcome): MakeStore {
  return (handles: KvHandles, path: string, isRemote: boolean) => {
    class LyingStore extends Store {
      override async commit(commit: Commit, purpose: "log" | "fold"): Promise<CommitOutcome> {
        const outcome = await super.commit(commit, purpose);
        return purpose === "log" ? change(outcome) : outcome;
      }
    }
    return new LyingStore(handles, path, isRemote);
  };
}

/** Creates a store that ignores the versionstamp when it writes the log. */
function carelessStore(handles: KvHandles, path: string, isRemote: boolean): Store {
  class CarelessStore extends Store {
    override async commit(commit: Commit, purpose: "log" | "fold"): Promise<CommitOutcome> {
      const { versionstamp } = await super.get(commit.check.key);
      const check = { ...commit.check, versionstamp };
      return await super.commit(purpose === "log" ? { ...commit, check } : commit, purpose);
    }
  }
  return new CarelessStore(handles, path, isRemote);
}

const GUESSED = { kind: "committed", versionstamp: "00000000000000010000" } as const;
const NOT_DONE = { kind: "failed", error: new Error("It seems not to have happened") } as const;

describeUnless(skip)("the simulator catches a venue that", () => {
  const wrongs: Readonly<Record<string, MakeStore>> = {
    "takes an outcome that nobody knows for a good one": lyingStore((outcome) =>
      outcome.kind === "unknown" ? GUESSED : outcome
    ),
    "takes an outcome that nobody knows, and a refusal, for a bad one": lyingStore((outcome) =>
      outcome.kind === "committed" ? outcome : NOT_DONE
    ),
    "takes a conflict for a success": lyingStore((outcome) =>
      outcome.kind === "refused" ? GUESSED : outcome
    ),
    "writes over what others have written": carelessStore,
  };
  for (const [what, makeStore] of Object.entries(wrongs)) {
    it(what, async () => {
      await assertRejects(async () => {
        for (let seed = 1; seed <= WRONG_WORLDS; seed++) {
          await run(seed, WORLD_COMMANDS, makeStore);
        }
      }, WorldError);
    });
  }
});

describe("the simulator at the command line", () => {
  it("prints a failed seed, and exits with 1", async () => {
    const lines: string[] = [];
    const print = (text: string) => void lines.push(text);
    const args = ["--seed", "5", "--profile", "short", "--commands", "8000", "--round", "300"];
    assertEquals(await simulate(parse(...args), { makeStore: carelessStore, print }), 1);
    const [, seed] = /^FAILED: repeat with --seed (\d+) --profile short --round 300 --commands 1$/
      .exec(lines.at(-1) ?? "") ?? [];
    assert(Number(seed) >= 5, lines.at(-1));
    await assertRejects(() => run(Number(seed), 300, carelessStore), WorldError, `seed ${seed}: `);
  });

  it("exits with 0 if all is well", async () => {
    const lines: string[] = [];
    const print = (text: string) => void lines.push(text);
    assertEquals(await simulate(parse("--seed=7", "--round=50", "--commands=50"), { print }), 0);
    assert(lines.at(-1)?.endsWith("all is well"));
  });

  it("takes its arguments, and says which one is wrong", () => {
    const usual = { seed: 1, seconds: Infinity, commands: 200_000, round: 50_000, profile: "long" };
    assertEquals(parse(), usual);
    const brief = { ...usual, seconds: 9, commands: Infinity, round: 500, profile: "short" };
    assertEquals(parse("--seconds=9", "--profile", "short"), brief);
    assertThrows(
      () => parse("--profile", "wide"),
      ArgumentError,
      '"--profile=wide" must be one of short, long, far, deadlines',
    );
  });
});

function parse(...words: string[]): ReturnType<typeof takeSimulateArguments> {
  return parseArguments(words, takeSimulateArguments);
}
