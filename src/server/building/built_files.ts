/** What is served to browsers and bots of the sources and of what is built of them. */
import type { CcxtFiles, ClientFiles } from "../../http/client_files.ts";
import type { BuiltPages } from "../../pages/serving/page_files.ts";
import { PAGE_SETS } from "../../pages/serving/page_paths.ts";
import { LANGUAGE_CODES } from "../../pages/texts/languages.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Where built files stand. */
export const BUILT = new URL(".built/", ROOT);
/** The file that the client begins with. */
export const CLIENT_ENTRY = new URL("src/client/client.ts", ROOT);
/** The client's sources. */
export const CLIENT_SOURCES = new URL("src/client/", ROOT);
/** The pages' sources. */
export const PAGE_SOURCES = new URL("src/pages/", ROOT);

/** Returns the client's files; null if they have not been built. */
export async function builtClient(folder: URL = BUILT): Promise<ClientFiles | null> {
  const [code, types] = await texts(folder, "client.js", "client.d.ts") ?? [];
  return code === undefined || types === undefined ? null : { code, types };
}

/** Returns what browsers load for the pages; null if that has not been built. */
export async function builtPages(folder: URL = BUILT): Promise<BuiltPages | null> {
  const scripts = await built(folder, PAGE_SETS, "js");
  const styles = await built(folder, PAGE_SETS, "css");
  const ofLanguages = await built(folder, LANGUAGE_CODES, "js");
  if (scripts === null || styles === null || ofLanguages === null) return null;
  const sets = PAGE_SETS.map((set) => [set, { script: scripts[set], style: styles[set] }]);
  return { sets: Object.fromEntries(sets), texts: ofLanguages };
}

async function built<Name extends string>(
  folder: URL,
  names: readonly Name[],
  ending: "js" | "css",
): Promise<Record<Name, string> | null> {
  const read = await texts(folder, ...names.map((name) => `pages/${name}.${ending}`));
  if (read === null) return null;
  return Object.fromEntries(names.map((name, i) => [name, read[i]])) as Record<Name, string>;
}

/** Returns the classes for ccxt, which are served as they are; null where there are no sources. */
export async function ccxtFiles(folder: URL = CLIENT_SOURCES): Promise<CcxtFiles | null> {
  const [javaScript, python] = await texts(folder, "ccxt/kvenue.js", "ccxt/kvenue.py") ?? [];
  return javaScript === undefined || python === undefined ? null : { javaScript, python };
}

async function texts(folder: URL, ...names: readonly string[]): Promise<string[] | null> {
  try {
    return await Promise.all(names.map((name) => Deno.readTextFile(new URL(name, folder))));
  } catch (error) {
    // A venue on a KV server needs to read no files, and may not be allowed to.
    const isAbsent = error instanceof Deno.errors.NotFound ||
      error instanceof Deno.errors.NotCapable;
    if (isAbsent) return null;
    throw error;
  }
}
