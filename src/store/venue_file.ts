/** The file that holds a venue, by whatever name it is opened. */
import { dirname } from "node:path";

/** Bytes of a database's first page; one of this size has no tables yet. */
const PAGE_BYTES = 4096;

/** Mode of the files that a venue creates: only their owner may read them. */
export const OWN_FILE_MODE = 0o600;

/** No venue can be kept in this file; the message is a sentence. */
export class VenueFileError extends Error {
  override name = "VenueFileError";
}

/** Whether a KV path names a file. */
export function isFilePath(kvPath: string | undefined): kvPath is string {
  return kvPath !== undefined && kvPath !== ":memory:" && !isRemotePath(kvPath);
}

/** Whether a KV path leads over a network: to a KV server, or to the attached database. */
export function isRemotePath(kvPath: string | undefined): boolean {
  return kvPath === undefined || /^https?:/.test(kvPath);
}

/**
 * Returns the KV path by the file's own name: what is stored beside the file, above all its lock,
 * must be the same for everybody who opens it. Other paths, and that of a new file, stay as they
 * are.
 *
 * @throws {VenueFileError} if it has several names, leads nowhere, or is not a whole database
 */
export async function realKvPath(kvPath: string | undefined): Promise<string | undefined> {
  if (!isFilePath(kvPath) || !await isThere(Deno.lstat(kvPath))) return kvPath;
  if (!await isThere(Deno.stat(kvPath))) {
    throw new VenueFileError(`"${kvPath}" is a broken link: name the file itself`);
  }
  const { isSymlink } = await Deno.lstat(kvPath);
  // A link to its directory makes no difference: what is beside the file is the same.
  const path = isSymlink ? await Deno.realPath(kvPath) : kvPath;
  await checkFile(path);
  return path;
}

/**
 * Creates an empty file, and its directory, if it is missing. The database would create one that
 * everybody may read; it gives the files that it puts beside it the same mode.
 */
export async function makeVenueFile(path: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  try {
    const file = await Deno.open(path, { createNew: true, write: true, mode: OWN_FILE_MODE });
    file.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

async function checkFile(path: string): Promise<void> {
  const { isFile, nlink, size } = await Deno.stat(path);
  if (!isFile) return;
  if (nlink !== null && nlink > 1) {
    throw new VenueFileError(
      `"${path}" is one of ${nlink} hard links to one file, each of which would have its own ` +
        "lock: remove all but one",
    );
  }
  // What a database in use has not yet moved into the file is beside it.
  if (size === PAGE_BYTES && !await isThere(Deno.stat(`${path}-wal`))) {
    throw new VenueFileError(
      `"${path}" is empty: its data was in "${path}-wal", which is missing. To copy a ` +
        "running venue, this file alone is not enough. If there never was a venue in it, " +
        "because its first start was interrupted or the disk was full, remove it",
    );
  }
}

async function isThere(looking: Promise<Deno.FileInfo>): Promise<boolean> {
  try {
    await looking;
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
