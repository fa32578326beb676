/** Building answers: the one place that knows their headers. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Env } from "./env.ts";

/** Headers beside the ones that every answer has. */
export type AnswerHeaders = Readonly<Record<string, string>>;

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
  text: string,
  headers?: AnswerHeaders,
): Response {
  return c.body(text, status, {
    "Content-Type": "application/json",
    "Date": httpDate(),
    ...headers,
  });
}

let dateSecond = 0;
let dateText = "";

/** The present as a `Date` header; made once a second. */
export function httpDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}
