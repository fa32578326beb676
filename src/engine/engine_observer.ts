/** Who watches an engine at work, to tell others what it does; there need not be anybody. */
import type { Command } from "../domain/command.ts";
import type { EntryOutcome } from "./commit_entry.ts";

/** What became of an entry that was sent. */
export interface CommitReport {
  /** Commands in its batch; none where the log's own unfinished work was done. */
  readonly commands: number;
  readonly events: number;
  /** Sequence of its last event. */
  readonly sequence: number;
  readonly outcome: EntryOutcome["kind"];
  /** From the first send until its fate was known. */
  readonly ms: number;
}

/** How a command's caller was told: an answer, that nothing has happened, or that nobody knows. */
export type CommandEnd = "answered" | "unavailable" | "unknown";

/** Watches one command from the queue to its answer. */
export interface CommandWatch {
  /** It is part of a batch; again where an earlier one did not land or did not finish it. */
  taken(): void;
  /** What became of that batch; not told of a batch without events. */
  committed(report: CommitReport): void;
  /** The last that is told. */
  ended(end: CommandEnd): void;
}

/** Watches an engine. All of it stands in the way of orders: it must be fast, and not throw. */
export interface EngineObserver {
  /** A command enters the queue; called in the asynchronous context of whoever submits it. */
  queued(command: Command): CommandWatch;
  committed(report: CommitReport): void;
}
