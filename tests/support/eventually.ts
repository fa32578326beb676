/** How long a test waits for something, in ms; enough for a loaded machine. */
export const WAIT_MS_MAX = 60_000;
const LOOK_MS_MIN = 5;
/** Longer than what a rate limit would refuse. */
const LOOK_MS_MAX = 40;

/** Values that mean "not yet". */
type NotYet = false | null | undefined;

/**
 * Waits until `look` returns something true or present, and returns it.
 *
 * @param what completes the error "nobody has seen <what>"
 */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, NotYet>> {
  const end = performance.now() + WAIT_MS_MAX;
  for (let waitMs = LOOK_MS_MIN;; waitMs = Math.min(2 * waitMs, LOOK_MS_MAX)) {
    const seen = await look();
    if (seen !== false && seen !== null && seen !== undefined) return seen as Exclude<T, NotYet>;
    if (performance.now() >= end) throw new Error(`In ${WAIT_MS_MAX} ms nobody has seen ${what}`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
