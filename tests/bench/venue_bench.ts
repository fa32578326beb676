/**
 * Loads a real venue process over HTTP and prints what it does.
 *
 *     deno task bench [--seconds=30] [--connections=64] [--only=idle,t4,t5,cancel,depth,t8]
 *     deno task bench --stored=1000000 --open=100000 [--seconds=10]
 *     deno task bench --money=200000
 *     deno task bench --streams=1000
 *     deno task bench --processes=4
 */
import { BenchVenue, measureSequentialSets } from "./load/bench_venue.ts";
import { MONEY_ENVIRONMENT, runMoney } from "./load/money_runs.ts";
import { machineText, printLine, Report, whole } from "./load/report.ts";
import { auditStore } from "./load/server_process.ts";
import { type RunName, RUNS, runStandard } from "./load/standard_runs.ts";
import { runShared } from "./load/shared_runs.ts";
import { runStored } from "./load/stored_runs.ts";
import { runStreams } from "./load/stream_runs.ts";

/** Requests are signed before a run and must still be in the nonce window at its end. */
const SECONDS_MAX = 45;
const AUDIT_CHARACTERS_SHOWN = 4000;

interface Arguments {
  readonly seconds: number;
  readonly connections: number;
  readonly only: readonly RunName[];
  readonly stored: number;
  readonly open: number;
  readonly money: number;
  readonly streams: number;
  readonly processes: number;
}

if (import.meta.main) await main(parseArguments(Deno.args));

async function main(options: Arguments): Promise<void> {
  const report = new Report();
  report.add("machine", machineText());
  if (options.processes > 0) {
    await runShared(report, options.processes);
    report.print();
    return;
  }
  await benchFile(report, options);
}

/** A venue of one process, on a file. */
async function benchFile(report: Report, options: Arguments): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "venue_bench_" });
  try {
    const sets = await measureSequentialSets(directory);
    report.add("R: sequential kv.set on this disk", `${whole(sets)} /s`);
    await loadVenue(directory, report, options, sets);
    const audit = await auditStore(`${directory}/venue.db`);
    report.add(
      "audit of the store",
      `${audit.isClean ? "clean" : "NOT CLEAN"}, ${audit.seconds.toFixed(1)} s`,
    );
    report.print();
    if (!audit.isClean) {
      printLine(audit.output.slice(0, AUDIT_CHARACTERS_SHOWN));
      Deno.exitCode = 1;
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

async function loadVenue(
  directory: string,
  report: Report,
  options: Arguments,
  sets: number,
): Promise<void> {
  const start = performance.now();
  const venue = await BenchVenue.start(directory, options.money > 0 ? MONEY_ENVIRONMENT : {});
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  report.add("members", `${whole(venue.members.length)}, made in ${seconds} s`);
  try {
    if (options.money > 0) await runMoney(venue, report, options);
    else if (options.streams > 0) await runStreams(venue, report, options);
    else if (options.stored > 0) await runStored(venue, report, { ...options, sets });
    else await runStandard(venue, report, { ...options, sets }, options.only);
  } finally {
    const status = await venue.server.stop();
    if (!status.success) printLine(`The venue ended with ${status.code}\n${venue.server.output}`);
  }
}

function parseArguments(args: readonly string[]): Arguments {
  const values = new Map(args.map((arg) => {
    const [, name = "", value = ""] = /^--([a-z]+)=(.+)$/.exec(arg) ?? [];
    if (name === "") throw new Error(`"${arg}" is not of the form --name=value`);
    return [name, value];
  }));
  const stored = wholeArgument(values, "stored", 0);
  const money = wholeArgument(values, "money", 0);
  const streams = wholeArgument(values, "streams", 0);
  const processes = wholeArgument(values, "processes", 0);
  const options = {
    seconds: wholeArgument(values, "seconds", stored > 0 ? 10 : 30),
    connections: wholeArgument(values, "connections", 64),
    stored,
    money,
    streams,
    processes,
    open: wholeArgument(values, "open", Math.round(stored / 10)),
    only: runNames(values),
  };
  const [unknown] = values.keys();
  if (unknown !== undefined) throw new Error(`There is no argument "--${unknown}"`);
  if (options.seconds > SECONDS_MAX) throw new Error(`"--seconds" is at most ${SECONDS_MAX}`);
  if ([stored, money, streams, processes].filter((count) => count > 0).length > 1) {
    throw new Error('Give one of "--stored", "--money", "--streams" and "--processes"');
  }
  if (options.open > stored) throw new Error('"--open" is at most "--stored"');
  return options;
}

function wholeArgument(values: Map<string, string>, name: string, otherwise: number): number {
  const text = values.get(name);
  values.delete(name);
  if (text === undefined) return otherwise;
  if (!/^\d+$/.test(text)) throw new Error(`"--${name}=${text}" is not a whole number`);
  return Number(text);
}

function runNames(values: Map<string, string>): readonly RunName[] {
  const text = values.get("only");
  values.delete("only");
  if (text === undefined) return RUNS;
  const wanted = text.split(",");
  const unknown = wanted.find((name) => !RUNS.some((run) => run === name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is none of ${RUNS.join(", ")}`);
  return RUNS.filter((run) => wanted.includes(run));
}
