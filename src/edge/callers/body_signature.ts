/**
 * Body signatures: a second signature beside the usual one, which does not cover what is asked.
 * With it, a captured call can't be turned into another one.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { ApiKey } from "../../domain/people/member.ts";
import type { BodySignatures } from "../../domain/settings.ts";
import type { KeyedHash } from "../../secrets/keyed_hash.ts";
import { ApiError } from "../errors.ts";
import { verifyText } from "./signature.ts";
import type { SignedCall, SignedHeaders } from "./signed_call.ts";

/** Header that carries the signature. */
export const BODY_SIGNATURE_HEADER = "X-Auth-Body-Signature";
/** Error identifier for a signed call that needs a body signature and has none: 401. */
export const BODY_SIGNATURE_REQUIRED = "authz.body_signature_required";

/**
 * Returns whether a call has no body signature, or a valid one; of a call that is refused since its
 * body could not be read, only the other signature is verified.
 */
export function verifyBodySignature(
  call: SignedCall,
  keyedHash: KeyedHash,
  { kid, nonce, bodySignature }: SignedHeaders,
): boolean {
  if (bodySignature === undefined) return true;
  const { body, method, pathAndQuery } = call;
  if (body === null) return true;
  const bodyHash = bytesToHex(sha256(utf8ToBytes(body)));
  return verifyText(keyedHash, nonce + kid + method + pathAndQuery + bodyHash, bodySignature);
}

/**
 * Returns why a key may not make a call that lacks a body signature, or null if it may.
 *
 * @param bodySignature the call's
 * @param required as of now, or as the call would have it
 */
export function refuseBodyUnsigned(
  bodySignature: string | undefined,
  required: BodySignatures,
  key: ApiKey,
): ApiError | null {
  if (!needsBodySignature(required, key) || bodySignature !== undefined) return null;
  return new ApiError(401, BODY_SIGNATURE_REQUIRED);
}

/** Returns whether calls of a key, handshakes included, need a body signature. */
export function needsBodySignature(required: BodySignatures, { role, scopes }: ApiKey): boolean {
  if (required !== "withdraw") return required === "all";
  return role === "operator" || scopes.includes("withdraw");
}
