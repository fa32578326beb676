/** Sessions of people: sidecar rows that hold only a digest of the cookie. */
import type { Member } from "../domain/people/member.ts";
import {
  beforehand,
  type Engine,
  firstWrite,
  type HeldRow,
  LATE_MS_MAX,
  RowChangedError,
  type SidecarRow,
} from "../engine/engine.ts";
import { SESSION_ROWS, sessionKey, sessionRowsOf, sidecarRows } from "../engine/sidecar_rows.ts";
import {
  CODE_FRESH_MS,
  type FreshCode,
  isCodeFresh,
  type Origin,
  type SessionCaller,
  type SessionInfo,
  type Sessions,
  type SessionsEnded,
  type SignedIn,
  USER_AGENT_LENGTH_MAX,
} from "./identity.ts";
import { IdentityError } from "./identity_error.ts";
import { claimedName, digestText, randomHex } from "./random_text.ts";

/** Sessions per member; beyond that, the least recently used one ends. */
const SESSIONS_PER_MEMBER_MAX = 20;
/** How long a row is used without reading it again, in ms. */
const SESSION_CACHE_MS = 1_000;
/** Rows kept in memory. */
const CACHED_MAX = 10_000;
/** Precision of the time of last use, in ms. */
const SEEN_MS = 60_000;
/** Part of the idle time after which a use is noted, if that is sooner. */
const SEEN_SHARE = 1 / 4;
/** How often a command is tried whose session's row changes all the time. */
const HOLDING_TRIES_MAX = 5;
/** Rows that are deleted at a time when all sessions end. */
const ENDED_AT_ONCE = 100;
const COOKIE_BYTES = 32;
const CSRF_BYTES = 32;

/** What sessions need of the engine. */
export type SessionsEngine = Pick<
  Engine,
  | "venue"
  | "fresh"
  | "lagMs"
  | "readSidecar"
  | "holdSidecar"
  | "changeSidecar"
  | "listSidecar"
  | "now"
>;

interface SessionRow extends Omit<SessionInfo, "id"> {
  readonly csrfToken: string;
  /** When the session ends unless it is used. */
  readonly idleAt: number;
  /** Whether it has ended because its member was shut out. */
  readonly isShutOut?: true;
  readonly freshCode?: FreshCode;
}

/** A new session. */
export interface NewSession extends Omit<SignedIn, "member"> {
  /** Names the session in lists. */
  readonly id: string;
}

/** The sessions of a venue's members. */
export class MemberSessions implements Sessions {
  readonly #engine: SessionsEngine;
  /** By uid and digest. */
  readonly #cache = new Map<string, { readonly row: SessionRow; readonly readAt: number }>();
  readonly #listeners: SessionsEnded[] = [];
  /** Notes of use under way, by uid and digest. */
  readonly #touches = new Map<string, Promise<SessionRow | null>>();

  constructor(engine: SessionsEngine) {
    this.#engine = engine;
  }

  /** Begins a session. */
  async begin(uid: string, origin: Origin): Promise<NewSession> {
    const cookie = `${uid}.${randomHex(COOKIE_BYTES)}`;
    const id = digestText(cookie);
    const now = this.#engine.now();
    const { sessionIdleMs, sessionLifeMs } = this.#engine.venue.settings;
    const row: SessionRow = {
      csrfToken: randomHex(CSRF_BYTES),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: now + sessionLifeMs,
      idleAt: now + sessionIdleMs,
      address: origin.address,
      userAgent: origin.userAgent.slice(0, USER_AGENT_LENGTH_MAX),
    };
    await this.#makeRoom(uid);
    await this.#engine.changeSidecar(sessionKey(uid, id), () => row);
    return { id, cookie, csrfToken: row.csrfToken, expiresAt: row.expiresAt };
  }

  async authenticate(cookie: string, mayWrite: boolean): Promise<SessionCaller | null> {
    const uid = claimedName(cookie);
    // A session that a call came in with is not over because the store takes long.
    const now = this.#engine.now();
    // Another process may have created or unlocked the member a moment ago, or locked it meanwhile.
    const isLate = this.#engine.lagMs > LATE_MS_MAX;
    if (isLate || this.#activeMember(uid) === null) await this.#engine.fresh();
    const id = digestText(cookie);
    if (this.#activeMember(uid) === null) return await this.#refuseShutOut(uid, id);
    const row = await this.#read({ uid, id, now }, mayWrite);
    const member = this.#activeMember(uid);
    return row === null || member === null
      ? null
      : { member, sessionId: id, csrfToken: row.csrfToken, ...codeOf(row) };
  }

  /** Tells whoever had a session of a member that is shut out why it is over. */
  async #refuseShutOut(uid: string, id: string): Promise<null> {
    const state = this.#engine.venue.holderByUid.get(uid)?.member.state;
    if (state !== "locked" && state !== "banned") return null;
    const row = await this.#engine.readSidecar(sessionKey(uid, id));
    if (!isSessionRow(row) || this.#engine.now() >= row.expiresAt) return null;
    throw new IdentityError(`member_${state}`);
  }

  async holding<T>(
    { member: { index, uid }, sessionId }: Pick<SessionCaller, "member" | "sessionId">,
    act: (held: HeldRow, code: FreshCode | null) => Promise<T>,
  ): Promise<T> {
    for (let tries = 1;; tries++) {
      const held = await beforehand(this.#engine.holdSidecar(sessionKey(uid, sessionId)));
      if (isSessionOver(held.value, this.#engine.now())) throw new IdentityError("session_over");
      const { freshCode } = held.value as SessionRow;
      const { member } = this.#engine.venue.holder(index);
      const isFresh = isCodeFresh(freshCode, member, this.#engine.now());
      try {
        return await act(held, isFresh ? freshCode : null);
      } catch (error) {
        // A noted use changes the row as well.
        if (!(error instanceof RowChangedError) || tries >= HOLDING_TRIES_MAX) throw error;
      }
    }
  }

  /**
   * Has a session be given a code, by the commit that uses it up.
   *
   * @param submit submits the command that does, with the session's new row
   * @returns what `submit` has, and until when the code is fresh, in ms
   */
  async giveCode<T>(
    session: Pick<SessionCaller, "member" | "sessionId">,
    generation: number,
    submit: (row: SidecarRow, held: HeldRow) => Promise<T>,
  ): Promise<{ readonly submitted: T; readonly until: number }> {
    let until = 0;
    const submitted = await this.holding(session, (held) => {
      until = this.#engine.now() + CODE_FRESH_MS;
      const value = { ...held.value as SessionRow, freshCode: { until, generation } };
      return submit({ key: held.key, value }, held);
    });
    this.#cache.delete(cacheKey(session.member.uid, session.sessionId));
    return { submitted, until };
  }

  #activeMember(uid: string): Member | null {
    const member = this.#engine.venue.holderByUid.get(uid)?.member;
    return member?.state === "active" ? member : null;
  }

  use({ member, sessionId }: Pick<SessionCaller, "member" | "sessionId">): void {
    // If the store takes no writes now, the next use is noted.
    const asked = { uid: member.uid, id: sessionId, now: this.#engine.now() };
    this.#read(asked, false).catch(() => {});
  }

  async list(uid: string): Promise<readonly SessionInfo[]> {
    const rows = await this.#rows(uid);
    return rows
      .map(({ id, row: { createdAt, lastSeenAt, expiresAt, address, userAgent } }) => (
        { id, createdAt, lastSeenAt, expiresAt, address, userAgent }
      ))
      .sort((a, b) => b.createdAt - a.createdAt);
  }

  async end(uid: string, sessionId: string): Promise<void> {
    this.#cache.delete(cacheKey(uid, sessionId));
    let wasThere = false;
    await firstWrite(this.#engine.changeSidecar(sessionKey(uid, sessionId), (old) => {
      wasThere ||= isSessionRow(old);
      if (!wasThere) throw new IdentityError("session_not_found");
      return null;
    }));
    // A concurrent call may have read it again.
    this.#cache.delete(cacheKey(uid, sessionId));
    this.#tell(uid, (id) => id === sessionId);
  }

  /** Ends a session, if it has not ended already. */
  async endIfThere(uid: string, id: string): Promise<void> {
    await this.#engine.changeSidecar<SessionRow | null>(sessionKey(uid, id), () => null);
    this.#cache.delete(cacheKey(uid, id));
    this.#tell(uid, (one) => one === id);
  }

  async endOthers(uid: string, sessionId: string | null): Promise<number> {
    const others = await this.#others(uid, sessionId);
    await Promise.all(others.map((id) => this.endIfThere(uid, id)));
    this.#forgetOthers(uid, sessionId);
    // Also of those that a commit has ended in the store.
    this.#tell(uid, (id) => id !== sessionId);
    return others.length;
  }

  onEnded(listener: SessionsEnded): void {
    this.#listeners.push(listener);
  }

  #tell(...ended: Parameters<SessionsEnded>): void {
    for (const listener of this.#listeners) listener(...ended);
  }

  async shutOutRows(uid: string): Promise<SidecarRow[]> {
    const rows = await this.#rows(uid);
    return rows.map(({ id, row }) => ({
      key: sessionKey(uid, id),
      value: { ...row, isShutOut: true },
    }));
  }

  async endingRows(uid: string, sessionId: string | null): Promise<SidecarRow[]> {
    const others = await this.#others(uid, sessionId);
    return others.map((id) => ({ key: sessionKey(uid, id), value: null }));
  }

  async #others(uid: string, sessionId: string | null): Promise<string[]> {
    return (await this.#rows(uid)).map(({ id }) => id).filter((id) => id !== sessionId);
  }

  /** Also forgets sessions that a commit has ended in the store. */
  #forgetOthers(uid: string, sessionId: string | null): void {
    const kept = cacheKey(uid, sessionId ?? "");
    for (const name of this.#cache.keys()) {
      if (name !== kept && name.startsWith(cacheKey(uid, ""))) this.#cache.delete(name);
    }
  }

  /** @param isStrong whether memory won't do, since another process may just have ended it */
  async #read(
    { uid, id, now }: { readonly uid: string; readonly id: string; readonly now: number },
    isStrong: boolean,
  ): Promise<SessionRow | null> {
    const cached = this.#cache.get(cacheKey(uid, id));
    // An entry read later than now was read before the clock was set back: its age is unknown.
    const isFresh = cached !== undefined && cached.readAt <= now &&
      now - cached.readAt < SESSION_CACHE_MS;
    if (!isStrong && isFresh && isLive(cached.row, now)) return cached.row;
    const value = await this.#engine.readSidecar(sessionKey(uid, id));
    if (!isSessionRow(value) || !isLive(value, now)) {
      this.#cache.delete(cacheKey(uid, id));
      return null;
    }
    // Only a noted use extends a session, so a short idle time needs them more often.
    const seenMs = Math.min(SEEN_MS, this.#engine.venue.settings.sessionIdleMs * SEEN_SHARE);
    const row = now - value.lastSeenAt < seenMs ? value : await this.#touch(uid, id, now);
    if (row === null || !isLive(row, now)) return null;
    this.#keep(cacheKey(uid, id), row, now);
    return row;
  }

  /** Notes the use of a session once, however many calls come at a time. */
  #touch(uid: string, id: string, now: number): Promise<SessionRow | null> {
    const name = cacheKey(uid, id);
    let touch = this.#touches.get(name);
    if (touch === undefined) {
      touch = this.#noteUse(uid, id, now).finally(() => this.#touches.delete(name));
      this.#touches.set(name, touch);
    }
    return touch;
  }

  /** Returns null if the session has ended meanwhile. */
  #noteUse(uid: string, id: string, now: number): Promise<SessionRow | null> {
    const idleAt = now + this.#engine.venue.settings.sessionIdleMs;
    return firstWrite(this.#engine.changeSidecar(
      sessionKey(uid, id),
      (old) => isSessionRow(old) ? { ...old, lastSeenAt: now, idleAt } : null,
    ));
  }

  #keep(key: string, row: SessionRow, readAt: number): void {
    this.#cache.delete(key);
    this.#cache.set(key, { row, readAt });
    if (this.#cache.size <= CACHED_MAX) return;
    for (const oldest of this.#cache.keys()) {
      this.#cache.delete(oldest);
      return;
    }
  }

  async #makeRoom(uid: string): Promise<void> {
    const rows = await this.#rows(uid);
    const surplus = rows.length - SESSIONS_PER_MEMBER_MAX + 1;
    if (surplus <= 0) return;
    const oldest = rows.sort((a, b) => a.row.lastSeenAt - b.row.lastSeenAt).slice(0, surplus);
    await Promise.all(oldest.map(({ id }) => this.endIfThere(uid, id)));
  }

  async #rows(uid: string): Promise<{ id: string; row: SessionRow }[]> {
    const now = this.#engine.now();
    const found: { id: string; row: SessionRow }[] = [];
    const rows = sidecarRows(this.#engine, { prefix: sessionRowsOf(uid) });
    // Any number of ended sessions may be among them until the reaper deletes them.
    for await (const { key, value: row } of rows) {
      if (isSessionRow(row) && isLive(row, now)) found.push({ id: String(key.at(-1)), row });
    }
    return found;
  }
}

/** Ends the sessions of all members, of which none is used now; returns how many rows there were. */
export async function endAllSessions(
  engine: Pick<Engine, "listSidecar" | "changeSidecar">,
): Promise<number> {
  for (let count = 0;;) {
    const rows = await engine.listSidecar({ prefix: SESSION_ROWS, limit: ENDED_AT_ONCE });
    if (rows.length === 0) return count;
    await Promise.all(rows.map(({ key }) => engine.changeSidecar(key, () => null)));
    count += rows.length;
  }
}

/** Returns whether a session has ended, though its row may be there. */
export function isSessionOver(value: unknown, now: number): boolean {
  return !isSessionRow(value) || !isLive(value, now);
}

/** Returns whether nobody needs a session's row any more. */
export function isSessionForgotten(value: unknown, now: number): boolean {
  if (isSessionRow(value) && value.isShutOut === true) return now >= value.expiresAt;
  return isSessionOver(value, now);
}

function isLive({ expiresAt, idleAt, isShutOut }: SessionRow, now: number): boolean {
  return isShutOut !== true && now < expiresAt && now < idleAt;
}

function codeOf({ freshCode }: SessionRow): Pick<SessionCaller, "freshCode"> {
  return freshCode === undefined ? {} : { freshCode };
}

function cacheKey(uid: string, id: string): string {
  return `${uid} ${id}`;
}

function isSessionRow(value: unknown): value is SessionRow {
  return typeof value === "object" && value !== null && "csrfToken" in value;
}
