/** Calls until something has ended; returns the longest wait for an answer, in ms. */
export async function longestWait(url: string, ended: Promise<unknown>): Promise<number> {
  let hasEnded = false;
  const end = ended.finally(() => hasEnded = true);
  // What it fails with is told at the end.
  end.catch(() => {});
  let longest = 0;
  while (!hasEnded) {
    const begun = performance.now();
    await (await fetch(url)).arrayBuffer();
    longest = Math.max(longest, performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await end;
  return longest;
}
