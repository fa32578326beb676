/** Builds answers. Their headers are set only here; the platform adds `Date` and the length. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Caller, Env } from "./env.ts";

/** Headers in addition to those of every answer. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** Headers of an answer that reveals a secret to a caller not yet identified. */
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

/** Answers with a JSON text that is already serialized. */
export function answerText(
  c: Context<Env>,
  status: ContentfulStatusCode,
  text: string | ReadableStream<Uint8Array<ArrayBuffer>>,
  headers?: AnswerHeaders,
): Response {
  return c.body(text, status, { ...answerHeaders(c, "application/json"), ...headers });
}

/** Returns the headers of every answer; an identified caller's answers must not be cached. */
export function answerHeaders(c: Context<Env>, contentType?: string): Record<string, string> {
  const headers = bareHeaders(contentType);
  const caller: Caller | undefined = c.get("caller");
  if (caller !== undefined) headers["Cache-Control"] = "no-store";
  return headers;
}

/** Answers, with a value as JSON, a call that has not reached a route. */
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
