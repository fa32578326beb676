/**
 * A worker that beats at a rate: timers of the main thread are a millisecond and more late, which
 * at thousands of requests a second would be counted as the server's.
 */

/** How often, and how many times; beats are counted from `first`. */
export interface Beat {
  readonly perSecond: number;
  readonly first: number;
  readonly count: number;
}

/** Waits for half a second at the most at a time, so that nothing is due that long before. */
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
