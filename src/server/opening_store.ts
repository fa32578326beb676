/** Explains why a store does not open, in terms of the setting that points to it. */
import { dirname } from "node:path";
import { InvariantError } from "../domain/assert.ts";
import { RebuildCutShortError } from "../engine/start/rebuild.ts";
import { OtherRowsError } from "../engine/start/store_checks.ts";
import type { Logger } from "./logger.ts";
import { OtherVersionError } from "../store/stored_formats.ts";
import { type Reaching, reachStore, StoreAwayError } from "../store/reach_store.ts";
import { UnreadableError } from "../store/store.ts";
import { isFilePath } from "../store/file/venue_file.ts";
import { ConfigError } from "./config_error.ts";

/** Said instead of the platform's advice to allow the program everything. */
const NOT_ALLOWED =
  'the platform lets no program open it. Name a file outside "/dev", "/proc" and ' +
  '"/sys", and start with "deno task start", which has the permissions that a venue needs';

/** What the database says about a file that only a copy can replace. */
const DAMAGED_FILE = /disk image is malformed|file is not a database/;
/** What it or the platform says if it may not write to the file or to its directory. */
const READ_ONLY = /write (?:a readonly|to a read-only) database/;

/**
 * Waits for the store to answer, then opens it.
 *
 * @throws {ConfigError} the platform can't open it, its server is away, or it is damaged; other
 *   faults that name themselves pass through
 */
export async function openingStore<T>(
  kvPath: string | undefined,
  log: Pick<Logger, "warn">,
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
    if (error instanceof OtherVersionError || error instanceof OtherRowsError) throw error;
    if (error instanceof InvariantError) throw damaged(error, url);
    if (!(error instanceof Error) || !isOfPlatform(error)) throw error;
    const fault = error instanceof UnreadableError && error.cause instanceof Error
      ? error.cause
      : error;
    const isNotAllowed = error instanceof Deno.errors.NotCapable && isFilePath(kvPath);
    const reason = isNotAllowed ? NOT_ALLOWED : withoutStop(withoutSecrets(fault.message));
    const remedy = remedyOf(error, fault, kvPath);
    throw new ConfigError(
      `KV_PATH points to ${placeOf(url)}, ${faultOf(error)}: ${reason}${remedy}`,
      { cause: error },
    );
  }
}

function faultOf(error: Error): string {
  if (error instanceof StoreAwayError) {
    return `which did not answer within ${error.waitedMs / 1000} s`;
  }
  return error instanceof RebuildCutShortError
    ? "whose rows could not all be rebuilt"
    : "which cannot be opened";
}

/** Returns what to do, as further sentences; `fault` is what the database or system reported. */
function remedyOf(error: Error, fault: Error, kvPath: string | undefined): string {
  if (error instanceof RebuildCutShortError) {
    return ". Its log is complete: once the store accepts writes again and its disk has space, " +
      'run "deno task rebuild" again before starting the venue';
  }
  if (!isFilePath(kvPath)) return "";
  if (DAMAGED_FILE.test(fault.message)) {
    return '. Restore it from a copy (src/guides/operating.md, "Restoring a copy"), or name another file';
  }
  const isDenied = fault instanceof Deno.errors.PermissionDenied || READ_ONLY.test(fault.message);
  if (!isDenied) return "";
  return `. The venue also creates files beside it: the user that it runs as must be able to ` +
    `write to the file and to its directory, "${dirname(kvPath)}"`;
}

/** Removes the full stop of a message that others follow. */
function withoutStop(message: string): string {
  return message.replace(/\.$/, "");
}

/** Returns the fault for a store in which an invariant does not hold: nobody is served from it. */
function damaged(cause: InvariantError, url: string | undefined): ConfigError {
  const reason = withoutStop(cause.message);
  return new ConfigError(
    `KV_PATH points to ${placeOf(url)}, which is damaged: ${reason}. "deno task audit" shows ` +
      'what is; "deno task rebuild" rebuilds rows from the log; a log can only be restored from ' +
      "a copy",
    { cause },
  );
}

function placeOf(url: string | undefined): string {
  return url === undefined ? "the attached database" : `"${url}"`;
}

/** The database throws bare errors or messages of its own, the file system named errors. */
function isOfPlatform(error: Error): boolean {
  return error instanceof StoreAwayError || error instanceof UnreadableError ||
    error.constructor === Error ||
    error.message.startsWith("Could not open Deno KV database") ||
    Object.values(Deno.errors).some((platformError) => error instanceof platformError);
}

/** Removes the user, the password and the query from the URLs in a text. */
export function withoutSecrets(text: string): string {
  return text.replace(
    /(https?:\/\/)(?:[^\s/?#]*@)?([^\s'"?#)]*)(?:[?#][^\s'")]*)?/g,
    "$1$2",
  );
}
