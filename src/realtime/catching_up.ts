/** Slow readers: what a stream begins with waits until they have read what they were sent before. */
import type { StreamReader } from "./hub.ts";

/** Bytes that a reader may have left unread before its beginnings go on. */
const UNREAD_BYTES_MAX = 256 * 1024;
/** How often is looked whether it has read them, in ms: ever more seldom where it reads nothing. */
const CHECK_MS_MIN = 5;
const CHECK_MS_MAX = 100;

/** One look-out for each reader, however many of its streams wait. */
const waits = new WeakMap<StreamReader, Promise<void>>();

/** Whether a reader has left too much unread. */
export function isBehind({ isOpen, unread }: StreamReader): boolean {
  return isOpen && unread > UNREAD_BYTES_MAX;
}

/**
 * Waits until a reader has read enough, or is gone. Of several that wait for one reader the first
 * may send it too much again: look anew afterwards.
 */
export function caughtUp(reader: StreamReader): Promise<void> {
  let wait = waits.get(reader);
  if (wait === undefined) {
    wait = seenReading(reader).finally(() => waits.delete(reader));
    waits.set(reader, wait);
  }
  return wait;
}

async function seenReading(reader: StreamReader): Promise<void> {
  let ms = CHECK_MS_MIN;
  do {
    await new Promise((resolve) => setTimeout(resolve, ms));
    ms = Math.min(2 * ms, CHECK_MS_MAX);
  } while (isBehind(reader));
}
