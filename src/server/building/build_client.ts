/** Builds what a venue serves to bots and pages: `deno task build`. */
import { BUILT, CLIENT_ENTRY, CLIENT_SOURCES } from "./built_files.ts";

/** Builds the client into a folder, unless what stands there is newer than its sources. */
export async function buildClient(folder: URL = BUILT): Promise<"built" | "current"> {
  const code = new URL("client.js", folder);
  const types = new URL("client.d.ts", folder);
  const made = Math.min(await changedAt(code), await changedAt(types));
  if (made > await newestIn(CLIENT_SOURCES)) return "current";
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

async function bundle(entry: URL, output: URL): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--platform", "browser", "--minify", "-o", pathOf(output), pathOf(entry)],
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`"deno bundle" failed: ${new TextDecoder().decode(stderr)}`);
}

function pathOf(url: URL): string {
  const path = decodeURIComponent(url.pathname);
  return Deno.build.os === "windows" ? path.slice(1) : path;
}

/** Returns when a file was changed, in ms since 1970; -Infinity if there is none. */
async function changedAt(file: URL): Promise<number> {
  try {
    return (await Deno.stat(file)).mtime?.getTime() ?? -Infinity;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return -Infinity;
    throw error;
  }
}

async function newestIn(folder: URL): Promise<number> {
  let newest = -Infinity;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const url = new URL(isDirectory ? `${name}/` : name, folder);
    newest = Math.max(newest, isDirectory ? await newestIn(url) : await changedAt(url));
  }
  return newest;
}
