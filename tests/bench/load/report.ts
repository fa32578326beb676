/** Prints the results of a benchmark as a Markdown table. */
import { cpus } from "node:os";
import { type LoadResult, percentile } from "./load_run.ts";
import type { VenueMetrics } from "./venue_setup.ts";

const encoder = new TextEncoder();

/** Prints one line. */
export function printLine(line = ""): void {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}

/** Rows of figures, printed together at the end. */
export class Report {
  readonly #rows: [string, string][] = [];

  /** Adds a row, and also prints it immediately. */
  add(figure: string, value: string): void {
    this.#rows.push([figure, value]);
    printLine(`  ${figure}: ${value}`);
  }

  /** Adds a rate and its latencies. */
  addRun(figure: string, unit: string, result: LoadResult, perRequest: number): void {
    const rate = `${whole(result.perSecond * perRequest)} ${unit}/s`;
    this.add(figure, `${rate}, ${latencyText(result)}${refusalText(result)}`);
  }

  /** Prints all rows as a Markdown table. */
  print(): void {
    printLine();
    printLine("| figure | value |");
    printLine("| --- | --- |");
    for (const [figure, value] of this.#rows) printLine(`| ${figure} | ${value} |`);
  }
}

/** Returns the processor, its cores, the memory and the version of Deno. */
export function machineText(): string {
  const { deno, v8 } = Deno.version;
  return `${cpus()[0]?.model ?? Deno.build.arch}, ${navigator.hardwareConcurrency} cores, ` +
    `${whole(Deno.systemMemoryInfo().total / 2 ** 30)} GiB, Deno ${deno} (V8 ${v8})`;
}

/** Formats a whole number with thousands separators. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** Returns the mutations per order between two readings of the counters. */
export function mutationsText(before: VenueMetrics, after: VenueMetrics): string {
  const orders = Math.max(1, after.orders - before.orders);
  const log = (after.log_mutations - before.log_mutations) / orders;
  const fold = (after.fold_mutations - before.fold_mutations) / orders;
  return `log ${log.toFixed(3)}, fold ${fold.toFixed(3)}, both ${(log + fold).toFixed(3)}`;
}

/** Formats the p50 and p99 of a run. */
export function latencyText({ latencies }: Pick<LoadResult, "latencies">): string {
  return `p50 ${percentile(latencies, 0.5).toFixed(2)} ms, ` +
    `p99 ${percentile(latencies, 0.99).toFixed(2)} ms`;
}

function refusalText({ refusedShare, refusal, statuses, isExhausted }: LoadResult): string {
  const exhausted = isExhausted ? " (every request that was signed in advance)" : "";
  if (refusedShare === 0) return exhausted;
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  return `${exhausted}, refused ${(refusedShare * 100).toFixed(3)} % (${counts}: ${refusal})`;
}
