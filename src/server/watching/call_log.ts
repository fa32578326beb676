/** The log of calls, for an operator who wants to see what a client does. */
import { getPath } from "hono/utils/url";
import type { Logger } from "../logger.ts";

type Answering = Deno.ServeHandler<Deno.NetAddr>;

/**
 * Logs each call: its method, its path without the query, which may hold secrets, the status of the
 * answer and the time taken, in ms.
 */
export function logCalls(answer: Answering, logger: Pick<Logger, "debug">): Answering {
  return async function answerLogged(request, info) {
    const startedAt = performance.now();
    // Read first: the request of a `HEAD` says `GET` once it is being answered.
    const { method } = request;
    const answered = await answer(request, info);
    const ms = Math.round(performance.now() - startedAt);
    logger.debug("call", { method, path: getPath(request), status: answered.status, ms });
    return answered;
  };
}
