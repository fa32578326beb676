/** The file that holds a venue, by whatever name it is opened. */
import { dirname, join } from "node:path";

/** Bytes of a database's first page; one of this size has no tables yet. */
const PAGE_BYTES = 4096;

/** What an SQLite file begins with, and the table that Deno KV creates before all others. */
const SQLITE_MAGIC = "SQLite format 3\0";
const KV_TABLE = "migration_state";

/** The largest page of an SQLite file; the list of its tables begins in the first one. */
const FIRST_PAGE_BYTES_MAX = 65_536;
const TREE_AT = 100;
/** Marks a page that holds entries, not the numbers of other pages. */
const LEAF_PAGE = 13;

/** What the database puts beside its file while it is in use. */
const COMPANIONS = ["-wal", "-shm"] as const;
const OWNER_WRITES = 0o200;
const OTHERS_WRITE = 0o002;

/** Mode of the files that a venue creates: only their owner may read them. */
export const OWN_FILE_MODE = 0o600;
const OWN_DIRECTORY_MODE = 0o700;

/** No venue can be kept in this file or store; the message is a sentence. */
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
 * @throws {VenueFileError} if it has several names, leads nowhere, is another program's, is not a
 *   whole database that can be written, or is in a directory in which others can write
 */
export async function realKvPath(kvPath: string | undefined): Promise<string | undefined> {
  if (!isFilePath(kvPath)) return kvPath;
  const isNew = !await isThere(Deno.lstat(kvPath));
  if (!isNew) await checkName(kvPath);
  await checkDirectory(kvPath);
  if (isNew) return kvPath;
  const { isSymlink } = await Deno.lstat(kvPath);
  // A link to its directory makes no difference: what is beside the file is the same.
  const path = isSymlink ? await Deno.realPath(kvPath) : kvPath;
  if (isSymlink) await checkDirectory(path);
  await checkFile(path);
  return path;
}

/**
 * Creates a draft of a file, which takes the file's place once it is whole. What an earlier draft
 * has left is removed, and with it a link that somebody has put there to have another file written.
 */
export async function createDraft(path: string, mode: number): Promise<Deno.FsFile> {
  try {
    const { isDirectory } = await Deno.lstat(path);
    if (isDirectory) throw new Deno.errors.IsADirectory(`"${path}" is a directory`);
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return await Deno.open(path, { createNew: true, write: true, mode });
}

/**
 * Creates an empty file, and its directory, if it is missing. The database would create one that
 * everybody may read; it gives the files that it puts beside it the same mode.
 */
export async function makeVenueFile(path: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true, mode: OWN_DIRECTORY_MODE });
  try {
    const file = await Deno.open(path, { createNew: true, write: true, mode: OWN_FILE_MODE });
    file.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/** Whether a file is missing or empty, so that a new database would begin in it. */
export async function isBlank(path: string): Promise<boolean> {
  return !await isThere(Deno.stat(path)) || (await Deno.stat(path)).size === 0;
}

/** Refuses a file that another program uses. */
export function throwOfOtherProgram(path: string): never {
  throw new VenueFileError(
    `"${path}" belongs to another program: name another file in KV_PATH`,
  );
}

/** Refuses names that lead to no file. */
async function checkName(path: string): Promise<void> {
  if (!await isThere(Deno.stat(path))) {
    throw new VenueFileError(`"${path}" is a broken link: name the file itself`);
  }
  const { isDirectory } = await Deno.stat(path);
  if (!isDirectory) return;
  throw new VenueFileError(
    `"${path}" is a directory: name a file in it, such as "${join(path, "kvenue.db")}"`,
  );
}

/** Others could put files of their own under the names of those that belong to the venue. */
async function checkDirectory(path: string): Promise<void> {
  const directory = dirname(path);
  if (!await isThere(Deno.stat(directory))) return;
  const { mode } = await Deno.stat(directory);
  // Windows has no modes.
  if (mode === null || (mode & OTHERS_WRITE) === 0) return;
  throw new VenueFileError(
    `"${path}" is in "${directory}", in which every user of this machine can write: name a file ` +
      "in a directory of the venue's own",
  );
}

async function checkFile(path: string): Promise<void> {
  const { isFile, mode, nlink, size } = await Deno.stat(path);
  if (!isFile) return;
  if (nlink !== null && nlink > 1) {
    throw new VenueFileError(
      `"${path}" is one of ${nlink} hard links to one file, each of which would have its own ` +
        "lock: remove all but one",
    );
  }
  // The database would add its tables to those of the other program.
  if (await isOfOtherProgram(path)) throwOfOtherProgram(path);
  await checkCompanions(path, mode);
  // What a database in use has not yet moved into the file is beside it.
  if (size === PAGE_BYTES && !await isThere(Deno.stat(`${path}-wal`))) {
    throw new VenueFileError(
      `"${path}" is empty: its data was in "${path}-wal", which is missing. To copy a ` +
        "running venue, this file alone is not enough. If there never was a venue in it, " +
        "because its first start was interrupted or the disk was full, remove it",
    );
  }
}

/** A file that was read-only has companions that still are, which the platform does not survive. */
async function checkCompanions(path: string, mode: number | null): Promise<void> {
  // Windows has no modes.
  if (mode === null || (mode & OWNER_WRITES) === 0) return;
  const readOnly: string[] = [];
  for (const companion of COMPANIONS.map((suffix) => path + suffix)) {
    if (!await isThere(Deno.stat(companion))) continue;
    const { mode: own } = await Deno.stat(companion);
    if (own !== null && (own & OWNER_WRITES) === 0) readOnly.push(`"${companion}"`);
  }
  if (readOnly.length === 0) return;
  throw new VenueFileError(
    `"${path}" is writable, but not ${readOnly.join(" and ")}: each needs the mode of "${path}"`,
  );
}

/**
 * Whether it is a database whose first page lists tables, but not Deno KV's first one. One with so
 * many tables that they have pages of their own is left to the look at its keys.
 */
async function isOfOtherProgram(path: string): Promise<boolean> {
  using file = await Deno.open(path);
  const page = new Uint8Array(FIRST_PAGE_BYTES_MAX);
  const length = await file.read(page) ?? 0;
  const text = new TextDecoder("latin1").decode(page.subarray(0, length));
  const view = new DataView(page.buffer);
  const hasTables = text.startsWith(SQLITE_MAGIC) && page[TREE_AT] === LEAF_PAGE &&
    view.getUint16(TREE_AT + 3) > 0;
  return hasTables && !text.includes(KV_TABLE);
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
