/**
 * Authenticates callers and checks what they may do: key, nonce, signature, states, address and
 * scope. Without a valid signature, a refusal does not reveal whether the key exists.
 */
import type { Context } from "hono";
import { refuseKey } from "../domain/decide_key.ts";
import { type ApiKey, mayWithdraw, type Scope } from "../domain/member.ts";
import { reject, type Rejection } from "../domain/rejection.ts";
import {
  createKeyedHash,
  type Credential,
  type Credentials,
  type KeyedHash,
} from "../engine/credentials.ts";
import { type Engine, LATE_MS_MAX } from "../engine/engine.ts";
import type { Sessions } from "../identity/identity.ts";
import type { AuthFailures } from "./auth_failures.ts";
import {
  BODY_SIGNATURE_HEADER,
  type BodySignatures,
  refuseBodyUnsigned,
  type SignedHeaders,
  verifyBodySignature,
} from "./body_signature.ts";
import type { ClientAddress } from "./client_address.ts";
import type { Caller, Env, SignedCaller } from "./env.ts";
import { addressRefused, ApiError, rejectionError } from "./errors.ts";
import { type CallTerms, type Guard, type Guards, nothing } from "./guard.ts";
import { isRead } from "./is_read.ts";
import { NonceGuard, requestDigest } from "./nonce_guard.ts";
import { pathAndQuery } from "./query.ts";
import {
  type CallKind,
  costOfRecords,
  createCallLimits,
  type MemberRateLimit,
  MESSAGES_PER_COST,
  type RateLimit,
  SignatureFailures,
} from "./rate_limit.ts";
import { refuseCrossSite } from "./same_site.ts";
import { createSessionGuard } from "./session_guard.ts";
import { API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER, verifySignature } from "./signature.ts";

/** Options of {@linkcode createAuth}. */
export interface AuthOptions {
  readonly engine: Engine;
  readonly credentials: Pick<Credentials, "cached" | "get">;
  readonly sessions: Pick<Sessions, "authenticate" | "use">;
  /** How far a nonce may be from the current time, in ms. */
  readonly nonceWindowMs: number;
  /** Number of keys when this process opened the venue; by default the current number. */
  readonly keysAtStart?: number;
  /** Whether members' keys that may withdraw need an allow-list. */
  readonly needsWithdrawIpLists: boolean;
  readonly rateLimit: RateLimit;
  readonly bodySignatures: BodySignatures;
  /** Returns the address that a call comes from. */
  readonly clientAddress: ClientAddress;
  /** Whether calls arrive through the venue's own proxies. */
  readonly isBehindProxy: boolean;
  /** Notified of every signed call that is refused. */
  readonly authFailures: Pick<AuthFailures, "note">;
}

/**
 * What the beginnings of a member's private streams cost. They are not refused, since a client that
 * comes back needs them, but wait until what the member has spent before is refilled.
 */
export interface BeginningCosts {
  /** Returns how long a beginning has to wait, in ms. */
  waitMs(member: number): number;
  /** Takes what a beginning of so many messages costs. */
  charge(member: number, messages: number): void;
}

/** Guards for each kind of caller, and a counter for the connections that they admit. */
export interface Auth extends Guards {
  /** Lets keys of any scope and signed-in members open a connection. */
  connection(): Guard;
  /**
   * Counts a message on an open connection as a call of this kind by its caller, and keeps the
   * caller's session alive.
   *
   * @param cost what it costs, 1 by default
   * @throws {ApiError} 429 if nothing was left
   */
  count(caller: Caller, kind: CallKind, cost?: number): void;
  /** Takes from the caller on an open connection what looking at so many records costs. */
  chargeRecords(caller: Caller, count: number): void;
  /** What the beginnings of private streams cost. */
  readonly beginnings: BeginningCosts;
}

const INVALID_SIGNATURE = "authz.invalid_signature";
/** Statuses of calls refused because of who makes them, or from where. */
const UNPROVEN_STATUSES: ReadonlySet<number> = new Set([401, 403]);

/** Unknown keys are verified against this hash, so that they take as long as known ones. */
const NOBODY = createKeyedHash("nobody");

/** Creates the authentication of a venue's routes. */
export function createAuth(options: AuthOptions): Auth {
  const { engine, nonceWindowMs, keysAtStart = engine.venue.keys.length } = options;
  const nonces = new NonceGuard(engine, nonceWindowMs, keysAtStart);
  const callers = new CallerCheck(options, nonces);
  const limits = createCallLimits(options.rateLimit);

  function people({ kind = "other", costOf }: CallTerms = {}): Guard {
    return createSessionGuard({ ...options, memberLimit: limits?.[kind] ?? null, costOf });
  }

  function guard(
    refuse: Refusing | null,
    unsigned: Guard,
    { kind = "other", costOf }: CallTerms = {},
  ): Guard {
    const limit = limits?.[kind] ?? null;

    function admitSigned(c: Context<Env>, caller: SignedCaller): Promise<void> | null {
      // Whatever becomes of the call, no other one may be made of what it was signed with.
      nonces.claim(caller.signature);
      c.set("caller", caller);
      const tooMany = limit?.take(c, caller.member, engine.now(), costOf?.(c)) ?? null;
      // The log must not grow by calls without end.
      if (tooMany !== null) limits?.refused.takeSilently(caller.member, engine.now());
      const refusal = tooMany ?? refuseBodyUnsigned(c, options.bodySignatures, caller.key) ??
        refuse?.(caller.key, isRead(c)) ?? null;
      if (!isRead(c) && refusal === null) return null;
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
        return caller.key === null || isRead(c) ? null : nonces.settle(caller, status);
      },
    };
  }

  return {
    visitor: () => VISITORS,
    member: (scope, terms) => guard((key) => refuseScope(key, scope), people(terms), terms),
    session: () => peopleOnly(guard(null, people())),
    operator: () => guard(refuseMember, NOBODY_UNSIGNED),
    connection: () => guard(null, people()),
    ...readCosts(limits?.other, engine),
    beginnings: beginningCosts(limits?.other, engine),
    count: ({ member, session }, kind, cost) => {
      limits?.[kind].takeSilently(member, engine.now(), cost);
      if (session !== null) options.sessions.use(session);
    },
  };
}

function readCosts(
  limit: MemberRateLimit | undefined,
  engine: Pick<Engine, "now">,
): Pick<Auth, "charge" | "chargeRecords"> {
  return {
    charge: (c, cost) => limit?.charge(c.get("caller").member, engine.now(), cost, c),
    chargeRecords: ({ member }, count) => limit?.charge(member, engine.now(), costOfRecords(count)),
  };
}

function beginningCosts(
  limit: MemberRateLimit | undefined,
  engine: Pick<Engine, "now">,
): BeginningCosts {
  return {
    waitMs: (member) => limit?.debtMs(member, engine.now()) ?? 0,
    charge: (member, messages) =>
      limit?.charge(member, engine.now(), Math.floor(messages / MESSAGES_PER_COST)),
  };
}

/**
 * Returns why a key may not make a call that reads or writes, or null if it may. A guard without
 * one admits keys of any scope.
 */
type Refusing = (key: ApiKey, isReading: boolean) => ApiError | null;

/** Refuses keys, whose nonce is spent all the same. */
function peopleOnly(guard: Guard): Guard {
  return {
    ...guard,
    async admit(c) {
      if (readHeaders(c) === null) return await guard.admit(c) ?? undefined;
      try {
        await guard.admit(c);
      } catch {
        // Whatever is wrong with it, no key is admitted.
      }
      throw new ApiError(401, "authz.invalid_permission");
    },
  };
}

/** Throws the refusal that takes precedence: that of the nonce, or the one found before. */
function refuseNonce(
  rejection: Rejection | null,
  refusal: ApiError | null,
  refuse: Refusing | null,
): void {
  if (refusal !== null && rejection?.rejected !== "nonce_already_used") throw refusal;
  // The log checks that the key may read, which opening a connection does not require.
  if (refuse === null && rejection?.rejected === "scope_not_permitted") return;
  if (rejection !== null) throw rejectionError(rejection);
}

const VISITORS: Guard = {
  admit(c) {
    refuseCrossSite(c);
    return null;
  },
  settle: nothing,
};

/** Refuses unsigned calls: sessions are for members' endpoints, and operators sign every call. */
const NOBODY_UNSIGNED: Guard = {
  admit() {
    throw new ApiError(401, "authz.invalid_session");
  },
  settle: nothing,
};

/** Identifies who signed a call. */
class CallerCheck {
  readonly #options: AuthOptions;
  readonly #nonces: NonceGuard;
  readonly #failures: SignatureFailures | null;

  constructor(options: AuthOptions, nonces: NonceGuard) {
    const { rateLimit } = options;
    this.#options = options;
    this.#nonces = nonces;
    this.#failures = rateLimit === "off" ? null : new SignatureFailures();
  }

  /**
   * Returns the caller, at once if the key's credential is in memory. The nonce is in the window
   * but may have been used.
   *
   * @throws {ApiError} in the order of the checks; the promise may also reject with it
   */
  identify(c: Context<Env>, headers: SignedHeaders): SignedCaller | Promise<SignedCaller> {
    const { engine, nonceWindowMs } = this.#options;
    const nonce = checkNonce(headers.nonce, engine.now(), nonceWindowMs);
    // Each commit checks the key's state and scopes, but not the caller's address.
    const isLate = engine.lagMs > LATE_MS_MAX;
    if (!isLate) return this.#identify(c, headers, nonce);
    return engine.fresh().then(() => this.#identify(c, headers, nonce));
  }

  #identify(
    c: Context<Env>,
    headers: SignedHeaders,
    nonce: number,
  ): SignedCaller | Promise<SignedCaller> {
    const { credentials, engine } = this.#options;
    const credential = credentials.cached(headers.kid);
    const verified = credential === undefined ? null : this.#verify(c, headers, credential);
    // Another process may just have allowed an address.
    const isKnown = verified !== null &&
      (!engine.isShared || this.#isAddressAdmitted(c, verified));
    if (isKnown) return this.#callerOf(c, nonce, verified);
    // An unknown key must cost what a known one costs: both are verified equally often.
    const looking = credential === undefined ? this.#load(c, headers) : this.#lookAgain(c, headers);
    return looking.then((found) => this.#callerOf(c, nonce, found));
  }

  #callerOf(c: Context<Env>, nonce: number, verified: Verified): SignedCaller {
    const { key } = verified;
    const refusal = refuseKey(this.#options.engine.venue, key);
    if (refusal !== null) throw rejectionError(refusal);
    if (!this.#isAddressAdmitted(c, verified)) throw addressRefused(this.#options.clientAddress(c));
    const digest = key.nonceMode === "request" ? digestOf(c) : 0;
    return { member: key.member, key, signature: { key: key.index, nonce, digest }, session: null };
  }

  #isAddressAdmitted(c: Context<Env>, { key, credential }: Verified): boolean {
    const { clientAddress, needsWithdrawIpLists } = this.#options;
    // Few keys have a list, and the platform takes a while to tell an address.
    if (credential.allowList === null) return !(needsWithdrawIpLists && mayWithdraw(key));
    return isFromAllowed(credential, clientAddress(c));
  }

  /**
   * Counts a signed call that was refused, and throws the reason.
   *
   * @throws {ApiError} also 429, if the address has sent too many wrong signatures
   */
  fail(c: Context<Env>, headers: SignedHeaders, error: unknown): never {
    const { kid } = headers;
    const isApis = error instanceof ApiError;
    if (!isApis || !error.message.startsWith("authz.nonce_")) this.#abandon(c, headers);
    if (!isApis || !UNPROVEN_STATUSES.has(error.status)) throw error;
    const { authFailures, clientAddress, engine } = this.#options;
    const reason = error.message;
    const address = clientAddress(c);
    authFailures.note({ address, reason, kid });
    if (reason === INVALID_SIGNATURE) this.#failures?.add(address, engine.now());
    throw error;
  }

  /**
   * Spends the nonce of a call that is not admitted although it is signed, for its key's state or
   * its address, or since the venue can't serve it.
   */
  #abandon(c: Context<Env>, headers: SignedHeaders): void {
    const { credentials, engine } = this.#options;
    const { kid, nonce } = headers;
    // As long for an unknown key as for one that is known.
    const keyedHash = credentials.cached(kid)?.keyedHash ?? NOBODY;
    const isGenuine = isSigned(c, keyedHash, headers);
    const key = engine.venue.keyByKid.get(kid)?.key;
    if (!isGenuine || keyedHash === NOBODY || key === undefined) return;
    const digest = key.nonceMode === "request" ? digestOf(c) : 0;
    this.#nonces.abandon({ key: key.index, nonce: Number(nonce), digest }, key.member);
  }

  async #load(c: Context<Env>, headers: SignedHeaders): Promise<Verified> {
    const credential = await this.#options.credentials.get(headers.kid);
    return this.#verify(c, headers, credential) ?? await this.#lookAgain(c, headers);
  }

  /** Verifies a call again after catching up: another process may just have made the key. */
  async #lookAgain(c: Context<Env>, headers: SignedHeaders): Promise<Verified> {
    const { credentials, engine } = this.#options;
    let verified: Verified | null = null;
    if (engine.isShared) {
      await engine.fresh();
      verified = this.#verify(c, headers, await credentials.get(headers.kid));
    }
    if (verified !== null) return verified;
    throw new ApiError(401, INVALID_SIGNATURE);
  }

  #verify(
    c: Context<Env>,
    headers: SignedHeaders,
    credential: Credential | null,
  ): Verified | null {
    const keyedHash = credential?.keyedHash ?? NOBODY;
    const isGenuine = isSigned(c, keyedHash, headers);
    const key = this.#options.engine.venue.keyByKid.get(headers.kid)?.key;
    return isGenuine && credential !== null && key !== undefined ? { key, credential } : null;
  }
}

/** Returns whether all signatures of a call are those of a secret. */
function isSigned(c: Context<Env>, keyedHash: KeyedHash, headers: SignedHeaders): boolean {
  const { kid, nonce, signature } = headers;
  // In this order, since no stranger may have long bodies hashed.
  return verifySignature(keyedHash, nonce, kid, signature) &&
    verifyBodySignature(c, keyedHash, headers);
}

interface Verified {
  readonly key: ApiKey;
  readonly credential: Credential;
}

/** Returns whether a key may be used from an address. */
export function isFromAllowed({ allowList }: Credential, address: string): boolean {
  return allowList === null || allowList.has(address);
}

/** Returns the signing headers, or null if the call has none of them. */
function readHeaders(c: Context<Env>): SignedHeaders | null {
  const kid = c.req.header(API_KEY_HEADER);
  const nonce = c.req.header(NONCE_HEADER);
  const signature = c.req.header(SIGNATURE_HEADER);
  const bodySignature = c.req.header(BODY_SIGNATURE_HEADER);
  if ((kid ?? nonce ?? signature ?? bodySignature) === undefined) return null;
  if (!kid || !nonce || !signature) throw new ApiError(422, "authz.invalid_api_key_headers");
  return { kid, nonce, signature, bodySignature };
}

/** Returns the nonce in ms: a positive integer in plain digits, within the window around now. */
function checkNonce(text: string, now: number, windowMs: number): number {
  if (!/^[1-9][0-9]*$/.test(text)) throw new ApiError(401, "authz.nonce_not_valid_timestamp");
  const nonce = Number(text);
  if (Math.abs(now - nonce) >= windowMs) throw rejectionError(reject("nonce_expired"));
  return nonce;
}

function refuseScope(key: ApiKey, scope: Scope): ApiError | null {
  return key.scopes.includes(scope) ? null : rejectionError(reject("scope_not_permitted"));
}

/** Refuses all but operators' keys, which read with the scope `read` and write with `trade`. */
function refuseMember(key: ApiKey, isReading: boolean): ApiError | null {
  if (key.role !== "operator") return rejectionError(reject("operator_only"));
  return refuseScope(key, isReading ? "read" : "trade");
}

function digestOf(c: Context<Env>): number {
  const { url, method } = c.req;
  return requestDigest(method, pathAndQuery(url), c.get("rawBody") ?? "");
}
