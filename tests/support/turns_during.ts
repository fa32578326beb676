/** Older runtimes have the function, but not its type. */
const { setImmediate } = globalThis as unknown as { setImmediate(step: () => void): void };

/** Counts the turns of the event loop that other tasks get while `work` runs. */
export async function turnsDuring(work: () => unknown): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}
