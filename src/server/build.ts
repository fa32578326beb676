/** Which program this is: its version, the commit that it was built from, and what it stores. */
import { join } from "node:path";
import type { BuildInfo } from "../edge/figures.ts";
import { LOG_FORMAT, ROW_FORMAT } from "../store/stored_formats.ts";

/** Version of the software. */
export const VERSION = "1.0.0";

/** The repository that this file belongs to, if it was not installed without one. */
const ROOT = import.meta.dirname === undefined ? null : join(import.meta.dirname, "..", "..");

/** @param build the commit as the setting names it; otherwise git's files tell, if there are any */
export function buildInfo(build: string | null): BuildInfo {
  return {
    version: VERSION,
    build: build ?? (ROOT === null ? null : commitOf(ROOT)),
    formats: { log: LOG_FORMAT, rows: ROW_FORMAT },
  };
}

/** Returns the commit that is checked out in a directory; null if git's files don't tell. */
export function commitOf(root: string): string | null {
  const git = join(root, ".git");
  const head = readText(join(git, "HEAD"));
  const ref = head?.startsWith("ref: ") ? head.slice("ref: ".length) : null;
  if (ref === null) return head;
  const packed = readText(join(git, "packed-refs"))?.split("\n") ?? [];
  return readText(join(git, ref)) ??
    packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0] ?? null;
}

function readText(path: string): string | null {
  try {
    return Deno.readTextFileSync(path).trim();
  } catch {
    // Not a repository, or nothing that may be read: the setting can tell.
    return null;
  }
}
