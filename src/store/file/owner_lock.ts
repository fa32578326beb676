/** A lock file beside a KV file, whose holder is the only owner of the KV file. */
import { inTime } from "../kv/in_time.ts";
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
  const options = { create: true, read: true, write: true, mode: OWN_FILE_MODE };
  const file = await Deno.open(lockPath(path), options);
  const locking = file.lock(true);
  try {
    await inTime(LOCK_MS_MAX, locking, () => throwInUse(path));
    await noteHolder(file);
    return new OwnerLock(file, path, await inodesOf(path));
  } catch (error) {
    // The wait can't be cancelled: a lock that comes after all is released at once.
    locking.then(() => file.close(), () => file.close());
    throw error;
  }
}

/** Writes into the lock file which process holds it, for whoever finds it held. */
async function noteHolder(file: Deno.FsFile): Promise<void> {
  try {
    await file.truncate();
    await file.write(new TextEncoder().encode(`${Deno.pid}\n`));
  } catch {
    // On a full disk, the lock holds all the same.
  }
}

async function throwInUse(path: string): Promise<never> {
  const text = await Deno.readTextFile(lockPath(path)).catch(() => "");
  const pid = /^\d+$/.test(text.trim()) ? ` (pid ${text.trim()})` : "";
  throw new StoreInUseError(
    `"${path}" is in use by another process${pid}: end that one first, or, to run several ` +
      "processes, use a KV server",
  );
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
