/** Builds the pages: a script and a style for each set of them. */
import { PAGE_SETS, type PageSet } from "../../pages/serving/page_paths.ts";
import { BUILT, CLIENT_SOURCES, PAGE_SOURCES } from "./built_files.ts";
import { areCurrent, bundle } from "./bundling.ts";

/** Builds the pages into a folder, unless what stands there is newer than their sources. */
export async function buildPages(folder: URL = BUILT): Promise<"built" | "current"> {
  const pages = new URL("pages/", folder);
  const files = PAGE_SETS.flatMap((set) => [
    new URL(`${set}.js`, pages),
    new URL(`${set}.css`, pages),
  ]);
  if (await areCurrent(files, [CLIENT_SOURCES, PAGE_SOURCES])) return "current";
  await Deno.mkdir(pages, { recursive: true });
  await Promise.all(PAGE_SETS.map((set) => buildSet(set, pages)));
  return "built";
}

/** First under other names: whoever reads meanwhile gets the ones before. */
async function buildSet(set: PageSet, pages: URL): Promise<void> {
  const [newStyle, newScript] = [new URL(`${set}.new.css`, pages), new URL(`${set}.new.js`, pages)];
  const styles = [...await stylesIn("shared/"), ...await stylesIn(`${set}/`)];
  await Deno.writeTextFile(newStyle, styles.join("\n"));
  await bundle(new URL(`${set}/${set}_page.tsx`, PAGE_SOURCES), newScript);
  await Deno.rename(newStyle, new URL(`${set}.css`, pages));
  await Deno.rename(newScript, new URL(`${set}.js`, pages));
}

async function stylesIn(room: string): Promise<string[]> {
  const folder = new URL(room, PAGE_SOURCES);
  const names = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name))
    .filter((name) => name.endsWith(".css")).sort();
  return await Promise.all(names.map((name) => Deno.readTextFile(new URL(name, folder))));
}
