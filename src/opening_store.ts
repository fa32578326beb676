/** Faults of a store that does not open, told in terms of the setting that leads to it. */
import { ConfigError } from "./config.ts";

/**
 * Runs what opens a store.
 *
 * @throws {ConfigError} the platform cannot open it; faults that the venue names itself pass through
 */
export async function openingStore<T>(
  kvPath: string | undefined,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof Error) || !isOfPlatform(error)) throw error;
    const place = kvPath === undefined ? "the attached database" : `"${kvPath}"`;
    throw new ConfigError(`KV_PATH leads to ${place}, which does not open: ${error.message}`, {
      cause: error,
    });
  }
}

/** The database throws bare errors, the file system named ones. */
function isOfPlatform(error: Error): boolean {
  return error.constructor === Error ||
    Object.values(Deno.errors).some((platformError) => error instanceof platformError);
}
