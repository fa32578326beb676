/** Authenticates callers and checks what they may do: key, nonce, rate, states and scope. */
import type { Context } from "hono";
import type { ApiKey, Scope } from "../../domain/people/member.ts";
import { reject, type Rejection } from "../../domain/rejection.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Sessions } from "../../identity/identity.ts";
import type { ClientAddress } from "../client_address.ts";
import { BODY_SIGNATURE_HEADER, refuseBodyUnsigned } from "./body_signature.ts";
import { CallerCheck, type CallerCheckOptions } from "./caller_check.ts";
import { type Caller, type Env, isRead, type SignedCaller } from "../env.ts";
import { ApiError, rejectionError } from "../errors.ts";
import { type CallTerms, type Guard, type Guards, nothing, type OperatorTerms } from "./guard.ts";
import { NonceGuard } from "./nonce_guard.ts";
import {
  type CallKind,
  type CallLimits,
  costOfRecords,
  createCallLimits,
  type MemberRateLimit,
  MESSAGES_PER_COST,
} from "./rate_limit.ts";
import { refuseCrossSite } from "./same_site.ts";
import { createSessionGuard } from "./session_guard.ts";
import { API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER } from "./signature.ts";
import { type SignedCall, type SignedHeaders, SignedHttpCall } from "./signed_call.ts";

/** Options of {@linkcode createAuth}. */
export interface AuthOptions extends CallerCheckOptions {
  readonly sessions: Pick<Sessions, "authenticate" | "use">;
  /** Returns the address that a call comes from. */
  readonly clientAddress: ClientAddress;
  /** Number of keys when this process opened the venue; by default the current number. */
  readonly keysAtStart?: number;
  /** Whether calls arrive through the venue's own proxies. */
  readonly isBehindProxy: boolean;
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
   * Admits the key that a message on an unsigned socket is signed with, as if the socket's handshake
   * had been.
   *
   * @param handshake which the key could have signed
   * @param scope which the key needs; null for any
   * @throws {ApiError} as for that handshake
   */
  logIn(
    handshake: SignedCall,
    signed: SignedHeaders,
    scope: Scope | null,
  ): Promise<SignedCaller>;
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

/** Creates the authentication of a venue's routes. */
export function createAuth(options: AuthOptions): Auth {
  const { authFailures: failures, clientAddress, engine, isBehindProxy } = options;
  const nonces = new NonceGuard(engine, options.keysAtStart ?? engine.venue.keys.length);
  const callers = new CallerCheck(options, nonces);
  const limits = createCallLimits(options.rateLimit);
  const parts = { engine, clientAddress, callers, nonces, limits };

  function people(terms: CallTerms = {}, needed: OperatorTerms | null = null): Guard {
    const { kind = "other", costOf } = terms;
    const memberLimit = limits?.[kind] ?? null;
    return createSessionGuard({ ...options, memberLimit, costOf, needed });
  }

  function guard(refuse: Refusing | null, unsigned: Guard, terms?: CallTerms): SignedGuard {
    return new SignedGuard(parts, refuse, unsigned, terms);
  }

  return {
    visitor: () => VISITORS,
    member: (scope, terms) => guard((key) => refuseScope(key, scope), people(terms), terms),
    session: () => peopleOnly(guard(null, people())),
    operator: (needed) => guard(refuseMember, people({}, needed)),
    connection: () => guard(null, people()),
    logIn: (handshake, signed, scope) => {
      const refuse = scope === null ? null : (key: ApiKey) => refuseScope(key, scope);
      return guard(refuse, NOBODY_UNSIGNED).logIn(handshake, signed);
    },
    ...readCosts(limits?.other, engine),
    beginnings: beginningCosts(limits?.other, engine),
    clientAddress,
    failures,
    isBehindProxy,
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

/** What guards of signed calls work with. */
interface SignedParts {
  readonly engine: Engine;
  readonly clientAddress: ClientAddress;
  readonly callers: CallerCheck;
  readonly nonces: NonceGuard;
  readonly limits: CallLimits;
}

/** Who signed, and with what. */
interface Signed {
  readonly caller: SignedCaller;
  readonly headers: SignedHeaders;
}

/** Admits keys, and leaves who has not signed to another guard. */
class SignedGuard implements Guard {
  readonly #parts: SignedParts;
  readonly #refuse: Refusing | null;
  readonly #unsigned: Guard;
  readonly #terms: CallTerms;

  constructor(
    parts: SignedParts,
    refuse: Refusing | null,
    unsigned: Guard,
    terms: CallTerms = {},
  ) {
    this.#parts = parts;
    this.#refuse = refuse;
    this.#unsigned = unsigned;
    this.#terms = terms;
  }

  admit(c: Context<Env>): Promise<unknown> | null {
    const headers = readHeaders(c);
    if (headers === null) return this.#unsigned.admit(c);
    const { callers, clientAddress } = this.#parts;
    const call = new SignedHttpCall(c, clientAddress);
    const admitSigned = (caller: SignedCaller) =>
      this.#admitSigned({ caller, headers }, isRead(c), c);
    try {
      // An order of a key in use waits for nothing.
      const caller = callers.identify(call, headers);
      const admitting = caller instanceof Promise ? caller.then(admitSigned) : admitSigned(caller);
      return admitting?.catch((error) => callers.fail(call, headers, error)) ?? null;
    } catch (error) {
      return callers.fail(call, headers, error);
    }
  }

  settle(c: Context<Env>, status: number): Promise<void> | null {
    const caller = c.get("caller");
    return caller.key === null || isRead(c) ? null : this.#parts.nonces.settle(caller, status);
  }

  /** Admits who could have signed this handshake. */
  async logIn(handshake: SignedCall, headers: SignedHeaders): Promise<SignedCaller> {
    const { callers } = this.#parts;
    try {
      const caller = await callers.identify(handshake, headers);
      await this.#admitSigned({ caller, headers }, true, null);
      return caller;
    } catch (error) {
      return callers.fail(handshake, headers, error);
    }
  }

  /** @param c null for a log-in, which has no answer over HTTP */
  #admitSigned(
    { caller, headers }: Signed,
    isReading: boolean,
    c: Context<Env> | null,
  ): Promise<void> | null {
    const { engine, limits, nonces } = this.#parts;
    const { kind = "other", costOf } = this.#terms;
    // Whatever becomes of the call, no other one may be made of what it was signed with.
    nonces.claim(caller.signature, isReading);
    c?.set("caller", caller);
    const cost = c === null ? undefined : costOf?.(c);
    const tooMany = limits?.[kind].take(c, caller.member, engine.now(), cost) ?? null;
    // The log must not grow by calls without end.
    if (tooMany !== null) limits?.refused.takeSilently(caller.member, engine.now());
    const { bodySignatures } = engine.venue.settings;
    const refusal = tooMany ??
      refuseBodyUnsigned(headers.bodySignature, bodySignatures, caller.key) ??
      this.#refuse?.(caller.key, isReading) ?? null;
    if (!isReading && refusal === null) return null;
    return nonces.spend(caller).then((spent) => refuseNonce(spent, refusal, this.#refuse));
  }
}

/** Refuses keys, whose nonce is spent all the same. */
function peopleOnly(guard: Guard): Guard {
  return {
    settle: (c, status) => guard.settle(c, status),
    async admit(c) {
      if (readHeaders(c) === null) return await guard.admit(c);
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
    return nothing();
  },
  settle: nothing,
};

/** Refuses what is not signed. */
const NOBODY_UNSIGNED: Guard = {
  admit() {
    throw new ApiError(401, "authz.invalid_session");
  },
  settle: nothing,
};

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

function refuseScope(key: ApiKey, scope: Scope): ApiError | null {
  return key.scopes.includes(scope) ? null : rejectionError(reject("scope_not_permitted"));
}

/** Refuses all but operators' keys, which read with the scope `read` and write with `trade`. */
function refuseMember(key: ApiKey, isReading: boolean): ApiError | null {
  if (key.role !== "operator") return rejectionError(reject("operator_only"));
  return refuseScope(key, isReading ? "read" : "trade");
}
