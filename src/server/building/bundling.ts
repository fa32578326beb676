/** Makes one file for browsers of a file and all that it imports, and knows when that is needed. */

/** Makes the file, which has another name until it is whole. */
export async function bundle(entry: URL, output: URL): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--platform", "browser", "--minify", "-o", pathOf(output), pathOf(entry)],
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`"deno bundle" failed: ${new TextDecoder().decode(stderr)}`);
}

/** Whether files have been made of sources as they are now. */
export async function areCurrent(made: readonly URL[], sources: readonly URL[]): Promise<boolean> {
  const oldest = Math.min(...await Promise.all(made.map(changedAt)));
  return oldest > Math.max(...await Promise.all(sources.map(newestIn)));
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
