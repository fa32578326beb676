/** Waits for a KV server that does not answer yet: a venue and its server often start together. */
import { inTime, sleep } from "./kv/in_time.ts";
import { headKey } from "./keys.ts";
import { openStore, UnreadableError } from "./store.ts";
import { isRemotePath } from "./file/venue_file.ts";

/** How long a server is waited for, and how long before that is reported, in ms. */
const REACH_MS_MAX = 60_000;
const QUIET_MS = 3_000;
/** Pause between two tries, in ms. */
const TRY_PAUSE_MS = 250;

/** Deno's errors for a server that is away or not up yet; those for a wrong token are others. */
const AWAY =
  /failed to connect|error sending request|timed out|No answer within|status (?:408|429|5\d\d)/;

/** Options of the wait. */
export interface Reaching {
  /** Called once, with the last try's error, if the server has been away for a while. */
  readonly onWaiting: (reason: string) => void;
  readonly quietMs?: number;
  readonly waitMsMax?: number;
}

/** The server has not answered; the message is the last try's error. */
export class StoreAwayError extends Error {
  override name = "StoreAwayError";

  constructor(readonly waitedMs: number, reason: string) {
    super(reason);
  }
}

/**
 * Waits until the store answers; a local one is not asked.
 *
 * @throws {StoreAwayError} if it does not answer in time
 */
export async function reachStore(path: string | undefined, reaching: Reaching): Promise<void> {
  if (!isRemotePath(path)) return;
  const { onWaiting, quietMs = QUIET_MS, waitMsMax = REACH_MS_MAX } = reaching;
  let reason = "no answer";
  const ended = new AbortController();
  const quiet = setTimeout(() => onWaiting(reason), quietMs);
  try {
    await inTime(waitMsMax, answered(path, ended.signal, (last) => reason = last), () => {
      throw new StoreAwayError(waitMsMax, reason);
    });
  } finally {
    ended.abort();
    clearTimeout(quiet);
  }
}

/** Tries until there is an answer; throws an error that waiting can't cure. */
async function answered(
  path: string | undefined,
  signal: AbortSignal,
  note: (reason: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await ask(path);
    } catch (error) {
      if (!(error instanceof Error) || !isAway(error)) throw error;
      note(error.message);
    }
    await sleep(TRY_PAUSE_MS);
  }
}

async function ask(path: string | undefined): Promise<void> {
  const store = await openStore(path);
  try {
    await store.get(headKey());
  } finally {
    store.close();
  }
}

function isAway(error: Error): boolean {
  return error instanceof UnreadableError || AWAY.test(error.message);
}
