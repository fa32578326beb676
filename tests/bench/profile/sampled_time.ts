/** Samples where the threads of an inspected process are. */
import type { InspectedThread, Inspector } from "./inspector.ts";
import { type CpuProfile, type OwnShare, ownTimes } from "./own_time.ts";

/** The time between two samples. */
export const SAMPLING_MICROS = 250;

/** What a thread has done. */
export interface ThreadSamples {
  readonly thread: InspectedThread;
  /** By function, in µs. */
  readonly times: readonly OwnShare[];
}

/** Samples all threads while `work` is done; returns its result, and the samples by thread. */
export async function sampleTime<Result>(
  inspector: Inspector,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly samples: readonly ThreadSamples[] }> {
  const { threads } = inspector;
  for (const thread of threads) {
    await inspector.call(thread, "Profiler.enable");
    await inspector.call(thread, "Profiler.setSamplingInterval", { interval: SAMPLING_MICROS });
    await inspector.call(thread, "Profiler.start");
  }
  const result = await work();
  const samples: ThreadSamples[] = [];
  for (const thread of threads) {
    const { profile } = await inspector.call<{ profile: CpuProfile }>(thread, "Profiler.stop");
    await inspector.call(thread, "Profiler.disable");
    samples.push({ thread, times: ownTimes(profile) });
  }
  return { result, samples };
}
