import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isRejection } from "../../../src/domain/command.ts";
import { CommitMeter } from "../../../src/engine/commit/commit_meter.ts";
import { Distribution } from "../../../src/engine/distribution.ts";
import { UnavailableError } from "../../../src/engine/engine.ts";
import type {
  CommandWatch,
  CommitReport,
  EngineTracer,
} from "../../../src/engine/engine_tracer.ts";
import { EngineVenue, VenueFile } from "../../support/engine_venue.ts";

const LEVELS = { deposit: 1, withdraw: 3, trading: 2 };
const SET_LEVELS = { kind: "set_levels", levels: LEVELS } as const;

/** Records the tracer's calls for sequential commands. */
class Notes implements EngineTracer {
  readonly told: string[] = [];
  readonly reports: CommitReport[] = [];

  queued(): CommandWatch {
    this.told.push("queued");
    return {
      taken: () => this.told.push("taken"),
      committed: ({ outcome }) => this.told.push(outcome),
      ended: (end) => this.told.push(end),
    };
  }

  committed(report: CommitReport): void {
    this.reports.push(report);
  }
}

/** Runs a test on a venue whose tracer has recorded nothing yet. */
async function withNotes(test: (venue: EngineVenue, notes: Notes) => Promise<void>): Promise<void> {
  const notes = new Notes();
  await using venue = await EngineVenue.open({ tracer: notes });
  await venue.addUsual();
  notes.told.length = 0;
  notes.reports.length = 0;
  await test(venue, notes);
}

describe("an engine's tracer", () => {
  it("is told of a command's progress and of its entry", () =>
    withNotes(async (venue, notes) => {
      await venue.must(SET_LEVELS);
      assertEquals(notes.told, ["queued", "taken", "committed", "answered"]);
      const [{ ms, ...report } = { ms: 0 }] = notes.reports;
      const { sequence } = venue.venue;
      assertEquals(report, { commands: 1, events: 1, sequence, outcome: "committed" });
      assert(ms > 0);
    }));

  it("is told of no commit if a batch came to nothing", () =>
    withNotes(async (venue, notes) => {
      const names = [{ id: 77 }];
      const cancel = { kind: "cancel_orders", names, strict: true, isKnown: false } as const;
      const member = venue.member("alice");
      assert(isRejection(await venue.engine.submit({ ...cancel, member }, null)));
      assertEquals(notes.told, ["queued", "taken", "answered"]);
      assertEquals(notes.reports, []);
    }));

  it("is told of each batch a command was part of", async () => {
    const notes = new Notes();
    await using file = await VenueFile.create();
    await using one = await EngineVenue.open({
      path: file.path,
      isShared: true,
      tracer: notes,
    });
    await using other = await EngineVenue.open({ path: file.path, isShared: true });
    one.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
    const waiting = one.must(SET_LEVELS);
    await one.store.holding();
    await other.must(SET_LEVELS);
    one.store.release();
    await waiting;
    assertEquals(notes.told, ["queued", "taken", "conflict", "taken", "committed", "answered"]);
    assertEquals(one.engine.metrics().conflicts, 1);
    assertEquals(one.engine.metrics().batch_size.count, 1);
  });

  it("is told that nothing has happened if the store fails", () =>
    withNotes(async (venue, notes) => {
      venue.store.crash();
      await assertRejects(() => venue.must(SET_LEVELS), UnavailableError);
      assertEquals(notes.told, ["queued", "taken", "failed", "unavailable"]);
      assertEquals(venue.engine.metrics().failed_commits >= 1, true);
    }));
});

describe("an engine's figures", () => {
  it("count entries by the commands in them", () =>
    withNotes(async (venue) => {
      const before = venue.engine.metrics();
      await Promise.all([1, 2, 3].map(() => venue.must(SET_LEVELS)));
      const after = venue.engine.metrics();
      assertEquals(after.batch_size.sum - before.batch_size.sum, 3);
      const entries = after.batch_size.count - before.batch_size.count;
      assertEquals(after.commit_ms.count - before.commit_ms.count, entries);
      assertEquals([after.conflicts, after.failed_commits, after.queue], [0, 0, 0]);
      assertEquals([after.lag_events, after.lag_ms], [0, 0]);
    }));

  it("count sends with an unknown outcome", () =>
    withNotes(async (venue) => {
      const { log } = venue.store.commits;
      venue.store.plan = (purpose, count) =>
        purpose === "log" && count === log + 1 ? "lose_answer" : "none";
      await venue.must(SET_LEVELS);
      const { unknown_commits, failed_commits, conflicts } = venue.engine.metrics();
      assertEquals([unknown_commits, failed_commits, conflicts], [1, 0, 0]);
    }));

  it("count waiting commands", () =>
    withNotes(async (venue) => {
      venue.store.plan = (purpose) => purpose === "log" ? "hold" : "none";
      const waiting = [1, 2, 3].map(() => venue.must(SET_LEVELS));
      await venue.store.holding();
      assertEquals(venue.engine.metrics().queue, 3);
      venue.store.release();
      await Promise.all(waiting);
      assertEquals(venue.engine.metrics().queue, 0);
    }));
});

describe("a meter of commits", () => {
  it("counts an entry by its commands, not its events, and only if it landed", () => {
    const meter = new CommitMeter(null);
    const report = { commands: 2, events: 7, sequence: 9, ms: 3 } as const;
    for (const outcome of ["committed", "conflict", "conflict", "failed"] as const) {
      meter.note({ ...report, outcome }, []);
    }
    const { count, sum } = meter.batchSize.figures();
    assertEquals([count, sum, meter.conflicts, meter.failures], [1, 2, 2, 1]);
    assertEquals(meter.ms.figures().sum, 12);
  });
});

describe("a distribution", () => {
  it("counts values by range, inclusive of bounds", () => {
    const distribution = new Distribution([1, 5]);
    const before = distribution.figures();
    for (const value of [0.5, 1, 1.5, 5, 6]) distribution.add(value);
    assertEquals(distribution.figures(), {
      count: 5,
      sum: 14,
      bounds: [1, 5],
      counts: [2, 2, 1],
    });
    assertEquals(before.counts, [0, 0, 0]);
  });
});
