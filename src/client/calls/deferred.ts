/** A promise that somebody settles later; Node 20 has no `Promise.withResolvers`. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Returns a promise with what settles it. */
export function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, "promise"> | undefined;
  const promise = new Promise<T>((resolve, reject) => settle = { resolve, reject });
  // The function that is given to a promise is called at once.
  return { promise, ...settle as Omit<Deferred<T>, "promise"> };
}
