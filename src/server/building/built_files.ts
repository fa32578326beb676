/** What is built of the sources for browsers and bots: where it stands, and what is served of it. */
import type { ClientFiles } from "../../http/client_files.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Where built files stand. */
export const BUILT = new URL(".built/", ROOT);
/** The file that the client begins with. */
export const CLIENT_ENTRY = new URL("src/client/client.ts", ROOT);
/** The client's sources. */
export const CLIENT_SOURCES = new URL("src/client/", ROOT);

/** Returns the client's files; null if they have not been built. */
export async function builtClient(folder: URL = BUILT): Promise<ClientFiles | null> {
  try {
    const [code, types] = await Promise.all([
      Deno.readTextFile(new URL("client.js", folder)),
      Deno.readTextFile(new URL("client.d.ts", folder)),
    ]);
    return { code, types };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
