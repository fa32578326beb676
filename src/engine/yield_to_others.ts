/** Gives way to other work within one process. */

/** Items handled before others get a turn. */
export const SLICE = 1024;

/** Older runtimes have it, but not its type. */
const runtime = globalThis as unknown as { setImmediate(step: () => void): unknown };

/** Lets everything that is ready run first; a timer would wait a millisecond or more. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => runtime.setImmediate(resolve));
}

/** Does nothing, for callers that keep nobody waiting. */
export function noPause(): Promise<void> {
  return Promise.resolve();
}

/** Yields any number of items in slices; everything that is ready runs in between. */
export async function* inSlices<T>(
  items: readonly T[],
  slice: number = SLICE,
): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += slice) {
    if (at > 0) await yieldToOthers();
    yield items.slice(at, at + slice);
  }
}
