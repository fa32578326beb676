/** Reads bodies within their size limits, and parses JSON and forms. */
import type { Context } from "hono";
import type { AnswerHeaders } from "./answer.ts";
import type { ArrivingBodies } from "./arriving_bodies.ts";
import { Deadline } from "./deadline.ts";
import type { Env } from "./env.ts";
import { ApiError, INVALID_BODY, unavailable } from "./errors.ts";
import { isSameDecimal } from "./plain_decimal.ts";

/** Maximum size of an ordinary body, in bytes; anybody may send one, and have it parsed. */
export const BODY_BYTES_MAX = 4 * 1024;
/** Maximum size of the body of an operator's call, in bytes. */
export const OPERATOR_BODY_BYTES_MAX = 64 * 1024;
/** Maximum size of a bulk request's body, in bytes. */
export const BULK_BODY_BYTES_MAX = 256 * 1024;
/** Maximum depth of nested JSON values; no call needs more than half of it. */
const JSON_DEPTH_MAX = 8;
/** Maximum number of chunks of a body without a declared length: each costs time, however short. */
export const BODY_CHUNKS_MAX = 4_096;
/** Maximum length of a multipart type, in characters; the platform parses it in quadratic time. */
const MULTIPART_TYPE_LENGTH_MAX = 256;
/** Maximum number of multipart parts: each takes time, a file 50 times as much as a field. */
export const MULTIPART_PARTS_MAX = 100;
/** How long a body may take to arrive, in ms. */
const BODY_MS_MAX = 10_000;

const arrivals = new Deadline(BODY_MS_MAX);

/** Has clients close the connection: the rest of the body cannot be told from the next call. */
const CLOSING: AnswerHeaders = { "Connection": "close" };

/** What bodies are read with. */
export interface BodyReading {
  readonly bodies: ArrivingBodies;
  /** Whether the process is shutting down. */
  readonly isEnding: () => boolean;
  /** Bounds the wait for the whole body. */
  readonly deadline?: Deadline;
}

/**
 * Reads the text of a body, before anything else reads the call.
 *
 * @throws {ApiError} 413 for more than `bytesMax` bytes or {@linkcode BODY_CHUNKS_MAX} chunks, 408
 * for one that does not arrive in time, 400 for one that breaks off, 503 if the venue broke it off
 * or has too many on their way
 */
export async function readBody(
  c: Context<Env>,
  bytesMax: number,
  { bodies, isEnding, deadline = arrivals }: BodyReading,
): Promise<string> {
  const declared = c.req.header("content-length");
  // A body without a declared length is read as a stream, which takes longer.
  const stream = declared === undefined ? c.req.raw.body : null;
  if (declared === undefined && stream === null) return "";
  if (Number(declared) > bytesMax) throw tooLarge(bytesMax);
  if (declared !== undefined && c.req.header("transfer-encoding") !== undefined) throw twofold();
  const end = bodies.take(c, stream === null ? Number(declared) : bytesMax);
  const text = stream === null ? c.req.text() : readStream(stream, bytesMax);
  // Not at the deadline: what has come stays in memory until the client is gone.
  text.then(end, end);
  try {
    return await deadline.within(text, tooSlow);
  } catch (error) {
    throw error instanceof ApiError ? error : incomplete(isEnding());
  }
}

/**
 * Returns the error for an incomplete body. The client disconnected, which is not a fault of the
 * venue, or the process ends, and the client may send the call elsewhere.
 */
function incomplete(isEnding: boolean): ApiError {
  return isEnding ? unavailable() : new ApiError(400, INVALID_BODY);
}

async function readStream(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let chunks = 0;
  let text = "";
  // Throwing here cancels the stream, so the rest is not read.
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    chunks += 1;
    if (bytes > bytesMax) throw tooLarge(bytesMax, CLOSING);
    if (chunks > BODY_CHUNKS_MAX) throw tooLarge(`${BODY_CHUNKS_MAX} chunks`, CLOSING);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Returns the error for a body with two lengths, in which another reader could see two calls. */
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
 * Returns the value of a body: JSON unless its type says it is a form. Numbers become the text that
 * the body has, so that no decimal passes through a float.
 *
 * @param asGiven name of the caller's own field, whose numbers stay numbers
 * @returns `undefined` for an empty body and for a literal `null`; a promise for multipart only
 * @throws {ApiError} 400 if the body is not what it claims to be
 */
export function parseBody(
  contentType: string | undefined,
  text: string,
  asGiven?: string,
): unknown | Promise<unknown> {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    // A multipart body would be one unknown field of a form: with another type, a signed cancel for
    // one market could be turned into one for all.
    if (/^\s*--/.test(text)) throw new ApiError(400, INVALID_BODY);
    // Clients that set this type by default still send JSON.
    if (!/^\s*[{[]/.test(text)) return formValue(new URLSearchParams(text));
  } else if (type === "multipart/form-data" && text.trim() !== "") {
    return multipartValue(contentType ?? "", text);
  }
  return text.trim() === "" ? undefined : parseJson(text, asGiven) ?? undefined;
}

function parseJson(text: string, asGiven: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Only texts that hold a number pay for a second parse.
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
 * Parses JSON text whose depth functions may safely recurse.
 *
 * @throws {SyntaxError} if it is not JSON
 * @throws {RangeError} if it is too deep
 */
export function parseShallow(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // It visits the whole value, and throws if that is too deep.
  holdsNumber(value);
  return value;
}

/** Parses text that is known to be JSON, with each number as the text that it was written as. */
export function parseExactly(text: string): unknown {
  return JSON.parse(withNumbers(text, quoted));
}

/**
 * Parses JSON text, with its numbers as numbers; those that would lose digits become the text that
 * they were written as.
 *
 * @throws {SyntaxError} if it is not JSON
 * @throws {RangeError} if it is too deep
 */
export function parseAsGiven(text: string): unknown {
  parseShallow(text);
  return JSON.parse(withNumbers(text, keptNumber));
}

/**
 * Returns whether a JSON value holds a number. It visits the whole value even after finding one,
 * since the rest may be too deep.
 *
 * @throws {RangeError} if it is deeper than functions may recurse
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

/** Matches numbers in JSON, and strings, which may hold digits. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/** Returns JSON text with its numbers rewritten; a reviver would take seven times as long. */
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
    // Each part begins with a line of its own, and one more line ends the last.
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

/** The suffix that some languages append to the name of a list field: `state[]`, `state[0]`. */
const LIST_MARK = /\[\d*\]$/;

/** Returns the values by name; a repeated name has a list, which only list fields accept. */
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
