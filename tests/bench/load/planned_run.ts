/** A run at a steady rate: each request has its time, whatever became of the earlier ones. */
import { LoadConnection } from "./load_connection.ts";
import type { Beat } from "./metronome.ts";

const REQUEST_BYTES_MAX = 4096;
/** Number of beats without requests, to find out when they come. */
const BEATS_BEFORE = 200;

/** One request of a planned run. */
export interface PlannedRequest {
  /** Writes the request into the buffer and returns its length in bytes. */
  readonly write: (buffer: Uint8Array) => number;
  /** Called with the answer; times are those of `performance.now()`. */
  readonly onAnswer: (answer: PlannedAnswer) => void;
}

/** An answer and its times; the body is only valid during the call. */
export interface PlannedAnswer {
  readonly plannedAt: number;
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly status: number;
  readonly body: Uint8Array;
}

/** The results of a run. */
export interface PlannedResult {
  readonly seconds: number;
  readonly requests: number;
}

interface Waiting {
  readonly plannedAt: number;
  readonly request: PlannedRequest;
}

/** Sends `perSecond` requests per second; `next` creates each at its time. */
export async function runPlanned(
  port: number,
  connections: number,
  plan: { readonly perSecond: number; readonly seconds: number },
  next: (index: number) => PlannedRequest,
): Promise<PlannedResult> {
  const open = await Promise.all(
    Array.from({ length: connections }, () => LoadConnection.open(port)),
  );
  const lanes = new Lanes(open);
  const metronome = new Worker(new URL("./metronome.ts", import.meta.url), { type: "module" });
  const count = Math.round(plan.perSecond * plan.seconds);
  let start = Infinity;
  try {
    await new Promise<void>((resolve, reject) => {
      metronome.onerror = (event) => reject(event.error);
      metronome.onmessage = ({ data: index }: MessageEvent<number>) => {
        if (index < 0) {
          // The beat with the least delay determines when the first request is due.
          start = Math.min(start, performance.now() - index * 1000 / plan.perSecond);
          return;
        }
        const plannedAt = start + index * 1000 / plan.perSecond;
        lanes.add({ plannedAt, request: next(index) });
        if (lanes.isFaulty || index === count - 1) resolve();
      };
      const beat: Beat = {
        perSecond: plan.perSecond,
        first: -BEATS_BEFORE,
        count: BEATS_BEFORE + count,
      };
      metronome.postMessage(beat);
    });
    await lanes.finished();
  } finally {
    metronome.terminate();
    for (const connection of open) connection.close();
  }
  return { seconds: (performance.now() - start) / 1000, requests: count };
}

/** Connections, and the requests that wait for one. */
class Lanes {
  readonly #free: LoadConnection[];
  readonly #waiting: Waiting[] = [];
  #underWay = 0;
  #fault: unknown = null;
  #onIdle: (() => void) | null = null;

  constructor(connections: readonly LoadConnection[]) {
    this.#free = [...connections];
  }

  add(waiting: Waiting): void {
    const connection = this.#free.pop();
    if (connection === undefined) {
      this.#waiting.push(waiting);
      return;
    }
    this.#underWay += 1;
    this.#drive(connection, waiting).catch((error) => this.#fault ??= error).finally(() => {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#onIdle?.();
    });
  }

  /** Whether a connection has thrown. */
  get isFaulty(): boolean {
    return this.#fault !== null;
  }

  /** @throws what a connection has thrown */
  async finished(): Promise<void> {
    if (this.isFaulty) throw this.#fault;
    if (this.#underWay > 0) await new Promise<void>((resolve) => this.#onIdle = resolve);
    if (this.isFaulty) throw this.#fault;
  }

  async #drive(connection: LoadConnection, first: Waiting): Promise<void> {
    const buffer = new Uint8Array(REQUEST_BYTES_MAX);
    for (let next: Waiting | undefined = first; next !== undefined; next = this.#waiting.shift()) {
      const { plannedAt, request } = next;
      const length = request.write(buffer);
      const sentAt = performance.now();
      const status = await connection.exchange(buffer.subarray(0, length));
      const answeredAt = performance.now();
      request.onAnswer({ plannedAt, sentAt, answeredAt, status, body: connection.body() });
    }
    this.#free.push(connection);
  }
}
