/** Older runtimes have it without its type. */
const { setImmediate } = globalThis as unknown as { setImmediate(step: () => void): void };

/** Counts the turns that everybody else gets while something is done. */
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
