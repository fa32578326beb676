/** Longer than any pause between pending messages, in ms. */
const QUIET_MS = 150;

/** Waits until the count has stopped growing. */
export async function quiet(count: () => number): Promise<void> {
  for (let before = -1; before !== count();) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
}
