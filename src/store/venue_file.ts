/** The file that a venue is in, by whichever name it is called. */

/** No venue can be kept in this file; the message is a sentence. */
export class VenueFileError extends Error {
  override name = "VenueFileError";
}

/** Whether a KV path leads to a file. */
export function isFilePath(kvPath: string | undefined): kvPath is string {
  return kvPath !== undefined && kvPath !== ":memory:" && !/^https?:/.test(kvPath);
}

/**
 * The KV path by the file's own name: what stands beside the file, its lock above all, must be the
 * same for everybody who opens it. Other paths, and that of a file to be made, stay as they are.
 *
 * @throws {VenueFileError} it has several names or leads nowhere
 */
export async function realKvPath(kvPath: string | undefined): Promise<string | undefined> {
  if (!isFilePath(kvPath) || !await isThere(Deno.lstat(kvPath))) return kvPath;
  if (!await isThere(Deno.stat(kvPath))) {
    throw new VenueFileError(`"${kvPath}" is a link that leads nowhere: name the file itself`);
  }
  const { isSymlink } = await Deno.lstat(kvPath);
  // Of a link to its folder a file knows nothing: what stands beside it is the same there.
  const path = isSymlink ? await Deno.realPath(kvPath) : kvPath;
  await checkFile(path);
  return path;
}

async function checkFile(path: string): Promise<void> {
  const { isFile, nlink } = await Deno.stat(path);
  if (!isFile) return;
  if (nlink !== null && nlink > 1) {
    throw new VenueFileError(
      `"${path}" is one of ${nlink} names (hard links) of one file, each with a lock of its own: ` +
        `remove all but one`,
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
