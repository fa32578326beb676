/** Builds the pages: a script and a style for each set of them, and the texts of each language. */
import { PAGE_SETS, type PageSet } from "../../pages/serving/page_paths.ts";
import { LANGUAGE_CODES } from "../../pages/texts/languages.ts";
import { BUILT, CLIENT_SOURCES, PAGE_SOURCES } from "./built_files.ts";
import { areCurrent, bundle } from "./bundling.ts";

/** Builds the pages into a folder, unless what stands there is newer than their sources. */
export async function buildPages(folder: URL = BUILT): Promise<"built" | "current"> {
  const pages = new URL("pages/", folder);
  const files = [
    ...PAGE_SETS.flatMap((set) => [`${set}.js`, `${set}.css`]),
    ...LANGUAGE_CODES.map((code) => `${code}.js`),
  ].map((name) => new URL(name, pages));
  if (await areCurrent(files, [CLIENT_SOURCES, PAGE_SOURCES])) return "current";
  await Deno.mkdir(pages, { recursive: true });
  await Promise.all([
    ...PAGE_SETS.map((set) => buildStyle(set, pages)),
    ...PAGE_SETS.map((set) => buildScript(`${set}/${set}_page.tsx`, `${set}.js`, pages)),
    ...LANGUAGE_CODES.map((code) => buildScript(`texts/${code}.ts`, `${code}.js`, pages)),
  ]);
  return "built";
}

/** First under another name: whoever reads meanwhile gets the one before. */
async function buildScript(entry: string, name: string, pages: URL): Promise<void> {
  const made = new URL(`new.${name}`, pages);
  await bundle(new URL(entry, PAGE_SOURCES), made);
  await Deno.rename(made, new URL(name, pages));
}

async function buildStyle(set: PageSet, pages: URL): Promise<void> {
  const made = new URL(`new.${set}.css`, pages);
  const styles = [...await stylesIn("shared/"), ...await stylesIn(`${set}/`)];
  await Deno.writeTextFile(made, styles.join("\n"));
  await Deno.rename(made, new URL(`${set}.css`, pages));
}

async function stylesIn(room: string): Promise<string[]> {
  const folder = new URL(room, PAGE_SOURCES);
  const names = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name))
    .filter((name) => name.endsWith(".css")).sort();
  return await Promise.all(names.map((name) => Deno.readTextFile(new URL(name, folder))));
}
