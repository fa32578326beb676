/** How long a test waits for what has to come, in ms: on a loaded machine, too. */
const WAIT_MS_MAX = 20_000;
const LOOK_MS = 5;

/**
 * Waits until something holds.
 *
 * @param what a sentence's end for the error: "nobody has seen <what>"
 */
export async function eventually(
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + WAIT_MS_MAX;
  while (!await holds()) {
    if (performance.now() >= end) throw new Error(`In ${WAIT_MS_MAX} ms nobody has seen ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
