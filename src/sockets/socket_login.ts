/**
 * Log-in by a message: an unsigned socket becomes that of a key, as if its handshake had been signed.
 * Browsers and many libraries can't send headers with a handshake.
 *
 * Nobody gets a place for the promise to log in: until then the socket is a stranger's like any
 * other, with a stranger's limits, and goes where strangers have to go.
 */
import type { Scope } from "../domain/people/member.ts";
import type { Auth } from "../edge/callers/auth.ts";
import type { SignedCall, SignedHeaders } from "../edge/callers/signed_call.ts";
import type { SignedCaller } from "../edge/env.ts";
import { ApiError, rateLimited } from "../edge/errors.ts";

/** Log-ins of one socket that may fail; then it is closed. */
export const LOGIN_FAILURES_MAX = 5;
/** Error identifier of a log-in on a socket that somebody has already. */
export const ALREADY_LOGGED_IN = "stream.already_logged_in";
/** Error identifier of a log-in that lacks a field, as of a call that lacks a header. */
export const INVALID_LOGIN = "authz.invalid_api_key_headers";

/** Longest field of a log-in, in characters. */
const FIELD_LENGTH_MAX = 256;

/** What admits who logs in. */
export interface LoginParts {
  readonly auth: Pick<Auth, "logIn">;
  /** The handshake of the socket, as its caller could have signed it. */
  readonly handshake: SignedCall;
  /**
   * Gives the caller the socket.
   *
   * @throws {ApiError} there is no place for another of this caller's
   */
  readonly admit: (caller: SignedCaller) => void;
}

/** The log-in of one socket that was opened without a signature. */
export class SocketLogin {
  readonly #parts: LoginParts;
  #failures = 0;
  #isDone = false;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  /** Whether so many have failed that the socket has to go. */
  get hasFailedTooOften(): boolean {
    return this.#failures >= LOGIN_FAILURES_MAX;
  }

  /**
   * Logs in; one at a time.
   *
   * @param scope that the key needs; null for any
   * @throws {ApiError} as for a handshake with these headers, 422 if somebody has logged in, or 429
   * if too many have failed
   */
  async logIn(signed: SignedHeaders, scope: Scope | null): Promise<SignedCaller> {
    if (this.#isDone) throw alreadyLoggedIn();
    // Those that were sent before the client could hear of the failures.
    if (this.hasFailedTooOften) throw rateLimited(1);
    const { admit, auth, handshake } = this.#parts;
    try {
      const caller = await auth.logIn(handshake, signed, scope);
      admit(caller);
      this.#isDone = true;
      return caller;
    } catch (error) {
      this.#failures += 1;
      throw error;
    }
  }
}

/** Returns the error of a log-in on a socket that a key or a session has already. */
export function alreadyLoggedIn(): ApiError {
  return new ApiError(422, ALREADY_LOGGED_IN);
}

/**
 * Reads a log-in's values, which are those of the headers.
 *
 * @param bodySignature absent or null if there is none
 * @throws {ApiError} 422 one is missing or is no such text
 */
export function signedBy(
  kid: unknown,
  nonce: unknown,
  signature: unknown,
  bodySignature: unknown,
): SignedHeaders {
  return {
    kid: textOf(kid, "apikey"),
    nonce: textOf(Number.isSafeInteger(nonce) ? String(nonce) : nonce, "nonce"),
    signature: textOf(signature, "signature"),
    bodySignature: (bodySignature ?? null) === null
      ? undefined
      : textOf(bodySignature, "body_signature"),
  };
}

function textOf(value: unknown, field: string): string {
  const isText = typeof value === "string" && value !== "" && value.length <= FIELD_LENGTH_MAX;
  if (isText) return value;
  throw new ApiError(422, INVALID_LOGIN, { details: { field } });
}
