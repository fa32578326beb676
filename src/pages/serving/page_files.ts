/** What browsers load for the pages: scripts and styles, kept for ever under names of their content. */
import { gzipSync } from "node:zlib";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Hono } from "hono";
import { answerBody } from "../../edge/answer.ts";
import type { Env } from "../../edge/env.ts";
import { UNDERWAY_BYTES, type UnsentAnswers } from "../../edge/reading/unsent_answers.ts";
import type { Language } from "../texts/languages.ts";
import type { PageSet } from "./page_paths.ts";

/** What has been built for browsers. */
export interface BuiltPages {
  /** The script and the style of each set of pages. */
  readonly sets: Readonly<Record<PageSet, { readonly script: string; readonly style: string }>>;
  /** A module with the texts of each language. */
  readonly texts: Readonly<Record<Language, string>>;
}

/** Where a browser finds what a page loads. */
export interface PageUrls {
  readonly script: string;
  readonly style: string;
  readonly texts: string;
}

/** The venue's mark, for tabs. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#1d6fd8"/>
<path d="M9 7v18M9 17l11-10M13 14l9 11" fill="none" stroke="#fff" stroke-width="3.4"/></svg>`;

/** Path of the icon. */
export const ICON_PATH = "/pages/icon.svg";

const TYPES = { js: "text/javascript; charset=UTF-8", css: "text/css; charset=UTF-8" };
const KEPT = { "Cache-Control": "public, max-age=31536000, immutable" };

/** Mounts what has been built; returns what says where it is. */
export function mountPageFiles(
  app: Hono<Env>,
  { sets, texts }: BuiltPages,
  unsent: Pick<UnsentAnswers, "body">,
): (set: PageSet, language: Language) => PageUrls {
  const mounted = (ending: "js" | "css", files: Readonly<Record<string, string>>) =>
    new Map(
      Object.entries(files).map(([name, text]) => {
        const bytes = utf8ToBytes(text);
        const path = `/pages/${name}-${bytesToHex(sha256(bytes)).slice(0, 16)}.${ending}`;
        mountFile(app, path, { bytes, type: TYPES[ending], headers: KEPT }, unsent);
        return [name, path];
      }),
    );
  const parts = (part: "script" | "style") =>
    Object.fromEntries(Object.entries(sets).map(([set, built]) => [set, built[part]]));
  const [scripts, styles] = [mounted("js", parts("script")), mounted("css", parts("style"))];
  const ofTexts = mounted("js", texts);
  return (set, language) => ({
    script: scripts.get(set) ?? "",
    style: styles.get(set) ?? "",
    texts: ofTexts.get(language) ?? "",
  });
}

/** Mounts the icon. */
export function mountIcon(app: Hono<Env>, unsent: Pick<UnsentAnswers, "body">): void {
  const file = { bytes: utf8ToBytes(ICON), type: "image/svg+xml", headers: {} };
  mountFile(app, ICON_PATH, file, unsent);
}

interface ServedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}

function mountFile(
  app: Hono<Env>,
  path: string,
  { bytes, type, headers }: ServedFile,
  unsent: Pick<UnsentAnswers, "body">,
): void {
  const packed = new Uint8Array(gzipSync(bytes));
  app.get(path, (c) => {
    const takesPacked = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
    const sent = takesPacked ? packed : bytes;
    return answerBody(c, 200, unsent.body(c, sent, UNDERWAY_BYTES), type, {
      ...headers,
      ...(takesPacked ? { "Content-Encoding": "gzip" } : {}),
      "Content-Length": String(sent.length),
      "Vary": "Accept-Encoding",
    });
  });
}
