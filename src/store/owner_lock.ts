/** A lock file beside a KV file, whose holder is the only owner of the KV file. */
import { inTime } from "./in_time.ts";
import { OWN_FILE_MODE } from "./venue_file.ts";

/** How long to wait for another process to release it, in ms. */
const LOCK_MS_MAX = 500;

/** Another process runs on this file. */
export class StoreInUseError extends Error {
  override name = "StoreInUseError";
}

/** Holds the lock until closed; the system releases it when the process ends, however it ends. */
export class OwnerLock {
  constructor(
    readonly file: Deno.FsFile,
    readonly path: string,
    /** The KV file's inode number; null if the system has none. */
    readonly inode: number | null,
  ) {}

  /** Whether the KV file is still the one that was locked: commits to a deleted one are lost. */
  async isFileInPlace(): Promise<boolean> {
    return await inodeOf(this.path) === this.inode;
  }

  /** Releases the lock. */
  close(): void {
    this.file.close();
  }
}

/**
 * Takes the lock of a KV file.
 *
 * @throws {StoreInUseError} if another process holds it
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
    // The wait can't be cancelled: a lock that comes after all is released at once.
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
