/** What is served to browsers and bots of the sources and of what is built of them. */
import type { CcxtFiles, ClientFiles } from "../../http/client_files.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Where built files stand. */
export const BUILT = new URL(".built/", ROOT);
/** The file that the client begins with. */
export const CLIENT_ENTRY = new URL("src/client/client.ts", ROOT);
/** The client's sources. */
export const CLIENT_SOURCES = new URL("src/client/", ROOT);

/** Returns the client's files; null if they have not been built. */
export async function builtClient(folder: URL = BUILT): Promise<ClientFiles | null> {
  const [code, types] = await texts(folder, "client.js", "client.d.ts") ?? [];
  return code === undefined || types === undefined ? null : { code, types };
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
