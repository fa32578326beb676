/** Checks answers against the contract. */
import type { DocumentedAnswer, DocumentedOperation } from "./documented_operation.ts";
import type { FuzzRequest } from "./fuzz_request.ts";

/** An answer with its whole body. */
export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const RETRIED = new Set([429, 503]);
/** A refusal that waiting does not end. */
const ENDED_BY_OPERATOR = "identity.otp.locked";
/** Answers to requests without an endpoint. */
const NO_ENDPOINT: Readonly<Record<number, string>> = {
  404: "route.not_found",
  405: "server.method_not_allowed",
  414: "server.url_too_long",
};

/** Finds faults in answers. */
export class FuzzJudge {
  readonly #byRoute = new Map<string, DocumentedOperation>();

  constructor(operations: readonly DocumentedOperation[]) {
    for (const operation of operations) {
      this.#byRoute.set(`${operation.method} ${operation.path}`, operation);
    }
  }

  /** Returns all faults of an answer. */
  complaints(request: FuzzRequest, answer: FuzzAnswer): string[] {
    const { status, headers, text } = answer;
    if (status >= 500) return [`answered ${status} ${text}`];
    const found: string[] = [];
    const isRetried = RETRIED.has(status) && !text.includes(ENDED_BY_OPERATOR);
    if (isRetried && !/^[1-9]\d*$/.test(headers.get("retry-after") ?? "")) {
      found.push(`${status} without Retry-After`);
    }
    if (/\.ts:\d+|\bat async /.test(text)) found.push("a stack in the answer");
    const operation = this.#reached(request);
    const documented = operation?.answers.get(status);
    if (documented === undefined) return [...found, ...noEndpoint(request, answer, operation)];
    return [...found, ...unfit(request, answer, documented)];
  }

  /** Returns the operation that a request reaches; null if its path may lead elsewhere. */
  #reached({ operation, method, target }: FuzzRequest): DocumentedOperation | null {
    const { pathname } = new URL(target, "http://localhost");
    if (!hasShape(pathname, operation.path)) return null;
    const verb = method === "HEAD" ? "GET" : method;
    const named = this.#byRoute.get(`${verb} ${operation.path}`);
    if (named !== undefined) return named;
    // A word that is a path of its own for one method is the value of a parameter for another.
    const operations = [...this.#byRoute.values()];
    return operations.find((one) => one.method === verb && hasShape(pathname, one.path)) ?? null;
  }
}

function hasShape(pathname: string, path: string): boolean {
  const shape = path.split("/");
  const parts = pathname.split("/");
  return parts.length === shape.length &&
    shape.every((part, at) => part.startsWith("{") ? parts[at] !== "" : part === parts[at]);
}

function noEndpoint(
  { operation: { id }, method }: FuzzRequest,
  { status, headers, text }: FuzzAnswer,
  reached: DocumentedOperation | null,
): string[] {
  if (reached !== null) return [`${method} of ${id} answered ${status}, which is not documented`];
  const identifier = NO_ENDPOINT[status];
  if (identifier === undefined) return [`${status} where no endpoint is: ${text}`];
  if (status === 405 && !headers.has("allow")) return ["405 without Allow"];
  if (method === "HEAD") return [];
  return text === JSON.stringify({ errors: [identifier] }) ? [] : [`${status} says ${text}`];
}

/** Returns how an answer differs from the documented one with its status. */
export function unfit(
  { method }: Pick<FuzzRequest, "method">,
  { status, headers, text }: FuzzAnswer,
  { mediaType, identifiers, judge }: DocumentedAnswer,
): string[] {
  const type = headers.get("content-type");
  if (mediaType === null) return text === "" && type === null ? [] : [`${status} has a body`];
  const isRight = mediaType === "text/csv" ? type?.startsWith(mediaType) : type === mediaType;
  if (!isRight) return [`${status} is ${type}, not ${mediaType}`];
  if (method === "HEAD" || mediaType !== "application/json") return [];
  const value: unknown = JSON.parse(text);
  const fault = judge(value);
  if (fault !== null) return [`${status} is not as documented: ${fault}`];
  if (identifiers === null) return [];
  return (value as { errors: string[] }).errors
    .filter((identifier) => !identifiers.has(identifier))
    .map((identifier) => `${status} ${identifier} is not documented`);
}
