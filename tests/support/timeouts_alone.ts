/** Turns of the tests of a file that replace `setTimeout`: older runtimes run several at once. */
let last: Promise<void> = Promise.resolve();

/** Waits until no other test has `setTimeout` replaced; until it is disposed of, none will. */
export async function timeoutsAlone(): Promise<Disposable> {
  const before = last;
  const { promise, resolve } = Promise.withResolvers<void>();
  last = promise;
  await before;
  return { [Symbol.dispose]: resolve };
}
