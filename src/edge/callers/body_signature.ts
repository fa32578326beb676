/**
 * Body signatures: a second signature beside the usual one, which does not cover what is asked.
 * With it, a captured call can't be turned into another one.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Context } from "hono";
import type { ApiKey } from "../../domain/people/member.ts";
import type { BodySignatures } from "../../domain/settings.ts";
import type { KeyedHash } from "../../secrets/credentials.ts";
import type { Env } from "../env.ts";
import { ApiError } from "../errors.ts";
import { pathAndQuery } from "../reading/query.ts";
import { verifyText } from "./signature.ts";

/** Header that carries the signature. */
export const BODY_SIGNATURE_HEADER = "X-Auth-Body-Signature";
/** Error identifier for a signed call that needs a body signature and has none: 401. */
export const BODY_SIGNATURE_REQUIRED = "authz.body_signature_required";

/** Headers of a signed call. */
export interface SignedHeaders {
  readonly kid: string;
  readonly nonce: string;
  readonly signature: string;
  readonly bodySignature: string | undefined;
}

/**
 * Returns whether a call has no body signature, or a valid one; of a call that is refused since its
 * body could not be read, only the other signature is verified.
 */
export function verifyBodySignature(
  c: Context<Env>,
  keyedHash: KeyedHash,
  { kid, nonce, bodySignature }: SignedHeaders,
): boolean {
  if (bodySignature === undefined || c.get("isBodyUnread")) return true;
  const { method, url } = c.req;
  const bodyHash = bytesToHex(sha256(utf8ToBytes(c.get("rawBody") ?? "")));
  return verifyText(keyedHash, nonce + kid + method + pathAndQuery(url) + bodyHash, bodySignature);
}

/**
 * Returns why a key may not make a call that lacks a body signature, or null if it may.
 *
 * @param required as of now, or as the call would have it
 */
export function refuseBodyUnsigned(
  c: Context<Env>,
  required: BodySignatures,
  key: ApiKey,
): ApiError | null {
  if (!needsBodySignature(required, key) || c.req.header(BODY_SIGNATURE_HEADER) !== undefined) {
    return null;
  }
  return new ApiError(401, BODY_SIGNATURE_REQUIRED);
}

/** Returns whether calls of a key, handshakes included, need a body signature. */
export function needsBodySignature(required: BodySignatures, { role, scopes }: ApiKey): boolean {
  if (required !== "withdraw") return required === "all";
  return role === "operator" || scopes.includes("withdraw");
}
