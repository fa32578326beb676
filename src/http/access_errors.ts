/** Errors that follow from the kind of endpoint: who may call it, and what it takes. */
import { ACT_REASON_ERRORS, isActEndpoint, MISSING_REASON } from "./act_note.ts";
import { ACT_KEY_ERRORS } from "./act_once.ts";
import { INVALID_HOST, URL_TOO_LONG } from "../edge/before_routes.ts";
import { BODY_SIGNATURE_REQUIRED } from "../edge/callers/body_signature.ts";
import type { Endpoint, ErrorContract } from "./contract.ts";
import { INVALID_BODY, MASTER_KEY_OUTDATED, RATE_LIMITED, REPEATED_FIELD } from "../edge/errors.ts";
import { UNKNOWN_FIELD } from "../edge/reading/known_fields.ts";
import { notPermitted } from "../edge/callers/money_levels.ts";
import { CROSS_SITE } from "../edge/callers/same_site.ts";
import { REPEATED_COOKIE } from "../edge/callers/session_cookie.ts";

const INVALID_SESSION = "authz.invalid_session";
const SESSION_ERRORS = [
  INVALID_SESSION,
  "identity.session.locked",
  "identity.session.banned",
  REPEATED_COOKIE,
];
const CSRF_ERRORS = ["authz.missing_csrf_token", "authz.csrf_token_mismatch"];
const SIGNATURE_ERRORS = [
  "authz.nonce_not_valid_timestamp",
  "authz.nonce_expired",
  "authz.nonce_already_used",
  "authz.invalid_signature",
  "authz.apikey_not_active",
  "authz.disabled_2fa",
  BODY_SIGNATURE_REQUIRED,
];
const INVALID_PERMISSION = "authz.invalid_permission";
const INVALID_HEADERS = "authz.invalid_api_key_headers";
const NOT_PERMITTED = ["authz.ip_not_permitted", "authz.scope_not_permitted"];
const WRITE_ERRORS = {
  408: ["server.body_timeout"],
  413: ["server.body_too_large"],
  504: ["server.outcome_unknown"],
};
const LIMITED = { 429: [RATE_LIMITED] };

/** Returns the errors that an endpoint's kind implies, by status. */
export function accessErrors(endpoint: Endpoint): ErrorContract {
  const isWrite = endpoint.method !== "GET";
  // A write that has no fields of its own takes no others.
  const hasBody = endpoint.body !== undefined || (isWrite && isClosed(endpoint));
  const ofCaller = callerErrors(endpoint, isWrite);
  const refused = [
    ...(ofCaller[422] ?? []),
    ...(isClosed(endpoint) ? [UNKNOWN_FIELD] : []),
    ...(isActEndpoint(endpoint) ? ACT_REASON_ERRORS : []),
    ...(endpoint.needsReason === true ? [MISSING_REASON] : []),
    ...(endpoint.isOnce ? ACT_KEY_ERRORS : []),
    // For JSON that is not of the expected type.
    ...(hasBody ? [INVALID_BODY, REPEATED_FIELD] : []),
  ];
  return {
    400: [...(hasBody && brokenStatusOf(endpoint) === 400 ? [INVALID_BODY] : []), INVALID_HOST],
    ...ofCaller,
    ...(refused.length === 0 ? {} : { 422: refused }),
    ...(isWrite ? WRITE_ERRORS : {}),
    414: [URL_TOO_LONG],
    500: ["server.internal_error"],
    503: ["server.unavailable", ...(isOpen(endpoint) ? [] : [MASTER_KEY_OUTDATED])],
  };
}

/** Returns whether nothing that is sealed has to be opened to answer. */
function isOpen({ access }: Endpoint): boolean {
  return access.kind === "public" || access.kind === "service";
}

function callerErrors({ access, levels = [] }: Endpoint, isWrite: boolean): ErrorContract {
  const csrfErrors = isWrite ? CSRF_ERRORS : [];
  switch (access.kind) {
    case "public":
    case "service":
      return {};
    case "visitor":
      return { 403: [CROSS_SITE] };
    case "session":
      return {
        401: [...SESSION_ERRORS, INVALID_PERMISSION, ...csrfErrors],
        422: [INVALID_HEADERS],
        ...LIMITED,
      };
    case "member":
      return {
        401: [...SESSION_ERRORS, ...csrfErrors, ...SIGNATURE_ERRORS],
        403: [...levels.map(notPermitted), ...NOT_PERMITTED],
        422: [INVALID_HEADERS],
        ...LIMITED,
      };
    case "operator":
      return {
        401: [...SESSION_ERRORS, ...csrfErrors, ...SIGNATURE_ERRORS, INVALID_PERMISSION],
        403: [
          ...NOT_PERMITTED,
          "authz.role_outdated",
          ...(access.role === "viewer" ? [] : ["authz.role_not_permitted"]),
          ...(access.needsCode ? ["authz.code_required"] : []),
        ],
        422: [INVALID_HEADERS],
        ...LIMITED,
      };
  }
}

/** Returns whether fields that an endpoint does not have are refused. */
export function isClosed({ access, method, isClosed }: Endpoint): boolean {
  if (access.kind === "operator" || isClosed === true) return true;
  return access.kind === "member" && method !== "GET";
}

/** Returns the status of the error for a body that is not what it claims to be. */
export function brokenStatusOf({ access, body }: Endpoint): 400 | 422 {
  if (body !== undefined) return body.brokenStatus ?? 400;
  // For a cancel without fields of its own, the specification has no 400.
  return access.kind === "member" ? 422 : 400;
}
