/**
 * Lets pages of other origins call the venue (CORS): all of them read what is public, those that the
 * operator names make members' calls by key. Never with cookies, of which no answer allows the use.
 */
import { BODY_SIGNATURE_HEADER } from "../edge/callers/body_signature.ts";
import { UNKNOWN_PARAMETERS_HEADER } from "../edge/reading/known_fields.ts";
import { CANCELLED_HEADER } from "../edge/orders/order_entry.ts";
import { AGE_HEADER } from "./public_age.ts";
import { API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER } from "../edge/callers/signature.ts";

/** Matches what anybody reads without a key: market data, and the contract. */
const PUBLIC =
  /^[a-z+]+:\/\/[^/]*\/api\/v2\/(\w+\/+public\/|openapi\.json|coingecko\/|coinmarketcap\/|udf\/)/;
/** Matches members' calls, under all names; people and operators make theirs elsewhere. */
const MEMBERS = /^[a-z+]+:\/\/[^/]*\/api\/v2\/(backend|trading|peatio|trade|finex)\//;

/** How long browsers may keep the answer to a preflight, in s. */
const PREFLIGHT_SECONDS = 600;
/** Headers of answers that pages may read besides those that they always may. */
const EXPOSED = [
  AGE_HEADER,
  "Date",
  "Page",
  "Per-Page",
  "Total",
  "X-Scan-Limited",
  "X-Scanned-Id",
  "X-Next-Cursor",
  UNKNOWN_PARAMETERS_HEADER,
  CANCELLED_HEADER,
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "X-Request-Id",
  "Content-Disposition",
].join(", ");
const SIGNED_HEADERS = [
  "Content-Type",
  API_KEY_HEADER,
  NONCE_HEADER,
  SIGNATURE_HEADER,
  BODY_SIGNATURE_HEADER,
].join(", ");

/** Status of an answer that opens a websocket, whose handshake needs no leave. */
const SWITCHING = 101;

type Answering<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * Answers preflights, and adds to the answers of calls from other origins what lets pages read them.
 *
 * @param origins those from which members' calls by key may come
 */
export function crossOrigin<Rest extends unknown[]>(
  answer: Answering<Rest>,
  origins: ReadonlySet<string>,
): Answering<Rest> {
  return function answerCall(request, ...rest) {
    const { method, url } = request;
    if (method === "GET") {
      // Without an origin as well: what is public may be kept, and given to a page.
      if (PUBLIC.test(url)) return allowed(answer(request, ...rest), "*");
    } else if (method === "OPTIONS") {
      return preflight(request, origins) ?? answer(request, ...rest);
    }
    // An order pays for none of this where no other origin may place one.
    if (origins.size === 0) return answer(request, ...rest);
    const { headers } = request;
    const origin = headers.get("origin");
    const isAllowed = origin !== null && origins.has(origin) && headers.has(API_KEY_HEADER) &&
      MEMBERS.test(url);
    return isAllowed ? allowed(answer(request, ...rest), origin) : answer(request, ...rest);
  };
}

async function allowed(answer: Response | Promise<Response>, origin: string): Promise<Response> {
  const answered = await answer;
  if (answered.status === SWITCHING) return answered;
  answered.headers.set("Access-Control-Allow-Origin", origin);
  answered.headers.set("Access-Control-Expose-Headers", EXPOSED);
  if (origin !== "*") answered.headers.append("Vary", "Origin");
  return answered;
}

/** Returns null if the call is no preflight, or the page may not make the call that it asks for. */
function preflight({ url, headers }: Request, origins: ReadonlySet<string>): Response | null {
  const origin = headers.get("origin");
  const asked = headers.get("access-control-request-method");
  if (origin === null || asked === null) return null;
  if (PUBLIC.test(url)) return leave("*", "GET, HEAD", "Content-Type");
  if (!origins.has(origin) || !MEMBERS.test(url)) return null;
  return leave(origin, "GET, HEAD, POST, PATCH, DELETE", SIGNED_HEADERS);
}

function leave(origin: string, methods: string, headers: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": headers,
      "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
      ...(origin === "*" ? {} : { "Vary": "Origin" }),
    },
  });
}
