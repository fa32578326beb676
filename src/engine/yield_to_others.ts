/** Giving way within one process. */

/** Older runtimes have it without its type. */
const runtime = globalThis as unknown as { setImmediate(step: () => void): unknown };

/** Lets everything that is ready go first; a timer would wait a millisecond or more. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => runtime.setImmediate(resolve));
}
