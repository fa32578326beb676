/**
 * Beginnings of streams wait: for a slow reader, until it has read what was sent before, and long
 * ones for each other.
 */
import { yieldToOthers } from "../../engine/yield_to_others.ts";
import type { StreamReader } from "./stream_reader.ts";

/** Bytes that a reader may leave unread before further beginnings wait. */
const UNREAD_BYTES_MAX = 256 * 1024;
/** How often to check whether they are read, in ms: less and less often for an idle reader. */
const CHECK_MS_MIN = 5;
const CHECK_MS_MAX = 100;

/** One wait per reader, however many of its streams share it. */
const waits = new WeakMap<StreamReader, Promise<void>>();
/** Resolves when the last of those that wait for a turn gets it. */
let lastTurn: Promise<void> = Promise.resolve();

/** Returns whether a reader has left too much unread. */
export function isBehind({ isOpen, unread }: StreamReader): boolean {
  return isOpen && unread > UNREAD_BYTES_MAX;
}

/**
 * Waits until a reader has read enough or is gone. Of several callers the first may send too much
 * again, so each has to check afterwards.
 */
export function caughtUp(reader: StreamReader): Promise<void> {
  let wait = waits.get(reader);
  if (wait === undefined) {
    wait = seenReading(reader).finally(() => waits.delete(reader));
    waits.set(reader, wait);
  }
  return wait;
}

/**
 * Waits for a turn to do a part of a long beginning. However many there are, each part has a turn of
 * its own, and everything else that is ready runs in between.
 */
export function ownTurn(): Promise<void> {
  return lastTurn = lastTurn.then(yieldToOthers);
}

async function seenReading(reader: StreamReader): Promise<void> {
  let ms = CHECK_MS_MIN;
  do {
    await new Promise((resolve) => setTimeout(resolve, ms));
    ms = Math.min(2 * ms, CHECK_MS_MAX);
  } while (isBehind(reader));
}
