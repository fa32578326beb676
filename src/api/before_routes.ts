/** What happens to a call before it comes to a route. */
import { bareAnswer } from "./answer.ts";

/** Characters of a call's address; the longest that anybody needs names a hundred streams. */
const URL_LENGTH_MAX = 8_192;
/** Identifier of an address that is longer: 414. */
export const URL_TOO_LONG = "server.url_too_long";
/** Identifier of a `Host` that is empty, or holds more than a host: 400. */
export const INVALID_HOST = "server.invalid_host";

/**
 * The platform puts the host before the path as it came: what ends a host would choose the route,
 * and with an empty one the path would begin a part later.
 */
const NO_HOST = /^$|[/?#\\@\s]/;
/** Of a call that names none, which HTTP/1.0 may do. */
const UNNAMED_HOST = "localhost";

type Answering<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * Refuses long addresses, whose parts cost more than their bytes, and hosts that are none, and has
 * a `HEAD` answered as the `GET` that it stands for, with the length of its body (RFC 9110 §8.6).
 */
export function beforeRoutes<Rest extends unknown[]>(answer: Answering<Rest>): Answering<Rest> {
  return function answerCall(request, ...rest) {
    if (request.url.length > URL_LENGTH_MAX) {
      return bareAnswer(414, { errors: [URL_TOO_LONG] });
    }
    if (NO_HOST.test(request.headers.get("host") ?? UNNAMED_HOST)) {
      return bareAnswer(400, { errors: [INVALID_HOST] });
    }
    if (request.method !== "HEAD") return answer(request, ...rest);
    return Promise.resolve(answer(asGet(request), ...rest)).then(headOf);
  };
}

/** The platform leaves a body out over HTTP/1.1 alone: over HTTP/2 it would be sent, and end the call. */
async function headOf(answer: Response): Promise<Response> {
  const { status, body } = answer;
  if (body === null) return answer;
  const headers = new Headers(answer.headers);
  if (headers.has("content-length") || headers.get("content-type") !== "application/json") {
    await body.cancel();
  } else {
    headers.set("content-length", String((await answer.arrayBuffer()).byteLength));
  }
  // Of what is made while it is sent; without a body, the platform would tell a length of zero.
  const none = headers.has("content-length") ? null : new Blob().stream();
  return new Response(none, { status, headers });
}

/** A copy would take the call's signal with it, of which the platform warns whatever is asked for. */
function asGet(request: Request): Request {
  return Object.defineProperty(request, "method", { value: "GET" });
}
