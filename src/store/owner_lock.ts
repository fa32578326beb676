/** A lock file beside a KV file: whoever holds it owns the file alone. */
import { inTime } from "./in_time.ts";
import { OWN_FILE_MODE } from "./venue_file.ts";

/** How long to wait for another process to let go, in ms. */
const LOCK_MS_MAX = 500;

/** Somebody else runs on this file. */
export class StoreInUseError extends Error {
  override name = "StoreInUseError";
}

/** Holds the lock until closed; the system lets go when the process ends, however it ends. */
export class OwnerLock {
  constructor(
    readonly file: Deno.FsFile,
    readonly path: string,
    /** Number of the KV file's inode; null where the system has none. */
    readonly inode: number | null,
  ) {}

  /** Whether the KV file is still the one that was locked: commits to a removed one are lost. */
  async isFileInPlace(): Promise<boolean> {
    return await inodeOf(this.path) === this.inode;
  }

  /** Lets go. */
  close(): void {
    this.file.close();
  }
}

/**
 * Takes the lock of a KV file.
 *
 * @throws {StoreInUseError} another process holds it
 */
export async function takeOwnerLock(path: string): Promise<OwnerLock> {
  const file = await Deno.open(`${path}.lock`, { create: true, write: true, mode: OWN_FILE_MODE });
  const locking = file.lock(true);
  try {
    await inTime(LOCK_MS_MAX, locking, () => {
      throw new StoreInUseError(
        `"${path}" is in use by another process; to run several processes, use a KV server`,
      );
    });
    return new OwnerLock(file, path, await inodeOf(path));
  } catch (error) {
    // The waiting cannot be called off: a lock that comes after all is let go of at once.
    locking.then(() => file.close(), () => file.close());
    throw error;
  }
}

async function inodeOf(path: string): Promise<number | null> {
  try {
    return (await Deno.stat(path)).ino;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
