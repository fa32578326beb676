/** Waits for an answer, but not for ever. */
import { inTime } from "../store/kv/in_time.ts";

/** An answer did not come in time. */
export class TooLateError extends Error {
  override name = "TooLateError";
}

/**
 * Returns what `answer` resolves to.
 *
 * @throws {TooLateError} after `ms` milliseconds
 */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return await inTime(ms, answer, () => {
    throw new TooLateError(`No answer within ${ms} ms`);
  });
}
