/** Errors of the API, and the one place that turns what is thrown into 4xx and 5xx answers. */
import type { Context, ErrorHandler, Hono, NotFoundHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { InvariantError } from "../domain/assert.ts";
import type { Rejection } from "../domain/rejection.ts";
import {
  type Engine,
  isStoreAway,
  OutcomeUnknownError,
  UnreadableError,
} from "../engine/engine.ts";
import { UnknownMasterKeyError } from "../secrets/vault.ts";
import { TooManyReadingsError } from "../engine/reading_queue.ts";
import { IdentityError, type IdentityRefusal, ThrottledError } from "../identity/identity_error.ts";
import { type AnswerHeaders, answerJson, definedFields } from "./answer.ts";
import { type Env, isRead } from "./env.ts";
import { type BrokenRule, REJECTION_ANSWERS, type RejectionAnswers } from "./rejection_answers.ts";
import { isoSeconds } from "./wire/wire.ts";

/** Error identifier for a body that cannot be read, or is not an object. */
export const INVALID_BODY = "server.method.invalid_message_body";

/** The caller has used up what it may ask for. */
export const RATE_LIMITED = "server.rate_limited";

/** What was wrong, in addition to the identifier. */
export interface ErrorDetails {
  readonly field?: string;
  readonly value?: string;
  readonly limit?: string;
  readonly rule?: BrokenRule;
  /** The unit of the limit. */
  readonly unit?: string;
  /** The type of the order at fault. */
  readonly type?: string;
  /** The type that an order with this field has to have. */
  readonly use?: string;
  /** When the limit no longer applies. */
  readonly resets_at?: string;
  /** Until when a beneficiary is on hold. */
  readonly held_until?: string;
  /** The currency that lacks what was asked for. */
  readonly currency?: string;
  /** The address from which the call came. */
  readonly address?: string;
  /** The known field, word, group or level that is nearest to an unknown one. */
  readonly nearest?: string;
  /** Funds that an order needs, and those that are free. */
  readonly needed?: string;
  readonly available?: string;
}

/** What an error may carry in addition to its identifiers. */
export interface ErrorExtras {
  readonly details?: ErrorDetails;
  /** Position of the failing item in a bulk request. */
  readonly index?: number;
  /** When the last pin was sent, ISO 8601. */
  readonly sentAt?: string;
  readonly headers?: AnswerHeaders;
}

/** An error to answer a call with; thrown by the API, never by the engine. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly errors: readonly string[];

  constructor(
    readonly status: ContentfulStatusCode,
    errors: string | readonly string[],
    readonly extras: ErrorExtras = {},
  ) {
    const list = typeof errors === "string" ? [errors] : errors;
    super(list.join(", "));
    this.errors = list;
  }
}

/** How many characters of an invalid value an error repeats. */
export const VALUE_LENGTH_MAX = 64;

/** Returns a 422 about one field. */
export function invalidField(identifier: string, field: string, value?: string): ApiError {
  return new ApiError(422, identifier, {
    details: { field, ...(value === undefined ? {} : { value: value.slice(0, VALUE_LENGTH_MAX) }) },
  });
}

/** Error identifier for a field that an object of JSON has twice. */
export const REPEATED_FIELD = "server.repeated_field";

/** Returns a 422 for a field that an object of JSON has twice. */
export function repeatedField(field: string): ApiError {
  return invalidField(REPEATED_FIELD, field.slice(0, VALUE_LENGTH_MAX));
}

/** Returns a 403 for a key that may not be used from the address that was seen. */
export function addressRefused(address: string): ApiError {
  return new ApiError(403, "authz.ip_not_permitted", { details: { address } });
}

/** Returns a 503 for a call that cannot be answered now, and may be repeated so much later. */
export function unavailable(seconds: number = 1): ApiError {
  return new ApiError(503, "server.unavailable", { headers: { "Retry-After": String(seconds) } });
}

/**
 * Returns a 429 for a call that asks for too much at once.
 *
 * @param seconds after which it may be repeated
 */
export function rateLimited(seconds: number, details?: ErrorDetails): ApiError {
  return new ApiError(429, RATE_LIMITED, {
    headers: { "Retry-After": String(seconds) },
    ...(details === undefined ? {} : { details }),
  });
}

/**
 * Returns the error that answers a refusal; `index` is included for bulk calls only.
 *
 * @param answers take precedence over the usual ones
 */
export function rejectionError(
  rejection: Rejection,
  shown: "single" | "bulk" = "single",
  answers: RejectionAnswers = {},
): ApiError {
  const code = rejection.rejected;
  const { status, identifier, rule = rejection.rule } = answers[code] ?? REJECTION_ANSWERS[code];
  const { available, field, limit, index, needed, resetsAt, heldUntil } = rejection;
  const resets_at = resetsAt === undefined ? undefined : isoSeconds(resetsAt);
  const held_until = heldUntil === undefined ? undefined : isoSeconds(heldUntil);
  // What has the wrong state says which.
  const [value, bound] = rule === "state" ? [limit, undefined] : [undefined, limit];
  const broken = definedFields({
    value,
    limit: bound,
    rule,
    needed,
    available,
    resets_at,
    held_until,
  });
  return new ApiError(status, identifier, {
    ...(field === undefined ? {} : { details: { field, ...broken } }),
    ...(index === undefined || shown === "single" ? {} : { index }),
    ...(status === 503 ? { headers: { "Retry-After": "1" } } : {}),
  });
}

/** The fields at fault, as identity endpoints name them. */
const IDENTITY_FIELDS: Readonly<Partial<Record<IdentityRefusal, string>>> = {
  password_weak: "password",
  password_wrong: "old_password",
  password_unchanged: "new_password",
  owner_unproven: "password",
  owner_password_wrong: "password",
  owner_code_wrong: "email_code",
  factor_not_new: "disable_otp",
  kept_key_unknown: "keep_keys",
  key_code_missing: "totp_code",
  key_code_wrong: "totp_code",
  email_code_invalid: "token",
  sign_up_password_wrong: "password",
  reset_code_invalid: "reset_password_token",
  sign_in_code_missing: "otp_code",
  sign_in_code_wrong: "otp_code",
  code_wrong: "code",
};

/** Returns the error that answers an identity refusal. */
function identityError(error: IdentityError): ApiError {
  const { status, identifier, refusal } = error;
  const field = IDENTITY_FIELDS[refusal];
  const seconds = error instanceof ThrottledError ? error.retryAfter : status === 503 ? 1 : null;
  return new ApiError(status, identifier, {
    ...(field === undefined ? {} : { details: { field } }),
    ...(seconds === null ? {} : { headers: { "Retry-After": String(seconds) } }),
  });
}

/** An error for orders whose outcome is unknown, with the names that the client can ask by. */
export class OrderOutcomeUnknownError extends Error {
  override name = "OrderOutcomeUnknownError";
  constructor(
    readonly orderIds: readonly number[],
    readonly clientOrderIds: readonly string[],
  ) {
    super("The outcome of the order is unknown");
  }
}

/** Identifies a call that failed unexpectedly, in its answer and in the log. */
export const REQUEST_ID_HEADER = "X-Request-Id";

/** A call that failed unexpectedly, as it is logged. */
export interface FailedCall {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** Gives a failed call an id by which it is found in the log. */
export function failedCall(c: Context<Env>): FailedCall {
  return { requestId: crypto.randomUUID(), method: c.req.method, path: c.req.path };
}

/** Options of {@linkcode createErrorHandler}. */
export interface ErrorHandlerOptions {
  readonly engine: Engine;
  /** Called for every fault that the venue did not foresee: a broken invariant, or a bug. */
  readonly onUnexpected: (error: Error, call: FailedCall) => void;
}

/** Creates the handler that answers everything thrown on the way to an answer. */
export function createErrorHandler(options: ErrorHandlerOptions): ErrorHandler<Env> {
  return function onError(error, c) {
    const found = reportError(error, options.engine, isRead(c));
    const report = c.get("hasHappened") === true ? afterwards(found, options.engine) : found;
    if (!report.isUnexpected) return answerJson(c, report.status, report.body, report.headers);
    const call = failedCall(c);
    options.onUnexpected(error, call);
    const headers = { ...report.headers, [REQUEST_ID_HEADER]: call.requestId };
    return answerJson(c, report.status, report.body, headers);
  };
}

/** The answer to an error. */
export interface ErrorReport {
  readonly status: ContentfulStatusCode;
  readonly body: { readonly errors: readonly string[]; readonly [name: string]: unknown };
  readonly headers?: AnswerHeaders;
  /** Whether the venue did not foresee it: a broken invariant, or a bug. */
  readonly isUnexpected: boolean;
}

/** What has happened is not denied by a failure to go on: 503 says that nothing did. */
function afterwards(report: ErrorReport, engine: Engine): ErrorReport {
  if (report.status !== 503) return report;
  return { ...unknownOutcomeReport(engine), isUnexpected: report.isUnexpected };
}

/** Error identifier for what this process can't open. */
export const MASTER_KEY_OUTDATED = "server.master_key_outdated";

/** Another process has sealed it with a master key that this one lacks, and may answer. */
function outdatedKey(): ApiError {
  return new ApiError(503, ["server.unavailable", MASTER_KEY_OUTDATED], {
    headers: { "Retry-After": "1" },
  });
}

/**
 * Returns the answer to an error.
 *
 * @param isRead whether the call cannot have changed anything
 */
export function reportError(error: Error, engine: Engine, isRead: boolean): ErrorReport {
  if (error instanceof ApiError) return apiErrorReport(error, engine.now());
  if (error instanceof IdentityError) return apiErrorReport(identityError(error), engine.now());
  if (error instanceof OrderOutcomeUnknownError) {
    return unknownOutcomeReport(engine, error.orderIds, error.clientOrderIds);
  }
  if (error instanceof OutcomeUnknownError) return unknownOutcomeReport(engine, error.orderIds);
  // A write may already be committed when a read after it fails.
  if (error instanceof UnreadableError && !isRead) return unknownOutcomeReport(engine);
  if (error instanceof TooManyReadingsError) return apiErrorReport(rateLimited(1), engine.now());
  if (isStoreAway(error)) return apiErrorReport(unavailable(), engine.now());
  if (error instanceof UnknownMasterKeyError) {
    return { ...apiErrorReport(outdatedKey(), engine.now()), isUnexpected: true };
  }
  // The venue can no longer answer; the caller did nothing wrong.
  if (error instanceof InvariantError) {
    return { ...apiErrorReport(unavailable(), engine.now()), isUnexpected: true };
  }
  return { status: 500, body: { errors: ["server.internal_error"] }, isUnexpected: true };
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Creates the handler for paths that do not exist, or not for the method. */
export function createNotFound(apps: readonly Hono<Env>[]): NotFoundHandler<Env> {
  return function notFound(c) {
    const allowed = METHODS.filter((method) =>
      apps.some(({ router }) =>
        router.match(method === "HEAD" ? "GET" : method, c.req.path)[0].length > 0
      )
    );
    if (allowed.length === 0) return answerJson(c, 404, { errors: ["route.not_found"] });
    const headers = { Allow: allowed.join(", ") };
    return answerJson(c, 405, { errors: ["server.method_not_allowed"] }, headers);
  };
}

function apiErrorReport(error: ApiError, now: number): ErrorReport {
  const { details, index, sentAt, headers } = error.extras;
  const isNonce = error.errors.some((identifier) => identifier.startsWith("authz.nonce_"));
  const body = {
    errors: error.errors,
    ...(index === undefined ? {} : { index }),
    ...(sentAt === undefined ? {} : { sent_at: sentAt }),
    ...(details === undefined ? {} : { details }),
    ...(isNonce ? { server_time: now } : {}),
  };
  return {
    status: error.status,
    body,
    ...(headers === undefined ? {} : { headers }),
    isUnexpected: false,
  };
}

function unknownOutcomeReport(
  engine: Engine,
  orderIds: readonly number[] = [],
  clientOrderIds: readonly string[] = [],
): ErrorReport {
  const uuids = orderIds.map((id) => engine.uuidOf(id));
  const body = {
    errors: ["server.outcome_unknown"],
    ...(uuids.length === 1 ? { uuid: uuids[0] } : {}),
    ...(uuids.length > 1 ? { uuids } : {}),
    ...(clientOrderIds.length === 1 ? { client_order_id: clientOrderIds[0] } : {}),
    ...(clientOrderIds.length > 1 ? { client_order_ids: clientOrderIds } : {}),
  };
  return { status: 504, body, isUnexpected: false };
}
