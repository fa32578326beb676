/** Measures commits of the log, and tells whoever watches. */
import { Distribution } from "./distribution.ts";
import type { CommitReport, EngineObserver } from "./engine_observer.ts";
import type { QueuedCommand } from "./queued_command.ts";

/** Bounds of a commit's time, in ms. */
export const COMMIT_MS_BOUNDS: readonly number[] = [
  0.5,
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  1000,
  2000,
  5000,
  10_000,
];
/** Bounds of the commands of a batch. */
export const BATCH_SIZE_BOUNDS: readonly number[] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** What the commits of a process have come to. */
export class CommitMeter {
  /** Commands of the entries that became durable. */
  readonly batchSize = new Distribution(BATCH_SIZE_BOUNDS);
  /** Times until the fate of an entry was known, whatever it was. */
  readonly ms = new Distribution(COMMIT_MS_BOUNDS);
  /** Entries that somebody else's came before. */
  conflicts = 0;
  /** Entries that the store did not take. */
  failures = 0;
  /** Sends whose fate had to be looked up. */
  unknown = 0;

  /** @param observer null where nobody watches */
  constructor(readonly observer: EngineObserver | null) {}

  /** Commands have become part of a batch. */
  take(commands: readonly QueuedCommand[]): void {
    if (this.observer === null) return;
    for (const { watch } of commands) watch?.taken();
  }

  /** The fate of a batch's entry is known. */
  note(report: CommitReport, commands: readonly QueuedCommand[]): void {
    this.ms.add(report.ms);
    if (report.outcome === "committed") this.batchSize.add(report.commands);
    else if (report.outcome === "conflict") this.conflicts += 1;
    else this.failures += 1;
    if (this.observer === null) return;
    this.observer.committed(report);
    for (const { watch } of commands) watch?.committed(report);
  }
}
