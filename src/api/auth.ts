/**
 * Who calls, and whether they may: key, nonce, signature, states, address,
 * scope. What a refused caller learns tells nothing of keys that exist (D44).
 */
import type { Context, MiddlewareHandler } from "hono";
import { type ApiKey, isMemberUsable, type Scope } from "../domain/member.ts";
import { reject, type Rejection } from "../domain/rejection.ts";
import { createKeyedHash, type Credential, type Credentials } from "../engine/credentials.ts";
import type { Engine } from "../engine/engine.ts";
import type { Sessions } from "../identity/identity.ts";
import type { ClientAddress } from "./client_address.ts";
import type { Caller, Env, SignedCaller } from "./env.ts";
import { ApiError, rejectionError } from "./errors.ts";
import { NonceGuard, requestDigest } from "./nonce_guard.ts";
import { KeyRateLimit, type RateLimit, SignatureFailures } from "./rate_limit.ts";
import { refuseCrossSite } from "./same_site.ts";
import { createSessionGuard } from "./session_guard.ts";
import { API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER, verifySignature } from "./signature.ts";

/** What authentication works with. */
export interface AuthOptions {
  readonly engine: Engine;
  readonly credentials: Pick<Credentials, "cached" | "get">;
  readonly sessions: Pick<Sessions, "authenticate">;
  /** How far a nonce may be from the present, in ms. */
  readonly nonceWindowMs: number;
  /** How many keys the venue had when this process opened it; all that it has now by default. */
  readonly keysAtStart?: number;
  /** The venue's clock, in ms. */
  readonly now: () => number;
  readonly rateLimit: RateLimit;
  /** Address that the call comes from. */
  readonly clientAddress: ClientAddress;
}

/** Middleware by who may call. */
export interface Auth {
  /** Lets everybody through but other sites' pages. */
  visitor(): MiddlewareHandler<Env>;
  /** Lets keys with the scope through, and people who are signed in. */
  member(scope: Scope): MiddlewareHandler<Env>;
  /** Lets people through who are signed in. */
  session(): MiddlewareHandler<Env>;
  /** Lets operators' keys through. */
  operator(): MiddlewareHandler<Env>;
  /** Lets keys of any scope open a connection, and people who are signed in. */
  connection(): MiddlewareHandler<Env>;
  /**
   * Counts what comes over an open connection as one call of its caller.
   *
   * @throws {ApiError} 429 where there were too many
   */
  count(caller: Caller): void;
}

interface SignedHeaders {
  readonly kid: string;
  readonly nonce: string;
  readonly signature: string;
}

/** Unknown keys are verified against it, so that they cost what known ones cost. */
const NOBODY = createKeyedHash("nobody");

/** Builds the authentication of a venue's routes. */
export function createAuth(options: AuthOptions): Auth {
  const callers = new CallerCheck(options);
  const { engine, nonceWindowMs, keysAtStart = engine.venue.keys.length } = options;
  const nonces = new NonceGuard(engine, nonceWindowMs, keysAtStart);
  const memberLimit = keyRateLimit(options.rateLimit);
  const admitPerson = createSessionGuard({ ...options, memberLimit });

  function guard(
    refuse: (key: ApiKey) => ApiError | null,
    admitUnsigned: MiddlewareHandler<Env>,
    prepareWrite: () => Promise<void> = nothingToPrepare,
  ): MiddlewareHandler<Env> {
    return async function authenticate(c, next) {
      const headers = readHeaders(c);
      if (headers === null) return await admitUnsigned(c, next);
      const caller = await callers.identify(c, headers);
      callers.limit(c, caller);
      nonces.claim(caller.signature);
      const refusal = refuse(caller.key);
      const isRead = c.req.method === "GET" || c.req.method === "HEAD";
      if (isRead || refusal !== null) refuseNonce(await nonces.spend(caller), refusal, refuse);
      else await prepareWrite();

      c.set("caller", caller);
      await next();
      // Of a call that the store could not take, the nonce cannot be spent either.
      const { status } = c.res;
      if (isRead || status === 503 || status === 504) return;
      const settling = nonces.settle(caller);
      if (settling !== null) await settling;
    };
  }

  return {
    visitor: () => admitVisitor,
    member: (scope) => guard((key) => refuseScope(key, scope), admitPerson),
    session: () => (c, next) => {
      if (readHeaders(c) !== null) throw new ApiError(401, "authz.invalid_permission");
      return admitPerson(c, next);
    },
    // Another process may have made what the call names a moment ago; reads know by their nonce.
    operator: () => guard(refuseMember, refuseUnsigned, () => engine.fresh()),
    connection: () => guard(refuseNoKey, admitPerson),
    count: (caller) => {
      if (caller.key === null) memberLimit?.takeSilently(caller.member, options.now());
      else callers.count(caller.key);
    },
  };
}

/** What has come of spending a nonce, and what was to be refused anyway. */
function refuseNonce(
  rejection: Rejection | null,
  refusal: ApiError | null,
  refuse: (key: ApiKey) => ApiError | null,
): void {
  if (refusal !== null && rejection?.rejected !== "nonce_already_used") throw refusal;
  // The log asks whether the key may read; to open a connection it need not.
  if (refuse === refuseNoKey && rejection?.rejected === "scope_not_permitted") return;
  if (rejection !== null) throw rejectionError(rejection, "single");
}

function refuseNoKey(): null {
  return null;
}

function keyRateLimit(rateLimit: RateLimit): KeyRateLimit | null {
  return rateLimit === "off" ? null : new KeyRateLimit(rateLimit);
}

async function admitVisitor(c: Context<Env>, next: () => Promise<void>): Promise<void> {
  refuseCrossSite(c);
  await next();
}

/** Sessions are for members' endpoints: an operator signs every call. */
function refuseUnsigned(): Promise<void> {
  throw new ApiError(401, "authz.invalid_session");
}

function nothingToPrepare(): Promise<void> {
  return Promise.resolve();
}

/** Finds out who has signed a call. */
class CallerCheck {
  readonly #options: AuthOptions;
  readonly #keyLimit: KeyRateLimit | null;
  readonly #failures: SignatureFailures | null;

  constructor(options: AuthOptions) {
    const { rateLimit } = options;
    this.#options = options;
    this.#keyLimit = keyRateLimit(rateLimit);
    this.#failures = rateLimit === "off" ? null : new SignatureFailures();
  }

  /**
   * The caller, whose nonce is in the window but may have been used.
   *
   * @throws {ApiError} in the order of the checks
   */
  async identify(c: Context<Env>, headers: SignedHeaders): Promise<SignedCaller> {
    const { engine, now, nonceWindowMs, clientAddress } = this.#options;
    const nonce = checkNonce(headers.nonce, now(), nonceWindowMs);
    const { key, credential } = await this.#verify(c, headers);
    if (key.state !== "active") throw rejectionError(reject("key_not_active"), "single");
    if (!isMemberUsable(engine.venue.holder(key.member).member)) {
      throw rejectionError(reject("member_not_active"), "single");
    }
    if (credential.allowList !== null && !credential.allowList.has(clientAddress(c))) {
      throw new ApiError(403, "authz.ip_not_permitted");
    }
    const digest = key.nonceMode === "request" ? digestOf(c) : 0;
    return { member: key.member, key, signature: { key: key.index, nonce, digest }, session: null };
  }

  /**
   * Counts a call of the key.
   *
   * @throws {ApiError} 429 where there were too many
   */
  limit(c: Context<Env>, caller: SignedCaller): void {
    this.#keyLimit?.take(c, caller.key.index, this.#options.now());
  }

  /**
   * Counts what came over a connection of the key.
   *
   * @throws {ApiError} 429 where there was too much
   */
  count(key: ApiKey): void {
    this.#keyLimit?.takeSilently(key.index, this.#options.now());
  }

  async #verify(c: Context<Env>, headers: SignedHeaders): Promise<Verified> {
    const { engine, now, clientAddress } = this.#options;
    let verified = await this.#tryVerify(headers);
    if (verified === null && engine.isShared) {
      // Another process may have made the key a moment ago.
      await engine.fresh();
      verified = await this.#tryVerify(headers);
    }
    if (verified === null) {
      this.#failures?.add(clientAddress(c), now());
      throw new ApiError(401, "authz.invalid_signature");
    }
    return verified;
  }

  async #tryVerify({ kid, nonce, signature }: SignedHeaders): Promise<Verified | null> {
    const { engine, credentials } = this.#options;
    const credential = credentials.cached(kid) ?? await credentials.get(kid);
    const keyedHash = credential?.keyedHash ?? NOBODY;
    const isGenuine = verifySignature(keyedHash, nonce, kid, signature);
    const key = engine.venue.keyByKid.get(kid)?.key;
    return isGenuine && credential !== null && key !== undefined ? { key, credential } : null;
  }
}

interface Verified {
  readonly key: ApiKey;
  readonly credential: Credential;
}

/** Null where the call has none of the three. */
function readHeaders(c: Context<Env>): SignedHeaders | null {
  const kid = c.req.header(API_KEY_HEADER);
  const nonce = c.req.header(NONCE_HEADER);
  const signature = c.req.header(SIGNATURE_HEADER);
  if (kid === undefined && nonce === undefined && signature === undefined) return null;
  if (!kid || !nonce || !signature) throw new ApiError(422, "authz.invalid_api_key_headers");
  return { kid, nonce, signature };
}

/** The nonce in ms: a positive integer in plain digits, inside the window around the present. */
function checkNonce(text: string, now: number, windowMs: number): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new ApiError(401, "authz.nonce_not_valid_timestamp");
  const nonce = Number(text);
  if (Math.abs(now - nonce) >= windowMs) throw rejectionError(reject("nonce_expired"), "single");
  return nonce;
}

function refuseScope(key: ApiKey, scope: Scope): ApiError | null {
  return key.scopes.includes(scope)
    ? null
    : rejectionError(reject("scope_not_permitted"), "single");
}

function refuseMember(key: ApiKey): ApiError | null {
  return key.role === "operator" ? null : rejectionError(reject("operator_only"), "single");
}

function digestOf(c: Context<Env>): number {
  const { url, method } = c.req;
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  return requestDigest(method, path, c.get("rawBody") ?? "");
}
