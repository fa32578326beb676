/** What is served to browsers and bots of the sources and of what is built of them. */
import type { CcxtFiles, ClientFiles } from "../../http/client_files.ts";
import type { BuiltPages } from "../../pages/serving/page_files.ts";
import { PAGE_SETS, type PageSet } from "../../pages/serving/page_paths.ts";

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

/** Returns the pages' scripts and styles; null if they have not been built. */
export async function builtPages(
  folder: URL = BUILT,
): Promise<Readonly<Record<PageSet, BuiltPages>> | null> {
  const sets = await Promise.all(PAGE_SETS.map(async (set) => {
    const [script, style] = await texts(folder, `pages/${set}.js`, `pages/${set}.css`) ?? [];
    return script === undefined || style === undefined ? null : [set, { script, style }] as const;
  }));
  const whole = sets.filter((set) => set !== null);
  return whole.length < sets.length
    ? null
    : Object.fromEntries(whole) as Record<PageSet, BuiltPages>;
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
