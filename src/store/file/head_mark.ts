/**
 * A mark outside the store of how far the log once was: a damaged database may lose its tail
 * silently, which a chain of hashes can't detect.
 */
import { createDraft, OWN_FILE_MODE } from "./venue_file.ts";

const encoder = new TextEncoder();

/** How far the log was. */
export interface HeadMark {
  readonly epoch: string;
  readonly sequence: number;
  /** Chain hash in hex. */
  readonly hash: string;
  /** The highest nonce that a read has used; earlier programs noted none. */
  readonly nonce?: number;
}

/** Reads the mark beside a KV file; null if there is none. */
export async function readHeadMark(path: string): Promise<HeadMark | null> {
  try {
    return JSON.parse(await Deno.readTextFile(markPath(path))) as HeadMark;
  } catch (error) {
    // A torn write says nothing; a missing file means a first start.
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Whether there is a mark beside a KV file that says nothing: it is cut off, or none of a venue's. */
export async function isHeadMarkTorn(path: string): Promise<boolean> {
  try {
    const mark: Partial<HeadMark> | null = JSON.parse(await Deno.readTextFile(markPath(path)));
    const { epoch, hash, sequence } = mark ?? {};
    return typeof epoch !== "string" || typeof hash !== "string" || !Number.isSafeInteger(sequence);
  } catch (error) {
    if (error instanceof SyntaxError) return true;
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Replaces the mark in one step; keeps the mode that the owner has given it. */
export async function writeHeadMark(path: string, mark: HeadMark): Promise<void> {
  const draft = `${markPath(path)}.new`;
  const mode = await modeOf(markPath(path));
  using file = await createDraft(draft, mode);
  await writeAll(file, encoder.encode(JSON.stringify(mark)));
  await Deno.rename(draft, markPath(path));
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await file.write(rest));
}

async function modeOf(path: string): Promise<number> {
  try {
    const { mode } = await Deno.stat(path);
    // Windows has no modes.
    return mode === null ? OWN_FILE_MODE : mode & 0o777;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return OWN_FILE_MODE;
    throw error;
  }
}

function markPath(path: string): string {
  return `${path}.head`;
}
