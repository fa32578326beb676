/**
 * Identifies who signed a call. Without a valid signature, a refusal does not reveal whether the key
 * exists.
 */
import { refuseKey } from "../../domain/people/decide_key.ts";
import { type ApiKey, mayWithdraw } from "../../domain/people/member.ts";
import { reject } from "../../domain/rejection.ts";
import type { Settings } from "../../domain/settings.ts";
import type { Credential, Credentials } from "../../secrets/credentials.ts";
import { KeyedHash } from "../../secrets/keyed_hash.ts";
import { type Engine, LATE_MS_MAX } from "../../engine/engine.ts";
import type { AuthFailures } from "./auth_failures.ts";
import { verifyBodySignature } from "./body_signature.ts";
import type { SignedCaller } from "../env.ts";
import { addressRefused, ApiError, rejectionError } from "../errors.ts";
import { type NonceGuard, requestDigest } from "./nonce_guard.ts";
import { type RateLimit, SignatureFailures } from "./rate_limit.ts";
import { verifySignature } from "./signature.ts";
import type { SignedCall, SignedHeaders } from "./signed_call.ts";

/** What callers are identified with. */
export interface CallerCheckOptions {
  readonly engine: Engine;
  readonly credentials: Pick<Credentials, "cached" | "get">;
  readonly rateLimit: RateLimit;
  /** Notified of every signed call that is refused. */
  readonly authFailures: Pick<AuthFailures, "note">;
}

const INVALID_SIGNATURE = "authz.invalid_signature";
/** Statuses of calls refused because of who makes them, or from where. */
const UNPROVEN_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** Unknown keys are verified against this hash, so that they take as long as known ones. */
const NOBODY = new KeyedHash("nobody");

/** Identifies who signed a call. */
export class CallerCheck {
  readonly #options: CallerCheckOptions;
  readonly #nonces: NonceGuard;
  readonly #failures: SignatureFailures | null;

  constructor(options: CallerCheckOptions, nonces: NonceGuard) {
    const { rateLimit } = options;
    this.#options = options;
    this.#nonces = nonces;
    this.#failures = rateLimit === "off" ? null : new SignatureFailures();
  }

  /**
   * Returns the caller, at once if the key is in use. The nonce is in the window but may have been
   * used.
   *
   * @throws {ApiError} in the order of the checks, at once or when waited for
   */
  identify(call: SignedCall, headers: SignedHeaders): SignedCaller | Promise<SignedCaller> {
    const { engine } = this.#options;
    const { nonceWindowMs, settings } = engine.venue;
    // A wider window than this process remembers nonces by has to wait for its next start.
    const windowMs = Math.min(nonceWindowMs, settings.nonceWindowMs);
    const nonce = checkNonce(headers.nonce, engine.now(), windowMs);
    // Each commit checks the key's state and scopes, but not the caller's address.
    const verified = engine.lagMs > LATE_MS_MAX
      ? engine.fresh().then(() => this.#verified(call, headers))
      : this.#verified(call, headers);
    const callerOf = (known: Verified) =>
      this.#callerOf(call, nonce, known, headers.bodySignature !== undefined);
    return verified instanceof Promise ? verified.then(callerOf) : callerOf(verified);
  }

  #verified(call: SignedCall, headers: SignedHeaders): Verified | Promise<Verified> {
    const { credentials, engine } = this.#options;
    const credential = credentials.cached(headers.kid);
    const verified = credential === undefined ? null : this.#verify(call, headers, credential);
    // Another process may just have allowed an address.
    const isKnown = verified !== null &&
      (!engine.isShared || this.#isAddressAdmitted(call, verified));
    if (isKnown) return verified;
    // An unknown key must cost what a known one costs: both are verified equally often.
    return credential === undefined ? this.#load(call, headers) : this.#lookAgain(call, headers);
  }

  #callerOf(
    call: SignedCall,
    nonce: number,
    verified: Verified,
    isBodySigned: boolean,
  ): SignedCaller {
    const { key } = verified;
    const refusal = refuseKey(this.#options.engine.venue, key);
    if (refusal !== null) throw rejectionError(refusal);
    if (!this.#isAddressAdmitted(call, verified)) throw addressRefused(call.address);
    const digest = key.nonceMode === "request" ? digestOf(call) : 0;
    const signature = { key: key.index, nonce, digest };
    return { member: key.member, key, signature, isBodySigned, session: null };
  }

  #isAddressAdmitted(call: SignedCall, { key, credential }: Verified): boolean {
    const { settings } = this.#options.engine.venue;
    return isFromAllowed(settings, key, credential, () => call.address);
  }

  /**
   * Counts a signed call that was refused, and throws the reason.
   *
   * @throws {ApiError} also 429, if the address has sent too many wrong signatures
   */
  fail(call: SignedCall, headers: SignedHeaders, error: unknown): never {
    const { kid } = headers;
    const isApis = error instanceof ApiError;
    if (!isApis || !error.message.startsWith("authz.nonce_")) this.#abandon(call, headers);
    if (!isApis || !UNPROVEN_STATUSES.has(error.status)) throw error;
    const { authFailures, engine } = this.#options;
    const reason = error.message;
    const { address } = call;
    authFailures.note({ address, reason, kid });
    if (reason === INVALID_SIGNATURE) this.#failures?.add(address, engine.now());
    throw error;
  }

  /**
   * Spends the nonce of a call that is not admitted although it is signed, for its key's state or
   * its address, or since the venue can't serve it.
   */
  #abandon(call: SignedCall, headers: SignedHeaders): void {
    const { credentials, engine } = this.#options;
    const { kid, nonce } = headers;
    // As long for an unknown key as for one that is known.
    const keyedHash = credentials.cached(kid)?.keyedHash ?? NOBODY;
    const isGenuine = isSigned(call, keyedHash, headers);
    const key = engine.venue.keyByKid.get(kid)?.key;
    if (!isGenuine || keyedHash === NOBODY || key === undefined) return;
    const digest = key.nonceMode === "request" ? digestOf(call) : 0;
    this.#nonces.abandon({ key: key.index, nonce: Number(nonce), digest }, key.member);
  }

  async #load(call: SignedCall, headers: SignedHeaders): Promise<Verified> {
    const credential = await this.#options.credentials.get(headers.kid);
    return this.#verify(call, headers, credential) ?? await this.#lookAgain(call, headers);
  }

  /** Verifies a call again after catching up: another process may just have made the key. */
  async #lookAgain(call: SignedCall, headers: SignedHeaders): Promise<Verified> {
    const { credentials, engine } = this.#options;
    let verified: Verified | null = null;
    if (engine.isShared) {
      await engine.fresh();
      verified = this.#verify(call, headers, await credentials.get(headers.kid));
    }
    if (verified !== null) return verified;
    throw new ApiError(401, INVALID_SIGNATURE);
  }

  #verify(
    call: SignedCall,
    headers: SignedHeaders,
    credential: Credential | null,
  ): Verified | null {
    const keyedHash = credential?.keyedHash ?? NOBODY;
    const isGenuine = isSigned(call, keyedHash, headers);
    const key = this.#options.engine.venue.keyByKid.get(headers.kid)?.key;
    return isGenuine && credential !== null && key !== undefined ? { key, credential } : null;
  }
}

/** Returns whether all signatures of a call are those of a secret. */
function isSigned(call: SignedCall, keyedHash: KeyedHash, headers: SignedHeaders): boolean {
  const { kid, nonce, signature } = headers;
  // In this order, since no stranger may have long bodies hashed.
  return verifySignature(keyedHash, nonce, kid, signature) &&
    verifyBodySignature(call, keyedHash, headers);
}

interface Verified {
  readonly key: ApiKey;
  readonly credential: Credential;
}

/** Returns whether a key may be used from an address: by its list, or without one by the settings. */
export function isFromAllowed(
  { needsWithdrawIpLists }: Pick<Settings, "needsWithdrawIpLists">,
  key: ApiKey,
  { allowList }: Pick<Credential, "allowList">,
  address: () => string,
): boolean {
  // Few keys have a list, and the platform takes a while to tell an address.
  if (allowList === null) return !(needsWithdrawIpLists && mayWithdraw(key));
  return allowList.has(address());
}

/** Returns the nonce in ms: a positive integer in plain digits, within the window around now. */
function checkNonce(text: string, now: number, windowMs: number): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new ApiError(401, "authz.nonce_not_valid_timestamp");
  const nonce = Number(text);
  if (Math.abs(now - nonce) >= windowMs) throw rejectionError(reject("nonce_expired"));
  return nonce;
}

function digestOf({ method, pathAndQuery, body }: SignedCall): number {
  return requestDigest(method, pathAndQuery, body ?? "");
}
