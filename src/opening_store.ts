/** Faults of a store that does not open, told in terms of the setting that leads to it. */
import { ConfigError } from "./config.ts";
import type { Logger } from "./logger.ts";
import { type Reaching, reachStore, StoreAwayError } from "./store/reach_store.ts";

/** What is needed of the log. */
export type OpeningLog = Pick<Logger, "warn">;

/**
 * Waits for the store to answer and runs what opens it.
 *
 * @throws {ConfigError} the platform cannot open it, or its server is away; faults that the venue
 * names itself pass through
 */
export async function openingStore<T>(
  kvPath: string | undefined,
  log: OpeningLog,
  open: () => Promise<T>,
  waits: Pick<Reaching, "quietMs" | "waitMsMax"> = {},
): Promise<T> {
  const url = kvPath === undefined ? undefined : withoutSecrets(kvPath);
  const onWaiting = (reason: string) =>
    log.warn("waiting_for_store", { KV_PATH: url, reason: withoutSecrets(reason) });
  try {
    await reachStore(kvPath, { onWaiting, ...waits });
    return await open();
  } catch (error) {
    if (!(error instanceof Error) || !isOfPlatform(error)) throw error;
    const fault = error instanceof StoreAwayError
      ? `has not answered within ${error.waitedMs / 1000} s`
      : "does not open";
    const place = url === undefined ? "the attached database" : `"${url}"`;
    const reason = withoutSecrets(error.message);
    throw new ConfigError(`KV_PATH leads to ${place}, which ${fault}: ${reason}`, {
      cause: error,
    });
  }
}

/** The database throws bare errors or says what it could not do, the file system named ones. */
function isOfPlatform(error: Error): boolean {
  return error instanceof StoreAwayError || error.constructor === Error ||
    error.message.startsWith("Could not open Deno KV database") ||
    Object.values(Deno.errors).some((platformError) => error instanceof platformError);
}

/** A text whose URLs have lost the user, the password and the query. */
function withoutSecrets(text: string): string {
  return text.replace(
    /(https?:\/\/)(?:[^\s'"/@]*@)?([^\s'"?#)]*)(?:[?#][^\s'")]*)?/g,
    "$1$2",
  );
}
