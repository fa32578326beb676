/**
 * Whether the caller behind an open socket may still act, by its key or its session: asked of all
 * sockets as something changes, and again by each request that may be ahead of the news.
 */
import { needsBodySignature } from "../edge/callers/body_signature.ts";
import { isFromAllowed } from "../edge/callers/caller_check.ts";
import type { Caller } from "../edge/env.ts";
import { addressRefused, rejectionError } from "../edge/errors.ts";
import { refuseKey } from "../domain/people/decide_key.ts";
import type { ApiKey, Scope } from "../domain/people/member.ts";
import { reject, type Rejection } from "../domain/rejection.ts";
import type { Venue } from "../domain/venue.ts";
import type { Credentials } from "../secrets/credentials.ts";
import { beforehand, type Engine, LATE_MS_MAX } from "../engine/engine.ts";
import { sessionKey } from "../engine/sidecar_rows.ts";
import { yieldToOthers } from "../engine/yield_to_others.ts";
import type { SessionCaller } from "../identity/identity.ts";
import { isSessionOver } from "../identity/member_sessions.ts";

/**
 * How long ago all sessions may have been seen alive, in ms. They are looked at every second unless
 * the process stood still or the store was away: then others may have ended some of them.
 */
export const SESSIONS_LATE_MS_MAX = 2_000;

/** Refusals after which a connection may not stay. */
const ENDING: ReadonlySet<Rejection["rejected"]> = new Set([
  "member_not_active",
  "key_not_active",
  "key_two_factor_off",
]);

/** The caller has lost its access, so its connection ends. */
export class AccessEndedError extends Error {
  override name = "AccessEndedError";
  constructor(readonly rejection: Rejection) {
    super(`The connection has lost its access: ${rejection.rejected}`);
  }
}

/** Returns the error of a refused request: one that ends its connection, or one to be answered. */
export function refusedRequest(rejection: Rejection): Error {
  return ENDING.has(rejection.rejected)
    ? new AccessEndedError(rejection)
    : rejectionError(rejection);
}

/** Returns why a caller may not go on, by what this process has heard; a session may be over. */
function refuseCaller(venue: Venue, { member, key }: Caller): Rejection | null {
  if (key !== null) return refuseKey(venue, venue.keys[key.index]?.key);
  return venue.holder(member).member.state === "active" ? null : reject("member_not_active");
}

function hasScope(venue: Venue, { key }: Caller, scope: Scope): boolean {
  return key === null || venue.keys[key.index]?.key.scopes.includes(scope) === true;
}

/** Whether the handshake was signed as the settings demand it of the key by now. */
function isSignedEnough({ keys, settings }: Venue, caller: Caller): boolean {
  if (caller.key === null || caller.isBodySigned) return true;
  return !needsBodySignature(settings.bodySignatures, keys[caller.key.index]?.key ?? caller.key);
}

/**
 * Returns whether a caller has lost nothing since its handshake, except perhaps its session or its
 * address, and could still make that handshake.
 */
export function mayStay(venue: Venue, caller: Caller): boolean {
  const scopes = caller.key?.scopes ?? [];
  return refuseCaller(venue, caller) === null &&
    scopes.every((scope) => hasScope(venue, caller, scope)) &&
    isSignedEnough(venue, caller);
}

/** Tells where a key may be used from. */
export type AccessCredentials = Pick<Credentials, "get">;

/** Returns whether a key may be used from an address, as a function of it. */
export async function addressesOf(
  venue: Venue,
  credentials: AccessCredentials,
  key: ApiKey,
): Promise<(address: string) => boolean> {
  const credential = await credentials.get(key.kid);
  const { keys, settings } = venue;
  const now = keys[key.index]?.key ?? key;
  return (address) =>
    credential === null || isFromAllowed(settings, now, credential, () => address);
}

/** Returns which of these sessions have ended, which is not in the log. */
export async function endedSessions(
  engine: Pick<Engine, "readSidecars" | "now">,
  sessions: readonly SessionCaller[],
): Promise<readonly SessionCaller[]> {
  const keys = sessions.map(({ member, sessionId }) => sessionKey(member.uid, sessionId));
  const rows = await engine.readSidecars(keys);
  return sessions.filter((_, i) => isSessionOver(rows[i], engine.now()));
}

/** What the access of a caller is judged by. */
export interface AccessParts {
  readonly engine: Pick<Engine, "venue" | "fresh" | "lagMs" | "readSidecars" | "now">;
  readonly credentials: AccessCredentials;
  /** When all sessions were last looked at, by the monotonic clock in ms. */
  readonly registry: { readonly sessionsSeenAt: number };
}

/** The access of the caller of one connection, which its requests ask for. */
export class CallerAccess {
  readonly #parts: AccessParts;
  readonly #caller: Caller;
  readonly #address: string;
  readonly #now: () => number;
  readonly #openedAt: number;
  /** The latest check until it has ended. */
  #checking: Promise<void> | null = null;

  /** @param now a monotonic clock in ms */
  constructor(
    parts: AccessParts,
    caller: Caller,
    address: string,
    now: () => number = () => performance.now(),
  ) {
    this.#parts = parts;
    this.#caller = caller;
    this.#address = address;
    this.#now = now;
    this.#openedAt = now();
  }

  /**
   * Checks that the caller may make a request with this scope, by what this process has heard.
   *
   * @throws {AccessEndedError} the connection may not stay
   * @throws {ApiError} 403 if the key lacks the scope
   */
  admit(scope: Scope): void {
    const { venue } = this.#parts.engine;
    const refusal = refuseCaller(venue, this.#caller);
    if (refusal !== null) throw refusedRequest(refusal);
    if (!hasScope(venue, this.#caller, scope)) {
      throw refusedRequest(reject("scope_not_permitted"));
    }
  }

  /**
   * Checks what this process may not have heard of, if that is due; otherwise null, since an end
   * that it hears of closes the connection. Requests keep their order. Rejects with
   * {@linkcode AccessEndedError} or a 403.
   *
   * @param mayWrite whether the request may change something
   */
  check(mayWrite: boolean): Promise<void> | null {
    if (this.#checking === null && !this.#isDue(mayWrite)) return null;
    const checking = beforehand(this.#checkBehind(this.#checking));
    this.#checking = checking;
    // Registered first, so that it runs before anybody who waits for the check.
    const forget = () => {
      if (this.#checking === checking) this.#checking = null;
    };
    checking.then(forget, forget);
    return checking;
  }

  /** Another process may just have ended the session, of which nothing is in the log. */
  #isDue(mayWrite: boolean): boolean {
    return (mayWrite && this.#caller.session !== null) || this.#isLate();
  }

  /** Returns whether the process may have missed the end. */
  #isLate(): boolean {
    const { engine, registry } = this.#parts;
    if (engine.lagMs > LATE_MS_MAX) return true;
    const seenAt = Math.max(this.#openedAt, registry.sessionsSeenAt);
    return this.#caller.session !== null && this.#now() - seenAt > SESSIONS_LATE_MS_MAX;
  }

  async #checkBehind(before: Promise<void> | null): Promise<void> {
    const catchingUp = this.#isLate() ? this.#parts.engine.fresh() : null;
    const [, caughtUp] = await Promise.allSettled([before, catchingUp]);
    // The request before has reached the venue by then.
    await yieldToOthers();
    if (caughtUp.status === "rejected") throw caughtUp.reason;
    await this.#verify();
  }

  async #verify(): Promise<void> {
    const { credentials, engine } = this.#parts;
    const { key, session } = this.#caller;
    if (key === null) {
      const [ended] = await endedSessions(engine, [session]);
      if (ended !== undefined) throw refusedRequest(reject("member_not_active"));
    } else {
      const isAllowed = await addressesOf(engine.venue, credentials, key);
      if (!isAllowed(this.#address)) throw addressRefused(this.#address);
    }
  }
}
