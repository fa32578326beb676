/** Serves the client as one file with its types, to bots and pages of any origin. */
import type { Hono } from "hono";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { answerBody } from "../edge/answer.ts";
import type { Env } from "../edge/env.ts";
import { UNDERWAY_BYTES, type UnsentAnswers } from "../edge/reading/unsent_answers.ts";

/** The client, as it has been built. */
export interface ClientFiles {
  /** A module for browsers, Deno and Node. */
  readonly code: string;
  /** Its declarations in TypeScript. */
  readonly types: string;
}

/** The venue as an exchange of ccxt, as it stands in the sources. */
export interface CcxtFiles {
  /** A module for Node, Deno and Bun. */
  readonly javaScript: string;
  /** A module for Python. */
  readonly python: string;
}

/** Path of the client, and of its types. */
const CODE_PATH = "/client.js";
const TYPES_PATH = "/client.d.ts";

/** Paths of the classes for ccxt. */
const JAVASCRIPT_PATH = "/client/ccxt/kvenue.js";
const PYTHON_PATH = "/client/ccxt/kvenue.py";

const JAVASCRIPT = "text/javascript; charset=UTF-8";

const NOT_BUILT =
  "The client is not built, or may not be read. Run `deno task build` where the venue is installed, " +
  "and start the venue again.\n";

/** Mounts the client's files; without them, their paths say how to make them. */
export function mountClient(
  app: Hono<Env>,
  files: ClientFiles | null,
  unsent: Pick<UnsentAnswers, "body">,
): void {
  mountFile(app, CODE_PATH, JAVASCRIPT, files?.code ?? null, unsent);
  mountFile(app, TYPES_PATH, "application/typescript; charset=UTF-8", files?.types ?? null, unsent);
}

/** Mounts the classes for ccxt, if they are there. */
export function mountCcxt(
  app: Hono<Env>,
  files: CcxtFiles | null,
  unsent: Pick<UnsentAnswers, "body">,
): void {
  if (files === null) return;
  const { javaScript, python } = files;
  mountFile(app, JAVASCRIPT_PATH, JAVASCRIPT, javaScript, unsent);
  mountFile(app, PYTHON_PATH, "text/x-python; charset=UTF-8", python, unsent);
}

function mountFile(
  app: Hono<Env>,
  path: string,
  type: string,
  text: string | null,
  unsent: Pick<UnsentAnswers, "body">,
): void {
  const bytes = utf8ToBytes(text ?? NOT_BUILT);
  const tag = `"${bytesToHex(sha256(bytes)).slice(0, 32)}"`;
  const anywhere = { "Access-Control-Allow-Origin": "*" };
  // Where Deno finds the types of a module that it imports.
  const typed = path === CODE_PATH ? { "X-TypeScript-Types": `.${TYPES_PATH}` } : {};
  const kept = { ...anywhere, ...typed, "Cache-Control": "no-cache", "ETag": tag };
  app.get(path, (c) => {
    if (text === null) {
      return answerBody(c, 404, NOT_BUILT, "text/plain; charset=UTF-8", anywhere);
    }
    if (c.req.header("if-none-match") === tag) return answerBody(c, 304, null, undefined, kept);
    const body = unsent.body(c, bytes, UNDERWAY_BYTES);
    const headers = { ...kept, "Content-Length": String(bytes.length) };
    return answerBody(c, 200, body, type, headers);
  });
}
