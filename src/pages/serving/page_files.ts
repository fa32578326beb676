/** What browsers load for the pages: scripts and styles, kept for ever under names of their content. */
import { gzipSync } from "node:zlib";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Hono } from "hono";
import { answerBody } from "../../edge/answer.ts";
import type { Env } from "../../edge/env.ts";
import { UNDERWAY_BYTES, type UnsentAnswers } from "../../edge/reading/unsent_answers.ts";
import type { PageSet } from "./page_paths.ts";

/** The script and the style of a set of pages, as they have been built. */
export interface BuiltPages {
  readonly script: string;
  readonly style: string;
}

/** Where browsers find them. */
export interface PageUrls {
  readonly script: string;
  readonly style: string;
}

/** The venue's mark, for tabs. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#1d6fd8"/>
<path d="M9 7v18M9 17l11-10M13 14l9 11" fill="none" stroke="#fff" stroke-width="3.4"/></svg>`;

/** Path of the icon. */
export const ICON_PATH = "/pages/icon.svg";

const KEPT = { "Cache-Control": "public, max-age=31536000, immutable" };

/** Mounts what has been built; returns where it is, by set of pages. */
export function mountPageFiles(
  app: Hono<Env>,
  built: Readonly<Record<PageSet, BuiltPages>>,
  unsent: Pick<UnsentAnswers, "body">,
): Readonly<Record<PageSet, PageUrls>> {
  const mount = (name: string, type: string, text: string) => {
    const bytes = utf8ToBytes(text);
    const [stem, ending] = name.split(".");
    const path = `/pages/${stem}-${bytesToHex(sha256(bytes)).slice(0, 16)}.${ending}`;
    mountFile(app, path, { bytes, type, headers: KEPT }, unsent);
    return path;
  };
  const urls = Object.entries(built).map(([set, { script, style }]) =>
    [set, {
      script: mount(`${set}.js`, "text/javascript; charset=UTF-8", script),
      style: mount(`${set}.css`, "text/css; charset=UTF-8", style),
    }] as const
  );
  return Object.fromEntries(urls) as Record<PageSet, PageUrls>;
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
