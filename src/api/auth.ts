/**
 * Who calls, and whether they may: key, nonce, signature, states, address,
 * scope. What a refused caller learns tells nothing of keys that exist.
 */
import type { Context } from "hono";
import { refuseKey } from "../domain/decide_key.ts";
import type { ApiKey, Scope } from "../domain/member.ts";
import { reject, type Rejection } from "../domain/rejection.ts";
import { createKeyedHash, type Credential, type Credentials } from "../engine/credentials.ts";
import type { Engine } from "../engine/engine.ts";
import type { Sessions } from "../identity/identity.ts";
import type { AuthFailures } from "./auth_failures.ts";
import type { ClientAddress } from "./client_address.ts";
import type { Caller, Env, SignedCaller } from "./env.ts";
import { ApiError, rejectionError } from "./errors.ts";
import { type Guard, type Guards, nothing } from "./guard.ts";
import { isRead } from "./is_read.ts";
import { NonceGuard, requestDigest } from "./nonce_guard.ts";
import {
  type CallKind,
  createCallLimits,
  type RateLimit,
  SignatureFailures,
} from "./rate_limit.ts";
import { refuseCrossSite } from "./same_site.ts";
import { createSessionGuard } from "./session_guard.ts";
import { API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER, verifySignature } from "./signature.ts";

/** What authentication works with. */
export interface AuthOptions {
  readonly engine: Engine;
  readonly credentials: Pick<Credentials, "cached" | "get">;
  readonly sessions: Pick<Sessions, "authenticate" | "use">;
  /** How far a nonce may be from the present, in ms. */
  readonly nonceWindowMs: number;
  /** How many keys the venue had when this process opened it; all that it has now by default. */
  readonly keysAtStart?: number;
  readonly rateLimit: RateLimit;
  /** Address that the call comes from. */
  readonly clientAddress: ClientAddress;
  /** Whether calls come through proxies of one's own. */
  readonly isBehindProxy: boolean;
  /** Told of every signed call that is not let through. */
  readonly authFailures: Pick<AuthFailures, "note">;
}

/** Guards by who may call, and what comes over the connections that they have let through. */
export interface Auth extends Guards {
  /** Lets keys of any scope open a connection, and people who are signed in. */
  connection(): Guard;
  /**
   * Counts what comes over an open connection as one call of its caller, of this kind: it also
   * keeps the caller's session alive.
   *
   * @throws {ApiError} 429 where there were too many
   */
  count(caller: Caller, kind: CallKind): void;
}

interface SignedHeaders {
  readonly kid: string;
  readonly nonce: string;
  readonly signature: string;
}

const INVALID_SIGNATURE = "authz.invalid_signature";
/**
 * How late a process may know of a change to the addresses that a key works from, in ms: the log
 * asks for the key's state and scopes at every call, and for nothing of where it comes from.
 */
export const ADDRESSES_LATE_MS_MAX = 250;
/** Of calls that are refused for who makes them, or from where. */
const UNPROVEN_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** Unknown keys are verified against it, so that they cost what known ones cost. */
const NOBODY = createKeyedHash("nobody");

/** Builds the authentication of a venue's routes. */
export function createAuth(options: AuthOptions): Auth {
  const callers = new CallerCheck(options);
  const { engine, nonceWindowMs, keysAtStart = engine.venue.keys.length } = options;
  const nonces = new NonceGuard(engine, nonceWindowMs, keysAtStart);
  const limits = createCallLimits(options.rateLimit);

  function people(kind: CallKind): Guard {
    return createSessionGuard({ ...options, memberLimit: limits?.[kind].members ?? null });
  }

  function guard(
    refuse: Refusing,
    unsigned: Guard,
    { kind = "other", prepareWrite = nothing }: GuardTerms = {},
  ): Guard {
    const keyLimit = limits?.[kind].keys ?? null;

    function admitSigned(c: Context<Env>, caller: SignedCaller): Promise<void> | null {
      keyLimit?.take(c, caller.key.index, engine.now());
      nonces.claim(caller.signature);
      c.set("caller", caller);
      const refusal = refuse(caller.key, isRead(c));
      if (!isRead(c) && refusal === null) return prepareWrite();
      return nonces.spend(caller).then((rejection) => refuseNonce(rejection, refusal, refuse));
    }

    function admitHeaders(c: Context<Env>, headers: SignedHeaders): Promise<void> | null {
      const caller = callers.identify(c, headers);
      return caller instanceof Promise
        ? caller.then((identified) => admitSigned(c, identified) ?? undefined)
        : admitSigned(c, caller);
    }

    return {
      admit(c) {
        const headers = readHeaders(c);
        if (headers === null) return unsigned.admit(c);
        try {
          const admitting = admitHeaders(c, headers);
          return admitting?.catch((error) => callers.fail(c, headers, error)) ?? null;
        } catch (error) {
          return callers.fail(c, headers, error);
        }
      },
      settle(c, status) {
        const caller = c.get("caller");
        // Of a call that the store could not take, the nonce cannot be spent either.
        if (caller.key === null || isRead(c) || status === 503 || status === 504) return null;
        return nonces.settle(caller);
      },
    };
  }

  return {
    visitor: () => VISITORS,
    member: (scope, kind = "other") =>
      guard((key) => refuseScope(key, scope), people(kind), { kind }),
    session: () => unsignedOnly(people("other")),
    // Another process may have made what the call names a moment ago; reads know by their nonce.
    operator: () => guard(refuseMember, NOBODY_UNSIGNED, { prepareWrite: () => engine.fresh() }),
    connection: () => guard(refuseNoKey, people("other")),
    count: ({ key, member, session }, kind) => {
      const buckets = limits?.[kind];
      if (key === null) buckets?.members.takeSilently(member, engine.now());
      else buckets?.keys.takeSilently(key.index, engine.now());
      if (session !== null) options.sessions.use(session);
    },
  };
}

/** Why a key may not make a call, which reads or writes. */
type Refusing = (key: ApiKey, isReading: boolean) => ApiError | null;

/** What a guard of signed calls has of its own. */
interface GuardTerms {
  readonly kind?: CallKind;
  /** What is to be waited for before a write. */
  readonly prepareWrite?: () => Promise<void> | null;
}

function unsignedOnly(people: Guard): Guard {
  return {
    admit(c) {
      if (readHeaders(c) !== null) throw new ApiError(401, "authz.invalid_permission");
      return people.admit(c);
    },
    settle: nothing,
  };
}

/** What has come of spending a nonce, and what was to be refused anyway. */
function refuseNonce(
  rejection: Rejection | null,
  refusal: ApiError | null,
  refuse: Refusing,
): void {
  if (refusal !== null && rejection?.rejected !== "nonce_already_used") throw refusal;
  // The log asks whether the key may read; to open a connection it need not.
  if (refuse === refuseNoKey && rejection?.rejected === "scope_not_permitted") return;
  if (rejection !== null) throw rejectionError(rejection, "single");
}

function refuseNoKey(): null {
  return null;
}

const VISITORS: Guard = {
  admit(c) {
    refuseCrossSite(c);
    return null;
  },
  settle: nothing,
};

/** Sessions are for members' endpoints: an operator signs every call. */
const NOBODY_UNSIGNED: Guard = {
  admit() {
    throw new ApiError(401, "authz.invalid_session");
  },
  settle: nothing,
};

/** Finds out who has signed a call. */
class CallerCheck {
  readonly #options: AuthOptions;
  readonly #failures: SignatureFailures | null;

  constructor(options: AuthOptions) {
    const { rateLimit } = options;
    this.#options = options;
    this.#failures = rateLimit === "off" ? null : new SignatureFailures();
  }

  /**
   * The caller, whose nonce is in the window but may have been used; at once
   * where the key's credential is in memory.
   *
   * @throws {ApiError} in the order of the checks; also by way of the promise
   */
  identify(c: Context<Env>, headers: SignedHeaders): SignedCaller | Promise<SignedCaller> {
    const { engine, nonceWindowMs } = this.#options;
    const nonce = checkNonce(headers.nonce, engine.now(), nonceWindowMs);
    // Of a process that stood still, or could not read.
    const isLate = engine.lagMs > ADDRESSES_LATE_MS_MAX;
    if (!isLate) return this.#identify(c, headers, nonce);
    return engine.fresh().then(() => this.#identify(c, headers, nonce));
  }

  #identify(
    c: Context<Env>,
    headers: SignedHeaders,
    nonce: number,
  ): SignedCaller | Promise<SignedCaller> {
    const { clientAddress, credentials, engine } = this.#options;
    const credential = credentials.cached(headers.kid);
    const verified = credential === undefined ? null : this.#verify(headers, credential);
    // Another process may have let an address in a moment ago.
    const isKnown = verified !== null &&
      (!engine.isShared || isFromAllowed(verified.credential, clientAddress(c)));
    if (isKnown) return this.#callerOf(c, nonce, verified);
    // Unknown keys are to cost what known ones cost: each is verified as often.
    const looking = credential === undefined ? this.#load(headers) : this.#lookAgain(headers);
    return looking.then((found) => this.#callerOf(c, nonce, found));
  }

  #callerOf(c: Context<Env>, nonce: number, { key, credential }: Verified): SignedCaller {
    const { engine, clientAddress } = this.#options;
    const refusal = refuseKey(engine.venue, key);
    if (refusal !== null) throw rejectionError(refusal, "single");
    if (!isFromAllowed(credential, clientAddress(c))) {
      throw new ApiError(403, "authz.ip_not_permitted");
    }
    const digest = key.nonceMode === "request" ? digestOf(c) : 0;
    return { member: key.member, key, signature: { key: key.index, nonce, digest }, session: null };
  }

  /**
   * Counts a signed call that was not let through, and throws why.
   *
   * @throws {ApiError} also 429, where the address has signed wrongly too often
   */
  fail(c: Context<Env>, { kid }: SignedHeaders, error: unknown): never {
    if (!(error instanceof ApiError) || !UNPROVEN_STATUSES.has(error.status)) throw error;
    const { authFailures, clientAddress, engine } = this.#options;
    const reason = error.message;
    const address = clientAddress(c);
    authFailures.note({ address, reason, kid });
    if (reason === INVALID_SIGNATURE) this.#failures?.add(address, engine.now());
    throw error;
  }

  async #load(headers: SignedHeaders): Promise<Verified> {
    const credential = await this.#options.credentials.get(headers.kid);
    return this.#verify(headers, credential) ?? await this.#lookAgain(headers);
  }

  /** Another process may have made the key a moment ago. */
  async #lookAgain(headers: SignedHeaders): Promise<Verified> {
    const { credentials, engine } = this.#options;
    let verified: Verified | null = null;
    if (engine.isShared) {
      await engine.fresh();
      verified = this.#verify(headers, await credentials.get(headers.kid));
    }
    if (verified !== null) return verified;
    throw new ApiError(401, INVALID_SIGNATURE);
  }

  #verify(
    { kid, nonce, signature }: SignedHeaders,
    credential: Credential | null,
  ): Verified | null {
    const keyedHash = credential?.keyedHash ?? NOBODY;
    const isGenuine = verifySignature(keyedHash, nonce, kid, signature);
    const key = this.#options.engine.venue.keyByKid.get(kid)?.key;
    return isGenuine && credential !== null && key !== undefined ? { key, credential } : null;
  }
}

interface Verified {
  readonly key: ApiKey;
  readonly credential: Credential;
}

/** Whether a key may be used from an address. */
export function isFromAllowed({ allowList }: Credential, address: string): boolean {
  return allowList === null || allowList.has(address);
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

/** Operators' endpoints: their keys read with `read`, and change the venue with `trade`. */
function refuseMember(key: ApiKey, isReading: boolean): ApiError | null {
  if (key.role !== "operator") return rejectionError(reject("operator_only"), "single");
  return refuseScope(key, isReading ? "read" : "trade");
}

function digestOf(c: Context<Env>): number {
  const { url, method } = c.req;
  const path = url.slice(url.indexOf("/", url.indexOf("//") + 2));
  return requestDigest(method, path, c.get("rawBody") ?? "");
}
