/** A venue of one process on a file, whose store is audited when it has ended. */
import { BenchVenue, type BenchVenueOptions } from "./bench_venue.ts";
import { printLine, type Report, whole } from "./report.ts";
import { auditStore } from "./server_process.ts";

const AUDIT_CHARACTERS_SHOWN = 4000;

/** Where it is, and who is told. */
export interface AuditedVenueOptions extends BenchVenueOptions {
  readonly directory: string;
  readonly report: Report;
}

/** Runs something on a new venue; an audit that finds something fails the benchmark. */
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
