/** Measures the commits of the log and reports them to the tracer. */
import { Distribution } from "../distribution.ts";
import type { CommitReport, EngineTracer } from "../engine_tracer.ts";
import type { QueuedCommand } from "./queued_command.ts";

/** Bounds of commit times, in ms. */
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
/** Bounds of batch sizes, in commands. */
export const BATCH_SIZE_BOUNDS: readonly number[] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** Figures of a process's commits. */
export class CommitMeter {
  /** Commands per durable entry. */
  readonly batchSize = new Distribution(BATCH_SIZE_BOUNDS);
  /** Times until the fate of an entry was known, whatever it was, in ms. */
  readonly ms = new Distribution(COMMIT_MS_BOUNDS);
  /** Entries that another process's entry came before. */
  conflicts = 0;
  /** Entries that the store did not take. */
  failures = 0;
  /** Sends whose fate had to be looked up. */
  unknown = 0;

  /** @param tracer null if nobody watches */
  constructor(readonly tracer: EngineTracer | null) {}

  /** Notes that commands have become part of a batch. */
  take(commands: readonly QueuedCommand[]): void {
    if (this.tracer === null) return;
    for (const { watch } of commands) watch?.taken();
  }

  /** Notes that the fate of a batch's entry is known. */
  note(report: CommitReport, commands: readonly QueuedCommand[]): void {
    this.ms.add(report.ms);
    if (report.outcome === "committed") this.batchSize.add(report.commands);
    else if (report.outcome === "conflict") this.conflicts += 1;
    else if (report.outcome === "failed") this.failures += 1;
    if (this.tracer === null) return;
    this.tracer.committed(report);
    for (const { watch } of commands) watch?.committed(report);
  }
}
