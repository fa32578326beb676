/** How an engine at work is traced, by telemetry; a tracer is optional. */
import type { Command } from "../domain/command.ts";
import type { EntryOutcome } from "./commit/commit_entry.ts";

/** The fate of an entry that was sent. */
export interface CommitReport {
  /** Commands in its batch; 0 if it only did the log's unfinished work. */
  readonly commands: number;
  readonly events: number;
  /** Sequence of its last event. */
  readonly sequence: number;
  readonly outcome: EntryOutcome["kind"];
  /** Time from the first send until its fate was known, in ms. */
  readonly ms: number;
}

/** How a command ended for its caller: answered, known not to have happened, or unknown. */
export type CommandEnd = "answered" | "unavailable" | "unknown";

/** Watches one command from the queue to its answer. */
export interface CommandWatch {
  /** The command is part of a batch; called again if an earlier one did not land or finish it. */
  taken(): void;
  /** The fate of that batch is known; not called for a batch without events. */
  committed(report: CommitReport): void;
  /** Called last. */
  ended(end: CommandEnd): void;
}

/** Traces an engine. It delays orders, so it must be fast, and it must not throw. */
export interface EngineTracer {
  /** A command enters the queue; called in the asynchronous context of its submitter. */
  queued(command: Command): CommandWatch;
  committed(report: CommitReport): void;
}
