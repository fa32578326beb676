/** Building answers: the one place that knows their headers; the platform adds `Date` and the length. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Caller, Env } from "./env.ts";

/** Headers beside the ones that every answer has. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** Of an answer that tells a secret to somebody who is not known yet. */
export const NO_STORE: AnswerHeaders = { "Cache-Control": "no-store" };

/** Answers with a value as JSON. */
export function answerJson(
  c: Context<Env>,
  status: ContentfulStatusCode,
  value: unknown,
  headers?: AnswerHeaders,
): Response {
  return answerText(c, status, JSON.stringify(value), headers);
}

/** Answers with JSON text made elsewhere. */
export function answerText(
  c: Context<Env>,
  status: ContentfulStatusCode,
  text: string | ReadableStream<Uint8Array<ArrayBuffer>>,
  headers?: AnswerHeaders,
): Response {
  return c.body(text, status, { ...answerHeaders(c, "application/json"), ...headers });
}

/** The headers of every answer; what is somebody's own is kept by no cache. */
export function answerHeaders(c: Context<Env>, contentType?: string): Record<string, string> {
  const headers = bareHeaders(contentType);
  const caller: Caller | undefined = c.get("caller");
  if (caller !== undefined) headers["Cache-Control"] = "no-store";
  return headers;
}

/** Answers a call that has come to no route with a value as JSON. */
export function bareAnswer(status: number, value: unknown, headers: AnswerHeaders = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { ...bareHeaders("application/json"), ...headers },
  });
}

function bareHeaders(contentType: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { "X-Content-Type-Options": "nosniff" };
  if (contentType !== undefined) headers["Content-Type"] = contentType;
  return headers;
}
