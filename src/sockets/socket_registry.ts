/**
 * All sockets of the process: limits their number and what waits for their readers, and closes those
 * that have lost their access.
 */
import { ApiError, unavailable } from "../edge/errors.ts";
import { networkOf } from "../secrets/ip_address.ts";
import type { Caller } from "../edge/env.ts";
import { type ApiKey, mayWithdraw } from "../domain/people/member.ts";
import type { Engine } from "../engine/engine.ts";
import { inSlices } from "../engine/yield_to_others.ts";
import type { SessionCaller } from "../identity/identity.ts";
import { type AccessCredentials, addressesOf, endedSessions, mayStay } from "./caller_access.ts";
import { GrowingPause } from "./growing_pause.ts";
import { HELD_BYTES_MAX, HeldMemory } from "./held_memory.ts";
import { PlaceCounts, type SocketPlace } from "./place_counts.ts";
import { slowestReaders } from "./slowest_readers.ts";
import type { StreamSocket } from "./sending/stream_socket.ts";
import type { ClosedSockets as Closed } from "../edge/figures.ts";
import { CLOSE_CODES } from "./limits.ts";

/** Sockets per key or session. */
export const SOCKETS_PER_CALLER_MAX = 10;
/**
 * Sockets per member, for as long as anything is left of them: what so many may hold without being
 * seen at their ends is 25 MiB.
 */
export const SOCKETS_PER_MEMBER_MAX = 100;
/** How often sockets and their sessions, whose end is not in the log, are checked, in ms. */
const CHECK_MS = 1_000;
/**
 * How long an ended socket counts against its key or session, in ms: the platform may wait for a
 * silent peer as long as that lives.
 */
export const ENDED_MS_MAX = 10_000;

/** How long closing waits for unanswered requests and for sockets to be gone, in ms. */
const CLOSING_MS_MAX = 1_000;

/**
 * How long unsigned sockets are refused, in ms, at first and at most, once they had to be closed for
 * the memory that they may have held: nobody knows which of them did.
 */
export const UNSIGNED_PAUSE_MS_MIN = 60_000;
export const UNSIGNED_PAUSE_MS_MAX = 3_600_000;
/**
 * How long a member's sockets are refused, in ms, for what they have held: at first, and at most; and
 * how many times as long when that happens again soon. What was measured may be another's, so the
 * first time is over while orders that are tied to a socket live on.
 */
export const MEMBER_PAUSE_MS_MIN = 15_000;
export const MEMBER_PAUSE_MS_MAX = 24 * 3_600_000;
const MEMBER_PAUSE_FACTOR = 240;

/** Close reason when nobody can tell whether a socket may stay. */
const UNCHECKED = "address could not be checked";

/** What the registry needs of the engine. */
export type RegistryEngine = Pick<Engine, "venue" | "onEvent" | "readSidecars" | "now">;

/** Limits of a registry. */
export interface SocketLimits {
  /** Signed callers' sockets per address, or per network for IPv6. */
  readonly perAddressMax: number;
  /** Anonymous sockets per address, or per larger network for IPv6. */
  readonly anonymousPerAddressMax: number;
  /** Sockets of the process. */
  readonly totalMax: number;
  /**
   * How many of them anonymous callers can't have. As many more may be open for as long as sockets
   * that have made room are not gone.
   */
  readonly reserved: number;
  /** Bytes that may wait for readers of the process that are behind. */
  readonly waitingBytesMax: number;
  /** Bytes that the platform may keep for bursts, apart from a little for each reader. */
  readonly burstBytesMax: number;
}

/** Sockets that have held more memory than anybody needs. */
export interface Held {
  /** Whose they were; null for strangers'. */
  readonly uid: string | null;
  readonly bytes: number;
  /** For how long the member gets no others, in seconds. */
  readonly seconds: number;
}

/** Who is told of them. */
export interface HeldWatch {
  /** Returns whether so much is being freed elsewhere that nobody can tell what sockets held. */
  isDisturbed(): boolean;
  onHeld(held: Held): void;
}

/** Counts sockets and closes those that may not stay. */
export class SocketRegistry {
  readonly #engine: RegistryEngine;
  readonly #credentials: AccessCredentials;
  readonly #limits: SocketLimits;
  readonly #onFault: (error: unknown) => void;
  /** Null until the upgrade is done. */
  readonly #places = new Map<SocketPlace, StreamSocket | null>();
  /** By member. */
  readonly #private = new Map<number, Set<SocketPlace>>();
  readonly #counts = new PlaceCounts();
  readonly #pause = new GrowingPause(UNSIGNED_PAUSE_MS_MIN, UNSIGNED_PAUSE_MS_MAX);
  /** By member. */
  readonly #memberPauses = new Map<number, GrowingPause>();
  readonly #held = new HeldMemory({ onHeld: (member, bytes) => this.noteHeld(member, bytes) });
  /** Who is told of sockets that have held too much. */
  heldWatch: HeldWatch = { isDisturbed: () => false, onHeld() {} };
  readonly closed = new ClosedSockets();
  #isClosed = false;
  #onEmpty: () => void = () => {};
  #timer: ReturnType<typeof setInterval> | undefined;
  /** When all sessions were last seen alive or ended, by the monotonic clock in ms. */
  sessionsSeenAt = -Infinity;
  /** The check of sessions under way. */
  #checking: Promise<void> | null = null;

  constructor(
    engine: RegistryEngine,
    credentials: AccessCredentials,
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
      else if (event.kind === "settings_set") this.#checkAllKeys();
    });
  }

  /** Number of places taken. */
  get size(): number {
    return this.#places.size;
  }

  /**
   * Checks that an address may have another socket, before anything else about the call.
   *
   * @param isSigned whether the call claims to be signed, which has yet to be checked
   * @throws {ApiError} 429, or 503 if the process is closing, or full for an anonymous caller
   */
  checkAddress(address: string, isSigned: boolean): void {
    if (this.#isClosed || !(isSigned || this.#hasRoomForAnybody())) throw unavailable();
    const pauseSeconds = isSigned ? 0 : this.#pause.secondsLeft(performance.now());
    if (pauseSeconds > 0) throw unavailable(pauseSeconds);
    const { anonymousPerAddressMax, perAddressMax } = this.#limits;
    const max = isSigned ? perAddressMax : anonymousPerAddressMax;
    if (this.#counts.ofAddress(address, isSigned) >= max) throw tooMany();
  }

  /**
   * Takes a place until {@linkcode SocketRegistry.leave}. Where all are taken, a signed caller gets
   * that of the idlest anonymous one.
   *
   * @throws {ApiError} 429, or 503 if the process is closing or full
   */
  enter(place: SocketPlace): void {
    const { address, caller } = place;
    this.checkAddress(address, caller !== null);
    if (caller !== null) {
      this.#checkPause(caller);
      if (this.#hasAll(caller)) throw tooMany();
      this.#makeRoom();
    }
    this.#places.set(place, null);
    this.#counts.add(place);
  }

  /**
   * Puts a socket in its place, and ends it if its caller has lost access since it was admitted:
   * changes were not checked for it until now.
   */
  add(place: SocketPlace, socket: StreamSocket): void {
    this.#places.set(place, socket);
    this.#watch();
    if (place.caller === null) return;
    const { key, member } = place.caller;
    const own = this.#private.get(member) ?? new Set();
    this.#private.set(member, own.add(place));
    this.#check([place]);
    if (key !== null) this.#checkAddresses(key, [place]).catch(this.#onFault);
  }

  /**
   * Gives the place of an anonymous socket to a caller who has logged in, and returns it: from now on
   * it is that caller's, and counts and ends like any other of theirs.
   *
   * @throws {ApiError} 429, or 503 if the process is closing or the socket is gone
   */
  admit(place: SocketPlace, caller: Caller): SocketPlace {
    const socket = this.#places.get(place) ?? null;
    if (this.#isClosed || socket === null) throw unavailable();
    this.#checkPause(caller);
    const { address } = place;
    const isFull = this.#counts.ofAddress(address, true) >= this.#limits.perAddressMax;
    if (isFull || this.#hasAll(caller)) throw tooMany();
    this.#places.delete(place);
    this.#counts.remove(place);
    const own: SocketPlace = { ...place, caller };
    this.#counts.add(own);
    this.add(own, socket);
    return own;
  }

  /** Frees a place, once, when nothing is left of the socket. */
  leave(place: SocketPlace): void {
    if (!this.#places.delete(place)) return;
    if (this.size === 0) this.#onEmpty();
    this.#counts.remove(place);
    if (place.caller === null) return;
    const own = this.#private.get(place.caller.member);
    own?.delete(place);
    if (own?.size === 0) this.#private.delete(place.caller.member);
  }

  /** Frees the place of a socket whose end the platform reports, which frees what it held as well. */
  end(place: SocketPlace): void {
    // What another thread frees is not its sockets' alone.
    if (place.isRelayed !== true && !this.heldWatch.isDisturbed()) {
      const heardAt = this.#places.get(place)?.heardAt ?? performance.now();
      this.#held.noteEnd(place.caller?.member ?? null, heardAt);
    }
    this.leave(place);
  }

  /** Notes a frame that is too long, in characters or bytes. */
  noteTooLong({ caller }: SocketPlace, length: number): void {
    if (length >= HELD_BYTES_MAX) this.noteHeld(caller?.member ?? null, length);
  }

  /**
   * Closes a member's sockets, and admits none for a while, because they have held too much.
   *
   * @param member null for strangers, of whom nobody knows who it was
   */
  noteHeld(member: number | null, bytes: number): void {
    if (member === null) return this.heldWatch.onHeld({ uid: null, bytes, seconds: 0 });
    const now = performance.now();
    const pause = this.#memberPauses.get(member) ??
      new GrowingPause(MEMBER_PAUSE_MS_MIN, MEMBER_PAUSE_MS_MAX, MEMBER_PAUSE_FACTOR);
    const isKnown = pause.secondsLeft(now) > 0;
    this.#memberPauses.set(member, pause);
    pause.begin(now);
    for (const place of this.#placesOf(member)) {
      this.#places.get(place)?.close(CLOSE_CODES.policy, "endless message");
    }
    if (isKnown) return;
    const { uid } = this.#engine.venue.holder(member).member;
    this.heldWatch.onHeld({ uid, bytes, seconds: pause.secondsLeft(now) });
  }

  /** Admits anonymous sockets again, which were closed for what others held. */
  resumeAnonymous(): void {
    this.#pause.takeBack(performance.now());
  }

  /** Closes all anonymous sockets, and admits none for a while. */
  pauseAnonymous(): void {
    this.#pause.begin(performance.now());
    for (const [{ caller }, socket] of this.#places) {
      if (caller === null) socket?.close(CLOSE_CODES.tryLater, "no unsigned sockets now");
    }
  }

  /** Closes all sockets of the thread of unsigned ones, which is about to end. */
  closeRelayed(): void {
    for (const [{ isRelayed = false }, socket] of this.#places) {
      if (isRelayed) socket?.close(CLOSE_CODES.tryLater, "no unsigned sockets now");
    }
  }

  /** Closes all sockets, because their connections are about to be cut: clients reconnect. */
  cutOff(): void {
    for (const socket of this.#places.values()) socket?.close(CLOSE_CODES.restart, "reconnect");
  }

  /** Does so with all that do not live in the thread of unsigned ones. */
  cutOffDirect(): void {
    for (const [{ isRelayed = false }, socket] of this.#places) {
      if (!isRelayed) socket?.close(CLOSE_CODES.restart, "reconnect");
    }
  }

  /**
   * Admits no more sockets and closes each when its requests are answered; waits a bounded time
   * until they are gone.
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
    // Requests still unanswered have had enough time.
    for (const socket of this.#places.values()) socket?.close(code, reason);
  }

  /**
   * Ends sockets that are gone, uncounts those that ended a while ago from their callers, and gives
   * up the slowest readers if too much waits for all.
   */
  look(): void {
    let waiting = 0;
    for (const [place, socket] of this.#places) {
      if (socket === null) continue;
      socket.check();
      waiting += socket.waiting;
      if (socket.hasEndedFor(ENDED_MS_MAX)) this.#counts.release(place);
    }
    if (waiting > this.#limits.waitingBytesMax) this.#giveUpSlowest();
  }

  #giveUpSlowest(): void {
    const readers = [...this.#places].flatMap(([place, socket]) => {
      if (socket === null || socket.waiting === 0) return [];
      const { waiting, waitedMs, stalledMs } = socket;
      return [{ address: networkOf(place.address), waiting, waitedMs, stalledMs, socket }];
    });
    const slowest = slowestReaders(readers, this.#limits.waitingBytesMax);
    for (const { socket } of slowest) socket.giveUp();
  }

  /** Returns whether a caller, or its member, has as many sockets as it may. */
  #hasAll(caller: Caller): boolean {
    const ofMember = this.#private.get(caller.member)?.size ?? 0;
    return this.#counts.ofCaller(caller) >= SOCKETS_PER_CALLER_MAX ||
      ofMember >= SOCKETS_PER_MEMBER_MAX;
  }

  /** @throws {ApiError} 429 for a member whose sockets have held too much */
  #checkPause({ member }: Caller): void {
    const seconds = this.#memberPauses.get(member)?.secondsLeft(performance.now()) ?? 0;
    if (seconds === 0) return;
    throw new ApiError(429, "stream.endless_message", {
      headers: { "Retry-After": String(seconds) },
    });
  }

  /** Returns whether an anonymous caller may have a place. */
  #hasRoomForAnybody(): boolean {
    const { reserved, totalMax } = this.#limits;
    return this.size < totalMax && this.#counts.anonymous < totalMax - reserved;
  }

  /**
   * Puts the idlest anonymous socket out if all places are taken. It counts as anonymous until its
   * peer is gone, so however many peers stay, no more than that can.
   *
   * @throws {ApiError} 503 if there is none, or too many that were put out are still there
   */
  #makeRoom(): void {
    const { reserved, totalMax } = this.#limits;
    if (this.size < totalMax) return;
    const idlest = this.size < totalMax + reserved ? this.#idlestAnonymous() : null;
    if (idlest === null) throw unavailable();
    idlest.close(CLOSE_CODES.tryLater, "room for signed callers");
  }

  #idlestAnonymous(): StreamSocket | null {
    let idlest: StreamSocket | null = null;
    for (const [{ caller }, socket] of this.#places) {
      if (caller !== null || socket === null || !socket.isOpen) continue;
      if (idlest === null || socket.usedAt < idlest.usedAt) idlest = socket;
    }
    return idlest;
  }

  #placesOf(member: number): readonly SocketPlace[] {
    return [...this.#private.get(member) ?? []];
  }

  #checkKey(key: ApiKey): void {
    const { index, member } = key;
    const own = this.#placesOf(member).filter(({ caller }) => caller?.key?.index === index);
    this.#check(own);
    if (own.length > 0) this.#checkAddresses(key, own).catch(this.#onFault);
  }

  /** Settings may demand more of keys than their handshakes had to show. */
  #checkAllKeys(): void {
    this.#check([...this.#places.keys()]);
    const { keys, settings } = this.#engine.venue;
    if (!settings.needsWithdrawIpLists) return;
    const indexes = new Set<number>();
    for (const { caller } of this.#places.keys()) {
      if (caller !== null && caller.key !== null) indexes.add(caller.key.index);
    }
    for (const index of indexes) {
      const key = keys[index]?.key;
      // Lists of others are not read for it: a store that is away would cost them their sockets.
      if (key !== undefined && mayWithdraw(key)) this.#checkKey(key);
    }
  }

  #check(places: readonly SocketPlace[]): void {
    for (const place of places) {
      if (place.caller !== null && !mayStay(this.#engine.venue, place.caller)) this.#end(place);
    }
  }

  /** The addresses that a key may be used from may have changed. */
  async #checkAddresses(key: ApiKey, places: readonly SocketPlace[]): Promise<void> {
    // Credentials drop the old list on the same event, so this reads after all listeners have run.
    await Promise.resolve();
    try {
      const isAllowed = await addressesOf(this.#engine.venue, this.#credentials, key);
      for (const place of places) if (!isAllowed(place.address)) this.#end(place);
    } catch (error) {
      // There is no second check: a client that may stay reconnects, and is checked then.
      for (const place of places) this.#places.get(place)?.close(CLOSE_CODES.fault, UNCHECKED);
      throw error;
    }
  }

  #end(place: SocketPlace): void {
    this.#places.get(place)?.close(CLOSE_CODES.accessEnded, "access ended");
  }

  #watch(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#held.look();
    this.#timer = setInterval(() => {
      this.look();
      this.#held.look();
      this.checkSessions().catch(this.#onFault);
    }, CHECK_MS);
    Deno.unrefTimer(this.#timer);
  }

  /**
   * Ends sockets whose sessions have ended. Reads each session once and many at a time: there may
   * be thousands, each second.
   */
  checkSessions(): Promise<void> {
    return this.#checking ??= this.#checkSessions().finally(() => this.#checking = null);
  }

  /** Ends the sockets of a member's sessions that have just ended. */
  endSessions(uid: string, hasEnded: (sessionId: string) => boolean): void {
    const member = this.#engine.venue.holderByUid.get(uid)?.member.index ?? -1;
    for (const place of this.#placesOf(member)) {
      const session = place.caller?.session ?? null;
      if (session !== null && hasEnded(session.sessionId)) this.#end(place);
    }
  }

  async #checkSessions(): Promise<void> {
    const begun = performance.now();
    const sessions = new Map<string, SessionCaller>();
    for (const { caller } of this.#places.keys()) {
      const session = caller?.session ?? null;
      if (session !== null) sessions.set(session.sessionId, session);
    }
    for await (const slice of inSlices([...sessions.values()])) {
      for (const { member, sessionId } of await endedSessions(this.#engine, slice)) {
        this.endSessions(member.uid, (id) => id === sessionId);
      }
    }
    this.sessionsSeenAt = begun;
  }
}

function tooMany(): ApiError {
  return new ApiError(429, "stream.too_many_sockets", { headers: { "Retry-After": "1" } });
}

/** Codes and reasons that are told apart; they are the venue's own, and few. */
const KINDS_MAX = 100;

/** The sockets that the venue or its platform has closed, by code and reason. */
export class ClosedSockets {
  readonly #counts = new Map<string, Closed>();

  /** Counts one more. */
  note(code: number, reason: string): void {
    const isNew = !this.#counts.has(`${code} ${reason}`);
    const told = isNew && this.#counts.size >= KINDS_MAX ? "other" : reason;
    const name = `${code} ${told}`;
    const count = (this.#counts.get(name)?.count ?? 0) + 1;
    this.#counts.set(name, { code, reason: told, count });
  }

  /** Returns how many there were of each kind. */
  figures(): readonly Closed[] {
    return [...this.#counts.values()];
  }
}
