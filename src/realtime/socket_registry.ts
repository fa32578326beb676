/** All sockets of the process: how many there may be, and which of them have lost their right. */
import { isFromAllowed } from "../api/auth.ts";
import { ApiError, unavailable } from "../api/errors.ts";
import type { Caller } from "../api/env.ts";
import { networkOf } from "../api/rate_limit.ts";
import { refuseKey } from "../domain/decide_key.ts";
import type { ApiKey } from "../domain/member.ts";
import type { Venue } from "../domain/venue.ts";
import type { Credentials } from "../engine/credentials.ts";
import type { Engine } from "../engine/engine.ts";
import { inPortions } from "../engine/reading_turns.ts";
import type { SessionCaller } from "../identity/identity.ts";
import { isSessionOver, SESSION_ROWS } from "../identity/member_sessions.ts";
import { CLOSE_CODES, type StreamSocket } from "./stream_socket.ts";

/** Sockets of one key or session. */
export const SOCKETS_PER_CALLER_MAX = 10;
/** How often sockets are looked after, in ms, and their sessions, which end beside the log. */
const CHECK_MS = 1_000;
/**
 * How long a socket that has ended counts against its key or session, in ms: the platform may wait
 * for a silent peer for as long as that lives.
 */
export const ENDED_MS_MAX = 10_000;

/** How long what is under way may take, and sockets that are closed to go, in ms. */
const CLOSING_MS_MAX = 1_000;

/** Reason of a socket of which nobody can tell whether it may stay. */
const UNCHECKED = "address could not be checked";

/** A socket that is open or about to be. */
export interface SocketPlace {
  /** Null for an anonymous one. */
  readonly caller: Caller | null;
  readonly address: string;
}

/** What of the engine the registry needs. */
export type RegistryEngine = Pick<Engine, "venue" | "onEvent" | "readSidecar" | "now">;

/** What tells where a key may be used from. */
export type RegistryCredentials = Pick<Credentials, "get">;

/** Limits of a registry. */
export interface SocketLimits {
  /** Sockets of one address; of IPv6, of its network. */
  readonly perAddressMax: number;
  /** Sockets of the process. */
  readonly totalMax: number;
}

/** Counts sockets and closes those that may not stay. */
export class SocketRegistry {
  readonly #engine: RegistryEngine;
  readonly #credentials: RegistryCredentials;
  readonly #limits: SocketLimits;
  readonly #onFault: (error: unknown) => void;
  /** Null where the upgrade is not done yet. */
  readonly #places = new Map<SocketPlace, StreamSocket | null>();
  /** By member. */
  readonly #private = new Map<number, Set<SocketPlace>>();
  /** Taken places by address, and by key or session. */
  readonly #taken = new Map<string, number>();
  /** Places that count against their address and the process only. */
  readonly #released = new WeakSet<SocketPlace>();
  /** Readers that were closed since they had fallen behind. */
  droppedReaders = 0;
  #isClosed = false;
  #onEmpty: () => void = () => {};
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The look after the sessions that is under way. */
  #checking: Promise<void> | null = null;

  constructor(
    engine: RegistryEngine,
    credentials: RegistryCredentials,
    limits: SocketLimits,
    onFault: (error: unknown) => void,
  ) {
    this.#engine = engine;
    this.#credentials = credentials;
    this.#limits = limits;
    this.#onFault = onFault;
    engine.onEvent((event) => {
      if (event.kind === "member_set") this.#check(this.#placesOf(event.member.index));
      else if (event.kind === "key_set") this.#checkKey(event.key);
    });
  }

  /** Places that are taken. */
  get size(): number {
    return this.#places.size;
  }

  /**
   * Asks whether an address may have one more; before anything else is asked of the call.
   *
   * @throws {ApiError} 429, or 503 where the process goes down or is full
   */
  checkAddress(address: string): void {
    if (this.#isClosed || this.size >= this.#limits.totalMax) throw unavailable();
    if ((this.#taken.get(addressName(address)) ?? 0) >= this.#limits.perAddressMax) throw tooMany();
  }

  /**
   * Takes a place, until {@linkcode SocketRegistry.leave}.
   *
   * @throws {ApiError} 429, or 503 where the process goes down or is full
   */
  enter(place: SocketPlace): void {
    this.checkAddress(place.address);
    const { caller } = place;
    if (caller !== null && (this.#taken.get(callerName(caller)) ?? 0) >= SOCKETS_PER_CALLER_MAX) {
      throw tooMany();
    }
    this.#places.set(place, null);
    this.#count(addressName(place.address), 1);
    if (caller !== null) this.#count(callerName(caller), 1);
  }

  /**
   * Puts a socket in its place, and ends it where its caller has lost its right since it was let
   * in: nobody looked for it here then.
   */
  add(place: SocketPlace, socket: StreamSocket): void {
    this.#places.set(place, socket);
    this.#watch();
    if (place.caller === null) return;
    const { key, member } = place.caller;
    const own = this.#private.get(member) ?? new Set();
    this.#private.set(member, own.add(place));
    this.#check([place]);
    if (key !== null) this.#checkAddresses(key.kid, [place]).catch(this.#onFault);
  }

  /** Gives the place back, once, when nothing is left of the socket. */
  leave(place: SocketPlace): void {
    if (!this.#places.delete(place)) return;
    if (this.size === 0) this.#onEmpty();
    this.#count(addressName(place.address), -1);
    this.#release(place);
    if (place.caller === null) return;
    const own = this.#private.get(place.caller.member);
    own?.delete(place);
    if (own?.size === 0) this.#private.delete(place.caller.member);
  }

  /**
   * Closes all sockets when what they have asked is answered, and lets no more in; awaits that they
   * are gone, but not for long.
   */
  async close(code: number, reason: string): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const socket of this.#places.values()) socket?.finish(code, reason);
    if (this.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    const timer = setTimeout(resolve, CLOSING_MS_MAX);
    await promise;
    clearTimeout(timer);
    // Whose answer has not come has waited long enough.
    for (const socket of this.#places.values()) socket?.close(code, reason);
  }

  /** Ends sockets that are gone, and forgets whose those were that have ended. */
  look(): void {
    for (const [place, socket] of this.#places) {
      if (socket === null) continue;
      socket.check();
      if (socket.hasEndedFor(ENDED_MS_MAX)) this.#release(place);
    }
  }

  /** Takes a place off its key or session, once. */
  #release(place: SocketPlace): void {
    if (place.caller === null || this.#released.has(place)) return;
    this.#released.add(place);
    this.#count(callerName(place.caller), -1);
  }

  #count(name: string, change: 1 | -1): void {
    const count = (this.#taken.get(name) ?? 0) + change;
    if (count > 0) this.#taken.set(name, count);
    else this.#taken.delete(name);
  }

  #placesOf(member: number): readonly SocketPlace[] {
    return [...this.#private.get(member) ?? []];
  }

  #checkKey({ index, kid, member }: ApiKey): void {
    const own = this.#placesOf(member).filter(({ caller }) => caller?.key?.index === index);
    this.#check(own);
    if (own.length > 0) this.#checkAddresses(kid, own).catch(this.#onFault);
  }

  #check(places: readonly SocketPlace[]): void {
    for (const place of places) {
      if (place.caller !== null && !mayStay(this.#engine.venue, place.caller)) this.#end(place);
    }
  }

  /** A key that has changed may have another list of addresses that it works from. */
  async #checkAddresses(kid: string, places: readonly SocketPlace[]): Promise<void> {
    // Of the old list others learn by the same event: it is asked for when they have.
    await Promise.resolve();
    try {
      const credential = await this.#credentials.get(kid);
      if (credential === null) return;
      for (const place of places) if (!isFromAllowed(credential, place.address)) this.#end(place);
    } catch (error) {
      // Nobody asks again: whoever may stay connects again, and is asked then.
      for (const place of places) this.#places.get(place)?.close(CLOSE_CODES.fault, UNCHECKED);
      throw error;
    }
  }

  #end(place: SocketPlace): void {
    this.#places.get(place)?.close(CLOSE_CODES.accessEnded, "access ended");
  }

  #watch(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setInterval(() => {
      this.look();
      this.checkSessions().catch(this.#onFault);
    }, CHECK_MS);
    Deno.unrefTimer(this.#timer);
  }

  /**
   * Ends sockets whose sessions have ended. Each session is asked for once, and several at a time:
   * one socket after the other, a look at a thousand would take seconds.
   */
  checkSessions(): Promise<void> {
    return this.#checking ??= this.#checkSessions().finally(() => this.#checking = null);
  }

  async #checkSessions(): Promise<void> {
    const sessions = new Map<string, SessionCaller>();
    for (const { caller } of this.#places.keys()) {
      const session = caller?.session ?? null;
      if (session !== null) sessions.set(session.sessionId, session);
    }
    await inPortions([...sessions.values()], async ({ member: { index, uid }, sessionId }) => {
      const row = await this.#engine.readSidecar([...SESSION_ROWS, uid, sessionId]);
      if (!isSessionOver(row, this.#engine.now())) return;
      for (const place of this.#placesOf(index)) {
        if (place.caller?.session?.sessionId === sessionId) this.#end(place);
      }
    });
  }
}

/** Whether a caller may do all it might at the handshake; its session's row is asked elsewhere. */
function mayStay(venue: Venue, caller: Caller): boolean {
  if (caller.key === null) return venue.holder(caller.member).member.state === "active";
  const key = venue.keys[caller.key.index]?.key;
  return refuseKey(venue, key) === null &&
    caller.key.scopes.every((scope) => key?.scopes.includes(scope));
}

function tooMany(): ApiError {
  return new ApiError(429, "stream.too_many_sockets", { headers: { "Retry-After": "1" } });
}

function addressName(address: string): string {
  return `address ${networkOf(address)}`;
}

function callerName(caller: Caller): string {
  return caller.key === null ? `session ${caller.session.sessionId}` : `key ${caller.key.index}`;
}
