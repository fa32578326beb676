/** Reads bodies within their size limits, and parses JSON and forms. */
import type { Context } from "hono";
import type { AnswerHeaders } from "../answer.ts";
import type { ArrivingBodies } from "./arriving_bodies.ts";
import { Deadline } from "./deadline.ts";
import type { Env } from "../env.ts";
import { ApiError, INVALID_BODY, repeatedField, unavailable } from "../errors.ts";
import { parseExactly, RepeatedKeyError } from "./exact_json.ts";

/** Maximum size of an ordinary body, in bytes; anybody may send one, and have it parsed. */
export const BODY_BYTES_MAX = 4 * 1024;
/** Maximum size of the body of an operator's call, in bytes. */
export const OPERATOR_BODY_BYTES_MAX = 64 * 1024;
/** Maximum size of a bulk request's body, in bytes. */
export const BULK_BODY_BYTES_MAX = 256 * 1024;
/** Maximum number of chunks of a body without a declared length: each costs time, however short. */
export const BODY_CHUNKS_MAX = 4_096;
/** Maximum length of a multipart type, in characters; the platform parses it in quadratic time. */
const MULTIPART_TYPE_LENGTH_MAX = 256;
/** Maximum number of multipart parts: each takes time, a file 50 times as much as a field. */
export const MULTIPART_PARTS_MAX = 100;
/** How long a body may take to arrive, in ms. */
const BODY_MS_MAX = 10_000;

/** What JSON takes for nothing: a body with any other character is not empty. */
const BLANK = /^[ \t\r\n]*$/;

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
 * for one that does not arrive in time, 400 for one that breaks off or is a byte order mark alone,
 * 503 if the venue broke it off or has too many on their way
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
  try {
    // Not ended at the deadline: what has come stays in memory until the client is gone.
    const read = await deadline.within(text, tooSlow, end);
    return stream === null ? notMarkAlone(read, Number(declared)) : read;
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
  return notMarkAlone(text + decoder.decode(), bytes);
}

/** Decoding drops a byte order mark: what looks empty without it is not what its client has sent. */
function notMarkAlone(text: string, bytes: number): string {
  if (BLANK.test(text) && text.length !== bytes) throw new ApiError(400, INVALID_BODY);
  return text;
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

/** How a body is parsed. */
export interface BodyParsing {
  /** Name of the caller's own field, whose numbers stay numbers. */
  readonly asGiven?: string | undefined;
  /** Status of the error for a body that is not what it claims to be; 400 by default. */
  readonly brokenStatus?: 400 | 422 | undefined;
}

/** Stands for bytes that are not UTF-8. */
const LOST_BYTES = "\uFFFD";

/**
 * Returns the value of a body: JSON unless its type says it is a form. Numbers become the text that
 * the body has, so that no decimal passes through a float.
 *
 * @returns `undefined` for an empty body and for a literal `null`; a promise for one in parts only
 * @throws {ApiError} if the body is not what it claims to be, or repeats a key, at once or when
 * waited for
 */
export function parseBody(
  contentType: string | undefined,
  text: string,
  parsing: BodyParsing = {},
): unknown {
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  if (text.includes(LOST_BYTES)) throw broken(parsing.brokenStatus);
  if (type === "application/x-www-form-urlencoded") {
    // A multipart body would be one unknown field of a form: with another type, a signed cancel for
    // one market could be turned into one for all.
    if (/^\s*--/.test(text)) throw broken(parsing.brokenStatus);
    // Clients that set this type by default still send JSON.
    if (!/^\s*[{[]/.test(text)) return formOf(text, parsing);
  } else if (isMultipart(contentType) && !BLANK.test(text)) {
    return multipartValue(contentType ?? "", text, parsing);
  }
  return BLANK.test(text) ? undefined : parseJson(text, parsing) ?? undefined;
}

/** Returns whether a body of this type consists of parts, which the type alone tells apart. */
export function isMultipart(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*multipart\//i.test(contentType);
}

function broken(status: 400 | 422 = 400): ApiError {
  return new ApiError(status, INVALID_BODY);
}

function formOf(text: string, { brokenStatus }: BodyParsing): Record<string, unknown> {
  const pairs = new URLSearchParams(text);
  // Bytes that hold no field are not the same as no bytes.
  if (pairs.size === 0 && text !== "") throw broken(brokenStatus);
  if (text.includes("%") && decodeForm(pairs).includes(LOST_BYTES)) throw broken(brokenStatus);
  return formValue(pairs);
}

function decodeForm(pairs: URLSearchParams): string {
  return [...pairs].flat().join();
}

function parseJson(text: string, { asGiven, brokenStatus }: BodyParsing): unknown {
  try {
    return parseExactly(text, asGiven);
  } catch (error) {
    if (error instanceof RepeatedKeyError) throw repeatedField(error.key);
    throw broken(brokenStatus);
  }
}

async function multipartValue(
  contentType: string,
  text: string,
  { brokenStatus }: BodyParsing,
): Promise<unknown> {
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
    // With another boundary than its own, a form has no parts.
    if (pairs.size === 0) throw new RangeError("The form has no parts");
    return formValue(pairs);
  } catch {
    throw broken(brokenStatus);
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
