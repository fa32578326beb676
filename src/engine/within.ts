/** Waiting for somebody else, but not for ever. */

/** An answer has not come in time. */
export class TooLateError extends Error {
  override name = "TooLateError";
}

/**
 * What `answer` resolves to.
 *
 * @throws {TooLateError} after `ms` milliseconds
 */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLateError(`No answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
