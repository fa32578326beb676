/** Errors that an endpoint has because of its kind: who may call it, and what it takes. */
import type { Endpoint, ErrorContract } from "./contract.ts";

const AUTHENTICATION_ERRORS = [
  "authz.invalid_session",
  "authz.nonce_not_valid_timestamp",
  "authz.nonce_expired",
  "authz.nonce_already_used",
  "authz.invalid_signature",
  "authz.apikey_not_active",
];

/** The errors of an endpoint's kind, by status. */
export function accessErrors(endpoint: Endpoint): ErrorContract {
  const { kind } = endpoint.access;
  const isWrite = endpoint.method !== "GET";
  return {
    ...(endpoint.body === undefined ? {} : { 400: ["server.method.invalid_message_body"] }),
    ...(kind === "public" ? {} : {
      401: [
        ...AUTHENTICATION_ERRORS,
        ...(kind === "operator" ? ["authz.invalid_permission"] : []),
      ],
      403: [
        "authz.ip_not_permitted",
        ...(kind === "member" ? ["authz.scope_not_permitted"] : []),
      ],
      422: ["authz.invalid_api_key_headers"],
      429: ["server.rate_limited"],
    }),
    ...(isWrite ? { 413: ["server.body_too_large"], 504: ["server.outcome_unknown"] } : {}),
    500: ["server.internal_error"],
    503: ["server.unavailable"],
  };
}
