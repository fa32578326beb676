/**
 * Keeps other sites' pages from a demo, whose keys are public: a browser that runs beside it would
 * let any page sign calls with them. A real venue needs none of this, since its keys are secret.
 */
import { bareAnswer } from "../../edge/answer.ts";
import { INVALID_HOST } from "../../edge/before_routes.ts";
import { CROSS_SITE } from "../../edge/callers/same_site.ts";
import { isLoopback } from "../../messages/smtp_server.ts";
import type { Config } from "../config.ts";

/** Matches a host by which this machine calls itself. Who else names it has a name of its own. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** Methods that change nothing. */
const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

type Answering<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/**
 * Returns what answers a venue's calls. That of a demo refuses calls to a name that another site has
 * made lead here (400), unless it is open to others, who have names of their own for it. Writes and
 * sockets of other origins' pages it always refuses (403).
 */
export function takingCalls<Rest extends unknown[]>(
  { isDemo, host, corsOrigins }: Pick<Config, "corsOrigins" | "host" | "isDemo">,
  answer: Answering<Rest>,
): Answering<Rest> {
  if (!isDemo) return answer;
  const isOpen = !isLoopback(host);
  const origins = new Set(corsOrigins);
  return function answerCall(request, ...rest) {
    const called = hostOf(request);
    if (!isOpen && !LOOPBACK_HOST.test(called)) return bareAnswer(400, { errors: [INVALID_HOST] });
    const { method, headers } = request;
    if (!READS.has(method) || headers.has("upgrade")) {
      const origin = headers.get("origin");
      if (origin !== null && !origins.has(origin) && !isOwn(origin, called)) {
        return bareAnswer(403, { errors: [CROSS_SITE] });
      }
    }
    return answer(request, ...rest);
  };
}

/** Returns the host that is called: HTTP/2 has it in the URL, HTTP/1.0 need not have one. */
function hostOf({ url, headers }: Request): string {
  return headers.get("host") ?? (URL.canParse(url) ? new URL(url).host : "");
}

function isOwn(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}
