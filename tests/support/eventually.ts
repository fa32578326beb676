/** How long a test waits for what has to come, in ms: on a loaded machine, too. */
const WAIT_MS_MAX = 60_000;
const LOOK_MS = 5;

/** What says that it has not come yet. */
type NotYet = false | null | undefined;

/**
 * Waits until something holds, or is there; answers it.
 *
 * @param what a sentence's end for the error: "nobody has seen <what>"
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, NotYet>> {
  const end = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const seen = await look();
    if (seen !== false && seen !== null && seen !== undefined) return seen as Exclude<T, NotYet>;
    if (performance.now() >= end) throw new Error(`In ${WAIT_MS_MAX} ms nobody has seen ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
