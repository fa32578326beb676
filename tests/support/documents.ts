/** The documents for people, and what they point at. */

const ROOT = new URL("../../", import.meta.url);

/** A document in Markdown. */
export interface PeoplesDocument {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** What the project is, and how to begin. */
export const README = documentAt("README.md");
/** How the program works, and what a change has to touch. */
export const HOW_IT_WORKS = documentAt("src/README.md");
/** How to run a venue. */
export const OPERATING = documentAt("src/guides/operating.md");
/** What a client has to know. */
export const INTERFACE = documentAt("src/guides/interface.md");
/** What is measured, and survived. */
export const MEASURED = documentAt("tests/README.md");

/** All of them. */
export const DOCUMENTS: readonly PeoplesDocument[] = [
  README,
  HOW_IT_WORKS,
  OPERATING,
  INTERFACE,
  MEASURED,
];

function documentAt(path: string): PeoplesDocument {
  return { path, text: Deno.readTextFileSync(new URL(path, ROOT)) };
}

/** Returns the headings of a document, in order. */
export function headingsOf({ text }: PeoplesDocument): string[] {
  return [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
}

/** Returns the anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(document: PeoplesDocument): string[] {
  const times = new Map<string, number>();
  return headingsOf(document).map((heading) => {
    const anchor = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(" ", "-");
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

/** Returns the blocks of code of a document, of these languages. */
export function blocksOf({ text }: PeoplesDocument, languages: RegExp): string[] {
  return [...text.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)]
    .filter(([, language = ""]) => languages.test(language))
    .map(([, , block = ""]) => block);
}

/** Returns the pieces of code in a document's sentences. */
export function codeSpansOf({ text }: PeoplesDocument): string[] {
  return [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
}

/** Returns what is wrong with the links of a document to others and to headings. */
export function linkFaults(document: PeoplesDocument): string[] {
  const { path, text } = document;
  const links = [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = ""]) => to);
  return links.filter((link) => !/^[a-z]+:/.test(link)).flatMap((link) => {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : pathOf(new URL(file, new URL(path, ROOT)));
    if (file !== "" && !exists(target)) return [`${path}: "${link}" leads to no file`];
    if (anchor === undefined) return [];
    const targetText = target === path ? document : documentAt(target);
    return anchorsOf(targetText).includes(anchor) ? [] : [`${path}: "${link}" is no heading`];
  });
}

/** Returns the paths of the repository that a document names and that are not there. */
export function pathFaults(document: PeoplesDocument): string[] {
  const { path, text } = document;
  const inText = text.match(/(?<![\w/.…-])(?:src|tests|\.ci)\/[\w./*-]*[\w*]/g) ?? [];
  const atRoot = codeSpansOf(document).filter((span) => /^[\w-]+\.(?:ts|tsx|json|md)$/.test(span));
  return [...inText, ...atRoot].filter((named) => !exists(named)).map((named) =>
    `${path} names ${named}, which is not there`
  );
}

/** Leaves blocks of code out. */
function withoutFences(text: string): string {
  return text.replaceAll(/^ *```.*?^ *```$/gms, "");
}

function pathOf(url: URL): string {
  return url.pathname.slice(ROOT.pathname.length);
}

/** Whether a path is there; a `*` stands for any part of a file's name. */
function exists(path: string): boolean {
  const [, folder = "", name = ""] = /^(.*?)([^/]*)\/?$/.exec(path) ?? [];
  const pattern = new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  try {
    return [...Deno.readDirSync(new URL(folder, ROOT))].some((entry) => pattern.test(entry.name));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
