/** Checks calls before they reach a route. */
import { bareAnswer } from "./answer.ts";

/** Maximum length of a call's URL, in characters; the longest that is needed names 100 streams. */
const URL_LENGTH_MAX = 8_192;
/** Error identifier for a longer URL: 414. */
export const URL_TOO_LONG = "server.url_too_long";
/** Error identifier for a host that is empty or holds more than a host, or has no path: 400. */
export const INVALID_HOST = "server.invalid_host";

/**
 * Matches an invalid `Host`. The platform puts it before the path unchecked: a character that ends
 * a host would select the route, and after an empty one the path would lose its first part.
 */
const NO_HOST = /^$|[/?#\\@\s]/;
/**
 * Matches a URL of a plain host and a path, which an absolute target may lack as well. The scheme
 * tells the kind of socket: `http`, or `http+unix` on a platform that listens itself.
 */
const WITH_PATH = /^[a-z+]+:\/\/[^/?#\\@\s]+\//;
/** Stands for the host of a call without one, which HTTP/1.0 allows. */
const UNNAMED_HOST = "localhost";

type Answering<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * Refuses long URLs, whose parsing costs more than their bytes, and invalid hosts. Answers a `HEAD`
 * like the corresponding `GET`, with the length of its body (RFC 9110 §8.6).
 */
export function beforeRoutes<Rest extends unknown[]>(answer: Answering<Rest>): Answering<Rest> {
  return function answerCall(request, ...rest) {
    if (request.url.length > URL_LENGTH_MAX) {
      return bareAnswer(414, { errors: [URL_TOO_LONG] });
    }
    const host = request.headers.get("host") ?? UNNAMED_HOST;
    if (NO_HOST.test(host) || !WITH_PATH.test(request.url)) {
      return bareAnswer(400, { errors: [INVALID_HOST] });
    }
    if (request.method !== "HEAD") return answer(request, ...rest);
    return Promise.resolve(answer(asGet(request), ...rest)).then(headOf);
  };
}

/** Returns an answer without its body: over HTTP/2 the platform would send it, and end the call. */
async function headOf(answer: Response): Promise<Response> {
  const { status, body } = answer;
  if (body === null) return answer;
  const headers = new Headers(answer.headers);
  if (headers.has("content-length") || headers.get("content-type") !== "application/json") {
    await body.cancel();
  } else {
    headers.set("content-length", String((await answer.arrayBuffer()).byteLength));
  }
  // A generated body has no length; without any body, the platform would declare it as zero.
  const none = headers.has("content-length") ? null : new Blob().stream();
  return new Response(none, { status, headers });
}

/**
 * Turns the request itself into a `GET`: the platform warns when a signal is copied with one. It
 * opens no websocket, which only a real `GET` may.
 */
function asGet(request: Request): Request {
  if (request.headers.has("upgrade")) {
    const headers = new Headers(request.headers);
    headers.delete("upgrade");
    Object.defineProperty(request, "headers", { value: headers });
  }
  return Object.defineProperty(request, "method", { value: "GET" });
}
