/** A venue of one process on a file, whose store is audited in the end. */
import { BenchVenue, type BenchVenueOptions } from "./bench_venue.ts";
import { printLine, type Report, whole } from "./report.ts";
import { auditStore } from "./server_process.ts";

const AUDIT_CHARACTERS_SHOWN = 4000;

/** The venue's directory, and the report to add to. */
export interface AuditedVenueOptions extends BenchVenueOptions {
  readonly directory: string;
  readonly report: Report;
}

/** Runs a benchmark on a new venue; fails if the audit finds differences. */
export async function withAuditedVenue<Result>(
  { directory, report, ...options }: AuditedVenueOptions,
  run: (venue: BenchVenue) => Promise<Result>,
): Promise<Result> {
  const start = performance.now();
  const venue = await BenchVenue.start(directory, options);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  report.add("members", `${whole(venue.members.length)}, created in ${seconds} s`);
  let result: Result;
  try {
    result = await run(venue);
  } finally {
    const status = await venue.server.stop();
    if (!status.success) printLine(`The venue ended with ${status.code}\n${venue.server.output}`);
  }
  const audit = await auditStore(venue.settings.kvPath);
  report.add(
    "audit of the store",
    `${audit.isClean ? "clean" : "NOT CLEAN"}, ${audit.seconds.toFixed(1)} s`,
  );
  if (!audit.isClean) {
    printLine(audit.output.slice(0, AUDIT_CHARACTERS_SHOWN));
    Deno.exitCode = 1;
  }
  return result;
}
