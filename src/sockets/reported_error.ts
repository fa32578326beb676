/** What a client is told of an error behind its socket. */
import { type ErrorReport, reportError } from "../edge/errors.ts";
import type { Services } from "../http/route_needs.ts";

/** Whom unexpected errors are reported to. */
export type ReportParts = Pick<Services, "engine" | "onUnexpected">;

/** The request that failed, as it is logged. */
export interface FailedRequest {
  readonly method: string;
  readonly path: string;
  /** Whether it cannot have changed anything. */
  readonly isRead: boolean;
}

/**
 * Returns the error as a call over HTTP would be answered, with the seconds to wait as `retry_after`
 * and, if nobody foresaw it, the `request_id` by which it is found in the log.
 */
export function reportedError(
  { engine, onUnexpected }: ReportParts,
  error: Error,
  { isRead, ...call }: FailedRequest,
): ErrorReport["body"] {
  const { body, headers, isUnexpected } = reportError(error, engine, isRead);
  const retryAfter = headers?.["Retry-After"];
  const told = retryAfter === undefined ? body : { ...body, retry_after: Number(retryAfter) };
  if (!isUnexpected) return told;
  const requestId = crypto.randomUUID();
  onUnexpected(error, { requestId, ...call });
  return { ...told, request_id: requestId };
}
