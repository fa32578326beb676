/**
 * A worker that sends beats at a rate. Timers of the main thread are late by a millisecond or more,
 * which would be counted as the server's at thousands of requests per second.
 */

/** The rate and number of beats; they are numbered from `first`. */
export interface Beat {
  readonly perSecond: number;
  readonly first: number;
  readonly count: number;
}

/** Maximum duration of one wait, in ms. */
const WAIT_MS_MAX = 500;

const worker = self as unknown as {
  onmessage: (event: MessageEvent<Beat>) => void;
  postMessage(beats: number): void;
};

worker.onmessage = ({ data: { perSecond, first, count } }) => {
  const never = new Int32Array(new SharedArrayBuffer(4));
  const start = performance.now();
  for (let beats = 0; beats < count;) {
    const due = start + beats * 1000 / perSecond;
    const waitMs = due - performance.now();
    if (waitMs > 0) Atomics.wait(never, 0, 0, Math.min(waitMs, WAIT_MS_MAX));
    if (performance.now() < due) continue;
    worker.postMessage(first + beats);
    beats += 1;
  }
};
