/** Authenticates people by the session in their cookie, and their writes by a CSRF token. */
import type { Context } from "hono";
import type { Engine } from "../../engine/engine.ts";
import { refuseRole } from "../../domain/people/operators.ts";
import { reject } from "../../domain/rejection.ts";
import { isCodeFresh, type SessionCaller, type Sessions } from "../../identity/identity.ts";
import { isSameText } from "../../identity/random_text.ts";
import { type Env, isRead } from "../env.ts";
import { ApiError, rejectionError } from "../errors.ts";
import { type CallTerms, type Guard, nothing, type OperatorTerms } from "./guard.ts";
import type { MemberRateLimit } from "./rate_limit.ts";
import { readSessionCookie } from "./session_cookie.ts";

/** Header that carries the session's CSRF token. */
export const CSRF_HEADER = "X-CSRF-Token";

/** Options of {@linkcode createSessionGuard}. */
export interface SessionGuardOptions {
  readonly engine: Pick<Engine, "fresh" | "now">;
  readonly sessions: Pick<Sessions, "authenticate">;
  /** Whether calls arrive through the venue's own proxies. */
  readonly isBehindProxy: boolean;
  /** What an operator's call needs; null for calls of members. */
  readonly needed: OperatorTerms | null;
  /** Null for no limit. */
  readonly memberLimit: MemberRateLimit | null;
  readonly costOf: CallTerms["costOf"];
}

/** Creates the guard that admits people who are signed in. */
export function createSessionGuard(options: SessionGuardOptions): Guard {
  const { engine, sessions, isBehindProxy, memberLimit, costOf, needed } = options;
  return { admit: admitPerson, settle: nothing };

  async function admitPerson(c: Context<Env>): Promise<void> {
    const session = await openSession(c);
    const member = session.member.index;
    const tooMany = memberLimit?.take(c, member, engine.now(), costOf?.(c)) ?? null;
    if (tooMany !== null) throw tooMany;
    if (!isRead(c)) checkCsrfToken(c, session.csrfToken);
    if (needed !== null) checkOperator(session, needed, engine.now());
    c.set("caller", { member, key: null, signature: null, session });
  }

  async function openSession(c: Context<Env>): Promise<SessionCaller> {
    const cookie = readSessionCookie(c, isBehindProxy);
    if (cookie === undefined) throw noSession();
    // Another process may just have changed the account, or locked it; reads catch up later, but
    // nothing is shown to who is no operator any more.
    const isStrict = !isRead(c) || needed !== null;
    if (isStrict) await engine.fresh();
    const session = await sessions.authenticate(cookie, isStrict);
    if (session === null) throw noSession();
    return session;
  }
}

function noSession(): ApiError {
  return new ApiError(401, "authz.invalid_session");
}

/** The commit of what the call does checks it again. */
function checkOperator(
  { member, freshCode }: SessionCaller,
  { role, needsCode }: OperatorTerms,
  now: number,
): void {
  const refusal = refuseRole(member, role);
  if (refusal !== null) throw rejectionError(refusal);
  if (needsCode && !isCodeFresh(freshCode, member, now)) {
    throw rejectionError(reject("operator_code_missing"));
  }
}

function checkCsrfToken(c: Context<Env>, expected: string): void {
  const given = c.req.header(CSRF_HEADER);
  if (!given) throw new ApiError(401, "authz.missing_csrf_token");
  if (!isSameText(given, expected)) throw new ApiError(401, "authz.csrf_token_mismatch");
}
