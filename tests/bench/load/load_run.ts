/** A timed run: each of many connections sends its next request once the last is answered. */
import { LoadConnection } from "./load_connection.ts";

const REQUEST_BYTES_MAX = 256 * 1024;

/** The requests of a run. */
export interface Load {
  /** Writes request `index` into the buffer and returns its length in bytes. */
  readonly write: (buffer: Uint8Array, index: number) => number;
  /** Number of requests; the run ends after the last. */
  readonly count: number;
  /** The status of an accepted request. */
  readonly accepted: number;
  /** Called with each answer; its body is only valid during the call. */
  readonly onAnswer?: (body: Uint8Array, index: number, status: number) => void;
}

/** The results of a run. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** In ms, ascending. */
  readonly latencies: Float64Array;
  readonly statuses: ReadonlyMap<number, number>;
  /** Share of the answers with a status other than the accepted one. */
  readonly refusedShare: number;
  /** The text of one refused answer. */
  readonly refusal: string;
  /** Whether all requests were sent before the time was over. */
  readonly isExhausted: boolean;
}

/**
 * Runs the load until its time is over or its requests are used up.
 *
 * @throws {BrokenAnswerError} or a network error if the server goes away
 */
export async function runLoad(
  port: number,
  connections: number,
  seconds: number,
  load: Load,
): Promise<LoadResult> {
  const run = new Run(load, seconds);
  const open = await Promise.all(
    Array.from({ length: Math.min(connections, load.count) }, () => LoadConnection.open(port)),
  );
  try {
    const start = performance.now();
    run.deadline = start + seconds * 1000;
    await Promise.all(open.map((connection) => run.drive(connection)));
    return run.result((performance.now() - start) / 1000);
  } finally {
    for (const connection of open) connection.close();
  }
}

/** Returns the latency below which the given share of the answers stayed, in ms. */
export function percentile(latencies: Float64Array, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
}

class Run {
  deadline = 0;
  #next = 0;
  #answered = 0;
  #refusal = "";
  readonly #latencies: Float64Array;
  readonly #statuses = new Map<number, number>();

  constructor(readonly load: Load, readonly seconds: number) {
    this.#latencies = new Float64Array(load.count);
  }

  async drive(connection: LoadConnection): Promise<void> {
    const { load } = this;
    const buffer = new Uint8Array(REQUEST_BYTES_MAX);
    for (let sent = performance.now(); sent < this.deadline; sent = performance.now()) {
      const index = this.#next++;
      if (index >= load.count) return;
      const status = await connection.exchange(buffer.subarray(0, load.write(buffer, index)));
      this.#latencies[this.#answered++] = performance.now() - sent;
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      if (status !== load.accepted && this.#refusal === "") {
        this.#refusal = new TextDecoder().decode(connection.body());
      }
      load.onAnswer?.(connection.body(), index, status);
    }
  }

  result(seconds: number): LoadResult {
    const accepted = this.#statuses.get(this.load.accepted) ?? 0;
    return {
      requests: this.#answered,
      seconds,
      perSecond: accepted / seconds,
      latencies: this.#latencies.subarray(0, this.#answered).sort(),
      statuses: this.#statuses,
      refusedShare: 1 - accepted / Math.max(1, this.#answered),
      refusal: this.#refusal,
      isExhausted: this.#next > this.load.count,
    };
  }
}
