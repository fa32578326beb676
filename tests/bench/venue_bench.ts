/**
 * Loads a real venue process over HTTP and prints what it does.
 *
 *     deno task bench [--seconds=30] [--connections=64] [--only=idle,t4,rpc,t5,cancel,depth,feeds,t8]
 *     deno task bench --stored=1000000 --open=100000 [--seconds=10]
 *     deno task bench --money=200000
 *     deno task bench --streams=1000
 *     deno task bench --processes=4
 *     deno task bench --processes=3 --delay=150 [--seconds=30]
 *     deno task bench --steady=2000 [--seconds=60]
 *     deno task bench --ceiling [--profile] [--seconds=30]
 *     deno task bench --profile [--seconds=10] [--connections=64]
 *     deno task bench --postgres
 *     deno task bench --proof[=t4,t5,ceiling,postgres,steady,start,stored] [--seconds=60]
 *
 * `--members=1000` says how many trade.
 */
import { taskArguments } from "../support/task_arguments.ts";
import { BENCH_USAGE, type BenchArguments, takeBenchArguments } from "./bench_arguments.ts";
import { type BenchVenue, measureSequentialSets } from "./load/bench_venue.ts";
import { withAuditedVenue } from "./load/audited_venue.ts";
import { runCeiling } from "./load/ceiling_run.ts";
import { runFar } from "./load/far_runs.ts";
import { MONEY_ENVIRONMENT, runMoney } from "./load/money_runs.ts";
import { runProof } from "./load/proof_runs.ts";
import { machineText, Report, whole } from "./load/report.ts";
import { runShared } from "./load/shared_runs.ts";
import { runStandard } from "./load/standard_runs.ts";
import { runSteady } from "./load/steady_run.ts";
import { runStored } from "./load/stored_runs.ts";
import { runStreams } from "./load/stream_runs.ts";
import { runPostgres } from "./postgres/postgres_runs.ts";
import { runProfile } from "./profile/profile_run.ts";

if (import.meta.main) await main(taskArguments(BENCH_USAGE, takeBenchArguments));

async function main(options: BenchArguments): Promise<void> {
  const report = new Report();
  report.add("machine", machineText());
  if (options.delay > 0) await runFar(report, options);
  else if (options.kind === "processes") await runShared(report, options.processes);
  else await benchFile(report, options);
  // The proof prints its own table.
  if (options.kind !== "proof") report.print();
}

/** Runs a benchmark on a disk of this machine. */
async function benchFile(report: Report, options: BenchArguments): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "venue_bench_" });
  try {
    const sets = await measureSequentialSets(directory);
    report.add("R: sequential kv.set on this disk", `${whole(sets)} /s`);
    switch (options.kind) {
      case "ceiling":
        await runCeiling(directory, report, options);
        break;
      case "postgres":
        await runPostgres(directory, report);
        break;
      case "proof":
        await runProof(directory, report, { ...options, sets });
        break;
      default:
        await withAuditedVenue(
          {
            directory,
            report,
            members: options.members,
            environment: options.kind === "money" ? MONEY_ENVIRONMENT : {},
            isInspected: options.kind === "profile",
          },
          (venue) => loadVenue(venue, report, options, sets),
        );
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function loadVenue(
  venue: BenchVenue,
  report: Report,
  options: BenchArguments,
  sets: number,
): Promise<void> {
  switch (options.kind) {
    case "money":
      return await runMoney(venue, report, options);
    case "streams":
      return await runStreams(venue, report, options);
    case "stored":
      await runStored(venue, report, { ...options, sets });
      return;
    case "profile":
      return await runProfile(venue, report, options);
    case "steady":
      await runSteady(venue, report, { ...options, perSecond: options.steady });
      return;
    default:
      await runStandard(venue, report, { ...options, sets }, options.only);
  }
}
