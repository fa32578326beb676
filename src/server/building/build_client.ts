/** Builds the client: one file for browsers and bots, and its types. */
import { BUILT, CLIENT_ENTRY, CLIENT_SOURCES } from "./built_files.ts";
import { areCurrent, bundle } from "./bundling.ts";

/** Builds the client into a folder, unless what stands there is newer than its sources. */
export async function buildClient(folder: URL = BUILT): Promise<"built" | "current"> {
  const code = new URL("client.js", folder);
  const types = new URL("client.d.ts", folder);
  if (await areCurrent([code, types], [CLIENT_SOURCES])) return "current";
  await Deno.mkdir(folder, { recursive: true });
  // Only whoever builds needs the compiler.
  const { clientDeclarations } = await import("./client_declarations.ts");
  const declarations = await clientDeclarations(CLIENT_ENTRY);
  // First under other names: whoever reads meanwhile gets the ones before.
  const [newCode, newTypes] = [
    new URL("client.new.js", folder),
    new URL("client.new.d.ts", folder),
  ];
  await Deno.writeTextFile(newTypes, declarations);
  await bundle(CLIENT_ENTRY, newCode);
  await Deno.rename(newTypes, types);
  await Deno.rename(newCode, code);
  return "built";
}
