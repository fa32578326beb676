/** The log of calls, for an operator who wants to know what a client does. */
import { getPath } from "hono/utils/url";
import type { Logger } from "./logger.ts";

type Answering = Deno.ServeHandler<Deno.NetAddr>;

/**
 * Writes each call down: how it was asked, without its query, which may hold what is secret; what
 * was answered; and how long that took, in ms.
 */
export function logCalls(answer: Answering, logger: Pick<Logger, "debug">): Answering {
  return async function answerLogged(request, info) {
    const startedAt = performance.now();
    // Asked for before: a `HEAD` is answered as a `GET`, and the call is one from there on.
    const { method } = request;
    const answered = await answer(request, info);
    const ms = Math.round(performance.now() - startedAt);
    logger.debug("call", { method, path: getPath(request), status: answered.status, ms });
    return answered;
  };
}
