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
    /** Inode numbers of the KV file and of the lock file; null if the system has none. */
    readonly inodes: readonly [number | null, number | null],
  ) {}

  /**
   * Whether both files are still the ones that were locked: commits to a deleted KV file are lost,
   * and beside a deleted lock file another process takes a lock of its own.
   */
  async isInPlace(): Promise<boolean> {
    const [file, lock] = await inodesOf(this.path);
    return file === this.inodes[0] && lock === this.inodes[1];
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
  const file = await Deno.open(lockPath(path), { create: true, write: true, mode: OWN_FILE_MODE });
  const locking = file.lock(true);
  try {
    await inTime(LOCK_MS_MAX, locking, () => {
      throw new StoreInUseError(
        `"${path}" is in use by another process; to run several processes, use a KV server`,
      );
    });
    return new OwnerLock(file, path, await inodesOf(path));
  } catch (error) {
    // The wait can't be cancelled: a lock that comes after all is released at once.
    locking.then(() => file.close(), () => file.close());
    throw error;
  }
}

function lockPath(path: string): string {
  return `${path}.lock`;
}

function inodesOf(path: string): Promise<[number | null, number | null]> {
  return Promise.all([inodeOf(path), inodeOf(lockPath(path))]);
}

async function inodeOf(path: string): Promise<number | null> {
  try {
    return (await Deno.stat(path)).ino;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
