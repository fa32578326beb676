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
  text: BodyInit,
  headers?: AnswerHeaders,
): Response {
  return answerBody(c, status, text, "application/json", headers);
}

/**
 * Answers with a body; an identified caller's answers must not be cached. Hono's own way makes a
 * `Headers` object first, which takes longer than all the rest.
 */
export function answerBody(
  c: Context<Env>,
  status: number,
  body: BodyInit | null,
  contentType?: string,
  own?: AnswerHeaders,
): Response {
  const headers = bareHeaders(contentType);
  const caller: Caller | undefined = c.get("caller");
  if (caller !== undefined) headers["Cache-Control"] = "no-store";
  return new Response(body, { status, headers: { ...headers, ...c.get("addedHeaders"), ...own } });
}

/** Adds headers to the answer of a call, whatever it will be. */
export function addHeaders(c: Context<Env>, headers: AnswerHeaders): void {
  c.set("addedHeaders", { ...c.get("addedHeaders"), ...headers });
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

/** Returns an object without the members that are undefined. */
export function definedFields<T extends object>(
  fields: { readonly [K in keyof T]: T[K] | undefined },
): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as T;
}
