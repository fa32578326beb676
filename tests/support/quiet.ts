/** Longer than the longest pause between messages that have to be told still, in ms. */
const QUIET_MS = 150;

/** Returns when what is counted has not grown for longer than any pause between messages. */
export async function quiet(count: () => number): Promise<void> {
  for (let before = -1; before !== count();) {
    before = count();
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
}
