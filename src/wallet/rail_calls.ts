/**
 * Notes where a rail is silent, so that a round does not wait for each thing that it would ask. A
 * node that refuses at once costs nobody any time.
 */
import { within } from "../engine/within.ts";

/** A call that fails after so long has met silence, in ms. */
const SILENT_MS = 1_000;

/** The calls of a rail to one network. */
export class RailCalls {
  /** Whether one of this round has met silence. */
  isSilent = false;

  /** Begins a round. */
  begin(): void {
    this.isSilent = false;
  }

  /**
   * Returns a call's answer.
   *
   * @throws {TooLateError} after `ms` milliseconds; whatever the call throws
   */
  async answer<T>(ms: number, call: Promise<T>): Promise<T> {
    const at = performance.now();
    try {
      return await within(ms, call);
    } catch (error) {
      this.isSilent ||= performance.now() - at >= SILENT_MS;
      throw error;
    }
  }
}

/** Returns items in their order, from behind one on: what one round did not reach, the next begins with. */
export function fromBehind<T>(items: readonly T[], isThat: (item: T) => boolean): readonly T[] {
  const next = items.findIndex(isThat) + 1;
  return [...items.slice(next), ...items.slice(0, next)];
}
