/** What the OpenAPI document says of authentication. */
import { BODY_SIGNATURE_HEADER } from "../../edge/callers/body_signature.ts";
import type { Access, Method } from "../contract.ts";
import type { JsonObject } from "./openapi_schema.ts";
import { SESSION_COOKIE } from "../../edge/callers/session_cookie.ts";
import { CSRF_HEADER } from "../../edge/callers/session_guard.ts";
import { API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER } from "../../edge/callers/signature.ts";

/** The headers and the cookie that tell who calls. */
export function securitySchemes(): JsonObject {
  const session = {
    type: "apiKey",
    in: "cookie",
    name: SESSION_COOKIE,
    description: "Set by signing in; without `__Host-` over plain HTTP on the local machine.",
  };
  const header = (name: string, description: string) => ({
    type: "apiKey",
    in: "header",
    name,
    description,
  });
  return {
    accessKey: header(API_KEY_HEADER, "Access key."),
    nonce: header(NONCE_HEADER, "Current time, in Unix milliseconds; each value is used once."),
    signature: header(
      SIGNATURE_HEADER,
      "Lower-case hex HMAC-SHA256 of the nonce followed by the access key, with the secret " +
        "as the key.",
    ),
    bodySignature: header(
      BODY_SIGNATURE_HEADER,
      "Beside the other three, where the venue requires it; see the introduction.",
    ),
    // Not "session": in clients made for Go, its type would be that of the schema `Session`.
    sessionCookie: session,
    csrfToken: header(CSRF_HEADER, "`csrf_token` returned by the sign-in."),
  };
}

/** Returns the ways to authenticate a call. */
export function security(access: Access, method: Method): JsonObject[] {
  const threeHeaders = { accessKey: [], nonce: [], signature: [] };
  const signed = [threeHeaders, { ...threeHeaders, bodySignature: [] }];
  const inSession = { sessionCookie: [], ...(method === "GET" ? {} : { csrfToken: [] }) };
  switch (access.kind) {
    case "public":
    case "service":
    case "visitor":
      return [];
    case "member":
      return access.isForKeysOnly ? signed : [...signed, inSession];
    case "session":
      return [inSession];
    case "operator":
      return [...signed, inSession];
  }
}
