/** Giving way within one process. */

/** Items that are looked at before others get their turn. */
export const SLICE = 1024;

/** Older runtimes have it without its type. */
const runtime = globalThis as unknown as { setImmediate(step: () => void): unknown };

/** Lets everything that is ready go first; a timer would wait a millisecond or more. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => runtime.setImmediate(resolve));
}

/** Lets nobody go first: where nobody else waits. */
export function noPause(): Promise<void> {
  return Promise.resolve();
}

/** Items of which there may be any number, a slice at a time: everything that is ready goes between. */
export async function* inSlices<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += SLICE) {
    if (at > 0) await yieldToOthers();
    yield items.slice(at, at + SLICE);
  }
}
