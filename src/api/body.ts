/** Reading bodies: their size limit, and JSON and form text to values. */
import type { Context } from "hono";
import type { AnswerHeaders } from "./answer.ts";
import { Deadline } from "./deadline.ts";
import type { Env } from "./env.ts";
import { ApiError, INVALID_BODY, unavailable } from "./errors.ts";
import { isSameDecimal } from "./plain_decimal.ts";

/** Bytes of an ordinary body. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Bytes of a bulk request's body. */
export const BULK_BODY_BYTES_MAX = 256 * 1024;
/** How deep the values of JSON may lie in one another; no call needs more than half of it. */
const JSON_DEPTH_MAX = 16;
/** Pieces of a body whose length is not declared: each costs, however short it is. */
export const BODY_CHUNKS_MAX = 4_096;
/** Characters of a multipart type, whose boundary has 70 at most: the platform reads it in a time that grows with its square. */
const MULTIPART_TYPE_LENGTH_MAX = 256;
/** Parts of a multipart form: each costs, as a file fifty times as much, and no call has more fields. */
export const MULTIPART_PARTS_MAX = 100;
/** How long a body may take to arrive, in ms. */
const BODY_MS_MAX = 10_000;

const arrivals = new Deadline(BODY_MS_MAX);

/** What is still to come of the body cannot be told from a next call: the connection ends. */
const CLOSING: AnswerHeaders = { "Connection": "close" };

/**
 * The text of a body, read before anything else looks at the call.
 *
 * @param isEnding whether the process is to end
 * @param deadline of the whole body
 * @throws {ApiError} 413 for more than `bytesMax` bytes or {@linkcode BODY_CHUNKS_MAX} pieces,
 * 408 for one that does not come, 400 for one that breaks off, 503 where the venue has broken it off
 */
export function readBody(
  c: Context<Env>,
  bytesMax: number,
  isEnding: () => boolean = () => false,
  deadline: Deadline = arrivals,
): Promise<string> {
  const throwIncomplete = (error: unknown) => {
    throw error instanceof ApiError ? error : incomplete(isEnding());
  };
  const declared = c.req.header("content-length");
  if (declared === undefined) {
    const { body } = c.req.raw;
    return body === null
      ? Promise.resolve("")
      : deadline.within(readStream(body, bytesMax), tooSlow).catch(throwIncomplete);
  }
  if (Number(declared) > bytesMax) return Promise.reject(tooLarge(bytesMax));
  if (c.req.header("transfer-encoding") !== undefined) return Promise.reject(twofold());
  return deadline.within(c.req.text(), tooSlow).catch(throwIncomplete);
}

/**
 * A client that hangs up is no fault of the venue's; the answer reaches nobody. Of a process that
 * ends the platform takes away what is still to come: the client may send it elsewhere.
 */
function incomplete(isEnding: boolean): ApiError {
  return isEnding ? unavailable() : new ApiError(400, INVALID_BODY);
}

async function readStream(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let chunks = 0;
  let text = "";
  // What is thrown cancels the stream: the rest is not read.
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    chunks += 1;
    if (bytes > bytesMax) throw tooLarge(bytesMax, CLOSING);
    if (chunks > BODY_CHUNKS_MAX) throw tooLarge(`${BODY_CHUNKS_MAX} chunks`, CLOSING);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Where the body ends is said in two ways, which older runtimes let pass: another reader would see two calls. */
function twofold(): ApiError {
  return new ApiError(400, INVALID_BODY, { headers: CLOSING });
}

function tooSlow(): ApiError {
  return new ApiError(408, "server.body_timeout", { headers: CLOSING });
}

function tooLarge(limit: number | string, headers: AnswerHeaders = {}): ApiError {
  return new ApiError(413, "server.body_too_large", { details: { limit: String(limit) }, headers });
}

/**
 * The value of a body: JSON unless its type says form. Numbers come as
 * the text that stood in the body, so that no decimal passes a float.
 *
 * @param asGiven name of the field that is the caller's own: its numbers stay numbers
 * @returns `undefined` for an empty body and for a literal `null`; a promise for multipart alone
 * @throws {ApiError} 400 where the body is not what it claims to be
 */
export function parseBody(
  contentType: string | undefined,
  text: string,
  asGiven?: string,
): unknown | Promise<unknown> {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    // Clients that set this type by default send JSON all the same.
    if (!/^\s*[{[]/.test(text)) return formValue(new URLSearchParams(text));
  } else if (type === "multipart/form-data") {
    return multipartValue(contentType ?? "", text);
  }
  return text.trim() === "" ? undefined : parseJson(text, asGiven) ?? undefined;
}

function parseJson(text: string, asGiven: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // A second parse: only texts that hold a number pay it.
    if (!holdsNumber(value)) return value;
    const exact = parseExactly(text);
    if (asGiven === undefined || !isObject(exact)) return exact;
    const given = parseAsGiven(text) as Record<string, unknown>;
    return asGiven in exact ? { ...exact, [asGiven]: given[asGiven] } : exact;
  } catch {
    throw new ApiError(400, INVALID_BODY);
  }
}

/**
 * The value of JSON text, over which functions may recurse.
 *
 * @throws {SyntaxError} it is no JSON
 * @throws {RangeError} it is too deep
 */
export function parseShallow(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // It looks at all of the value, and throws where that is too deep.
  holdsNumber(value);
  return value;
}

/** The value of text that is known to be JSON, with each number as the text that stood there. */
export function parseExactly(text: string): unknown {
  return JSON.parse(withNumbers(text, quoted));
}

/**
 * The value of JSON text with its numbers, but for those that would lose digits: they are the text
 * that stood there.
 *
 * @throws {SyntaxError} it is no JSON
 * @throws {RangeError} it is too deep
 */
export function parseAsGiven(text: string): unknown {
  parseShallow(text);
  return JSON.parse(withNumbers(text, keptNumber));
}

/**
 * Whether there is a number anywhere in a value of JSON. All of it is looked at, since what comes
 * behind the number may be too deep.
 *
 * @throws {RangeError} it is deeper than functions may recurse
 */
export function holdsNumber(value: unknown, depth: number = JSON_DEPTH_MAX): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "number";
  if (depth === 0) throw new RangeError("The JSON is too deep");
  let isFound = false;
  for (const item of Object.values(value)) {
    if (holdsNumber(item, depth - 1)) isFound = true;
  }
  return isFound;
}

/** What of JSON is a number, or a string, which may hold the like. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/** JSON text with its numbers written otherwise: a reviver, which is told them, takes seven times as long. */
function withNumbers(json: string, written: (number: string) => string): string {
  return json.replace(STRING_OR_NUMBER, (text) => text.startsWith('"') ? text : written(text));
}

function quoted(number: string): string {
  return `"${number}"`;
}

function keptNumber(number: string): string {
  return isSameDecimal(String(Number(number)), number) ? number : quoted(number);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function multipartValue(contentType: string, text: string): Promise<unknown> {
  try {
    if (contentType.length > MULTIPART_TYPE_LENGTH_MAX) {
      throw new RangeError("No boundary is so long");
    }
    // Each of them begins with a line of its own, and one more line ends the last.
    if (text.split("\n--").length - 1 > MULTIPART_PARTS_MAX) {
      throw new RangeError("No call has so many fields");
    }
    const form = await new Response(text, { headers: { "Content-Type": contentType } }).formData();
    const pairs = new URLSearchParams();
    for (const [name, value] of form) {
      pairs.append(name, typeof value === "string" ? value : await value.text());
    }
    return formValue(pairs);
  } catch {
    throw new ApiError(400, INVALID_BODY);
  }
}

/** What some languages put behind the name of a field of several values: `state[]`, `state[0]`. */
const LIST_MARK = /\[\d*\]$/;

/** Names → values; a repeated name has a list, which only fields of several values take. */
export function formValue(pairs: URLSearchParams): Record<string, string | string[]> {
  const value: Record<string, string | string[]> = Object.create(null);
  for (const [name, text] of pairs) {
    const key = name.replace(LIST_MARK, "");
    const before = value[key];
    if (before === undefined) value[key] = text;
    else if (typeof before === "string") value[key] = [before, text];
    else before.push(text);
  }
  return value;
}
