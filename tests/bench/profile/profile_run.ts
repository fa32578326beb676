/**
 * Tells where an order's time goes, in three phases of the same load: processor time by thread,
 * with no inspector attached; own time by part, and allocations by function, each as V8 samples
 * them.
 */
import type { BenchVenue } from "../load/bench_venue.ts";
import type { Load } from "../load/load_run.ts";
import { type Report, whole } from "../load/report.ts";
import { ORDERS_PER_SECOND_MAX, WARM_UP_SECONDS, warmUp } from "../load/standard_runs.ts";
import { orderLoad } from "../load/workloads.ts";
import { type CallFrame, functionKey, functionTitle, partOf } from "./call_frame.ts";
import { type InspectedThread, Inspector } from "./inspector.ts";
import {
  type AllocationNode,
  ownAllocations,
  type OwnShare,
  type Sum,
  summedBy,
} from "./own_time.ts";
import { sampleTime, SAMPLING_MICROS } from "./sampled_time.ts";
import { readThreadTimes, usedBetween } from "./thread_times.ts";

/** Duration of each phase, and concurrency. */
export interface ProfileOptions {
  readonly seconds: number;
  readonly connections: number;
}

const SAMPLING_BYTES = 16 * 1024;
const FUNCTIONS_SHOWN = 10;
/** What takes less time an order is left out, in µs. */
const MICROS_SHOWN = 0.05;
/** How much of a function without a name is shown. */
const CHARACTERS_SHOWN = 48;

/** Runs all phases on a venue that was started with an inspector. */
export async function runProfile(
  venue: BenchVenue,
  report: Report,
  options: ProfileOptions,
): Promise<void> {
  await new Profiling(venue, report, options).run();
}

class Profiling {
  constructor(
    readonly venue: BenchVenue,
    readonly report: Report,
    readonly options: ProfileOptions,
  ) {}

  async run(): Promise<void> {
    const { seconds, connections } = this.options;
    await warmUp(this.venue, connections, Math.min(seconds, WARM_UP_SECONDS));
    await this.venue.clear();
    await this.#threads();
    await this.venue.clear();
    const { inspectorPort } = this.venue.server;
    if (inspectorPort === null) throw new Error("The venue was started without an inspector");
    const inspector = await Inspector.open(inspectorPort);
    try {
      if (!inspector.knowsWorkers) {
        this.report.add("sampled threads", "the main one only: this Deno tells of no others");
      }
      await this.#time(inspector);
      await this.venue.clear();
      await this.#allocations(inspector);
    } finally {
      await inspector.close();
    }
    await this.venue.clear();
  }

  async #threads(): Promise<void> {
    const readAll = async () => ({
      venue: await readThreadTimes(this.venue.server.pid),
      "load generator": await readThreadTimes(Deno.pid),
    });
    const load = this.#signedLoad();
    const before = await readAll();
    const orders = await this.#send(load, "nothing sampled");
    const after = await readAll();
    for (const process of ["venue", "load generator"] as const) {
      const [start, end] = [before[process], after[process]];
      if (start === null || end === null) {
        this.report.add(`threads of the ${process}`, "not measured: this system does not tell");
      } else {
        this.#addMicros(`processor time of the ${process}`, usedBetween(start, end), orders);
      }
    }
  }

  async #time(inspector: Inspector): Promise<void> {
    const load = this.#signedLoad();
    const { result: orders, samples } = await sampleTime(
      inspector,
      () => this.#send(load, `time sampled every ${SAMPLING_MICROS} µs`),
    );
    for (const { thread, times } of samples) {
      const title = `time of ${thread.name}`;
      this.#addMicros(title, summedBy(times, partOf), orders);
      const inFunctions = times.filter(({ frame }) => !frame.functionName.startsWith("("));
      for (const [text, micros] of await largest(inspector, thread, inFunctions)) {
        this.report.add(`${title}, of these: ${text}`, microsText(micros / orders));
      }
    }
  }

  async #allocations(inspector: Inspector): Promise<void> {
    const load = this.#signedLoad();
    const { threads } = inspector;
    for (const thread of threads) {
      await inspector.call(thread, "HeapProfiler.startSampling", {
        samplingInterval: SAMPLING_BYTES,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: true,
      });
    }
    const orders = await this.#send(
      load,
      `allocations sampled every ${whole(SAMPLING_BYTES)} bytes`,
    );
    for (const thread of threads) {
      const { profile } = await inspector.call<{ profile: { readonly head: AllocationNode } }>(
        thread,
        "HeapProfiler.stopSampling",
      );
      const allocations = ownAllocations(profile.head);
      const title = `allocated by ${thread.name}`;
      const all = allocations.reduce((sum, { own }) => sum + own, 0);
      this.report.add(title, `${whole(all / orders)} bytes an order`);
      for (const [text, bytes] of await largest(inspector, thread, allocations)) {
        this.report.add(`${title}, of these: ${text}`, `${whole(bytes / orders)} bytes an order`);
      }
    }
  }

  /** Signs the orders of a phase, which takes long: before anything is measured. */
  #signedLoad(): Load {
    const { seconds } = this.options;
    return orderLoad(this.venue.signers, ORDERS_PER_SECOND_MAX * seconds, 2, seconds);
  }

  /** Returns the number of orders that were answered. */
  async #send(load: Load, title: string): Promise<number> {
    const { seconds, connections } = this.options;
    const result = await this.venue.run(connections, seconds, load);
    this.report.addRun(`T4, ${connections} connections, ${title}`, "orders", result, 1);
    return result.requests;
  }

  #addMicros(title: string, sums: readonly Sum[], orders: number): void {
    for (const [name, micros] of sums) {
      if (micros / orders < MICROS_SHOWN) continue;
      this.report.add(`${title}: ${name}`, microsText(micros / orders));
    }
  }
}

/** Returns the functions with the largest shares, by titles. */
async function largest(
  inspector: Inspector,
  thread: InspectedThread,
  shares: readonly OwnShare[],
): Promise<[title: string, sum: number][]> {
  const sums = summedBy(shares, functionKey).slice(0, FUNCTIONS_SHOWN);
  // The debugger slows a thread down, so it is there only now.
  await inspector.call(thread, "Debugger.enable");
  const found: [string, number][] = [];
  for (const [, sum, frame] of sums) {
    const beginning = frame.functionName === "" && frame.url !== ""
      ? ` "${await beginningOf(inspector, thread, frame)}"`
      : "";
    found.push([`${functionTitle(frame)}${beginning}`, sum]);
  }
  await inspector.call(thread, "Debugger.disable");
  return found;
}

/** Returns how a function begins, on one line. */
async function beginningOf(
  inspector: Inspector,
  thread: InspectedThread,
  { scriptId, lineNumber, columnNumber }: CallFrame,
): Promise<string> {
  const { scriptSource } = await inspector.call<{ scriptSource: string }>(
    thread,
    "Debugger.getScriptSource",
    { scriptId },
  );
  const lines = scriptSource.split("\n").slice(lineNumber);
  const text = lines.join(" ").slice(columnNumber, columnNumber + CHARACTERS_SHOWN);
  return text.replace(/\s+/g, " ").replaceAll("|", "\\|");
}

function microsText(micros: number): string {
  return `${micros.toFixed(1)} µs an order`;
}
