/** A long text that is the same for everybody: it is encoded once, and all readers share it. */
import type { Context } from "hono";
import { answerBody, type AnswerHeaders } from "../edge/answer.ts";
import type { Env } from "../edge/env.ts";
import { UNDERWAY_BYTES, type UnsentAnswers } from "../edge/reading/unsent_answers.ts";

/** Creates the handler that answers with a document. */
export function constantDocument(
  text: string,
  type: string,
  unsent: Pick<UnsentAnswers, "body">,
  headers: AnswerHeaders = {},
): (c: Context<Env>) => Response {
  const bytes = new TextEncoder().encode(text);
  const own = { "Content-Length": String(bytes.length), ...headers };
  return function answerDocument(c) {
    const body = unsent.body(c, bytes, UNDERWAY_BYTES);
    return answerBody(c, 200, body, type, own);
  };
}
