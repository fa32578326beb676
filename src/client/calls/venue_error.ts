/** What can go wrong with a call, as types that programs can tell apart. */
import type { Records } from "../contract_calls.ts";

/** What an error says besides its identifiers. */
export type ErrorBody = Records["Error"];

/** Whether an answer is one of the venue's errors: somebody on the way may have answered instead. */
export function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== "object" || body === null || !("errors" in body)) return false;
  const { errors } = body;
  return Array.isArray(errors) && errors.length > 0 &&
    errors.every((code) => typeof code === "string");
}

/**
 * Returns after how many ms the venue asks to be called again; null if it does not, or names what is
 * no time.
 */
export function retryMsOf({ body }: VenueError): number | null {
  const { retry_after } = body as { readonly retry_after?: unknown };
  return typeof retry_after === "number" && retry_after >= 0 ? retry_after * 1000 : null;
}

/**
 * The venue has refused a call, and nothing has happened. `code` is the first of its identifiers,
 * such as `market.account.insufficient_balance`.
 */
export class VenueError extends Error {
  override name = "VenueError";
  /** All identifiers. */
  readonly codes: readonly string[];
  /** The field at fault, if there is one. */
  readonly field: string | undefined;
  /** The rule that it breaks, such as `precision` or `minimum`. */
  readonly rule: string | undefined;
  /** The bound that it breaks. */
  readonly limit: string | undefined;

  constructor(
    /** Status of the answer; 0 of an error that came over a socket. */
    readonly status: number,
    /** The answer. */
    readonly body: ErrorBody,
  ) {
    super(textOf(body));
    this.codes = body.errors;
    const { field, rule, limit } = (body.details ?? {}) as Record<string, string | undefined>;
    this.field = field;
    this.rule = rule;
    this.limit = limit;
  }

  /** The first identifier. */
  get code(): string {
    return this.codes[0] ?? "";
  }
}

/**
 * A call has no answer, and may have happened or may yet happen. An order can be asked for by its
 * `clientOrderIds`, which the client has given it if nobody else has.
 */
export class OutcomeUnknownError extends Error {
  override name = "OutcomeUnknownError";

  constructor(
    /** The client order ids of the orders that were to be placed. */
    readonly clientOrderIds: readonly string[],
    options?: ErrorOptions,
  ) {
    const names = clientOrderIds.length === 0 ? "" : `: ${clientOrderIds.join(", ")}`;
    super(`the venue has not told what became of the call${names}`, options);
  }
}

/** The venue can't be reached, or is not able to answer now; nothing was written. */
export class UnreachableError extends Error {
  override name = "UnreachableError";
}

function textOf({ errors, details }: ErrorBody): string {
  const facts = Object.entries(details ?? {}).map(([name, value]) => `${name} ${value}`);
  return errors.join(", ") + (facts.length === 0 ? "" : ` (${facts.join(", ")})`);
}
