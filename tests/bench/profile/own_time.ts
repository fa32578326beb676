/** Own time of functions, out of a profile of V8's. */
import type { CallFrame } from "./call_frame.ts";

/** A profile as `Profiler.stop` answers it. */
export interface CpuProfile {
  /** One for each way in which a function was called. */
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  /** The nodes that were found running, one after another. */
  readonly samples: readonly number[];
  /** The time from the sample before to each, in µs. */
  readonly timeDeltas: readonly number[];
}

/** A function, and how much of something it has by itself, without those that it calls. */
export interface OwnShare {
  readonly frame: CallFrame;
  readonly own: number;
}

/** A longer gap between two samples, in µs, is one in which others had the processor. */
const GAP_MICROS_MAX = 1000;

/** Returns the time that was spent in each node itself, from the first sample on, in µs. */
export function ownTimes({ nodes, samples, timeDeltas }: CpuProfile): OwnShare[] {
  const micros = new Map<number, number>();
  // Before the first sample V8 lists all functions, which takes half a second.
  for (let index = 1; index < samples.length; index++) {
    const id = samples[index] ?? 0;
    const gap = Math.min(timeDeltas[index] ?? 0, GAP_MICROS_MAX);
    micros.set(id, (micros.get(id) ?? 0) + gap);
  }
  return nodes.map(({ id, callFrame }) => ({ frame: callFrame, own: micros.get(id) ?? 0 }));
}

/** A function with its callees, as `HeapProfiler.stopSampling` answers it. */
export interface AllocationNode {
  readonly callFrame: CallFrame;
  /** What it has allocated itself, in bytes: estimated from samples. */
  readonly selfSize: number;
  readonly children: readonly AllocationNode[];
}

/** Returns what each function has allocated itself, in bytes. */
export function ownAllocations(head: AllocationNode): OwnShare[] {
  const found: OwnShare[] = [];
  const open = [head];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push({ frame: node.callFrame, own: node.selfSize });
    open.push(...node.children);
  }
  return found;
}

/** The shares under one name, and the first of their functions. */
export type Sum = readonly [name: string, sum: number, frame?: CallFrame];

/** Adds shares up by a name; returns the sums, the largest first. */
export function summedBy(
  shares: readonly OwnShare[],
  nameOf: (frame: CallFrame) => string,
): [name: string, sum: number, frame: CallFrame][] {
  const sums = new Map<string, [string, number, CallFrame]>();
  for (const { frame, own } of shares) {
    const name = nameOf(frame);
    const sum = sums.get(name);
    if (sum === undefined) sums.set(name, [name, own, frame]);
    else sum[1] += own;
  }
  return [...sums.values()].sort(([, a], [, b]) => b - a);
}
