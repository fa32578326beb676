/** Turns a call into a socket: admitted like any other call, then upgraded. */
import type { Context, Handler, Hono } from "hono";
import type { Caller, Env } from "../edge/env.ts";
import { ApiError, invalidField, rejectionError } from "../edge/errors.ts";
import type { Auth } from "../edge/callers/auth.ts";
import { CROSS_SITE, isForeignOrigin } from "../edge/callers/same_site.ts";
import { hasSessionCookie } from "../edge/callers/session_cookie.ts";
import { BODY_SIGNATURE_HEADER } from "../edge/callers/body_signature.ts";
import { API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER } from "../edge/callers/signature.ts";
import type { SignedCall } from "../edge/callers/signed_call.ts";
import { networkOf } from "../secrets/ip_address.ts";
import {
  Arrival,
  goneAnswer,
  UPGRADE_HEADERS,
  UPGRADE_REQUIRED,
  VERSION,
  VERSION_HEADER,
} from "./arrival.ts";
import type { BurstRoom } from "./sending/burst_room.ts";
import type { CancelOnDisconnect, GuardedSocket } from "./cancel_on_disconnect.ts";
import type { SocketPlace } from "./place_counts.ts";
import type { RelayedInfo, RelayedUpgrade } from "./relay/socket_relay.ts";
import { SocketLogin } from "./socket_login.ts";
import type { SocketRegistry } from "./socket_registry.ts";
import { IDLE_TIMEOUT_S, type SocketHandlers, StreamSocket } from "./sending/stream_socket.ts";
import type { ApiKey } from "../domain/people/member.ts";
import { reject } from "../domain/rejection.ts";
import { TIMER_WITHOUT_KEY } from "../edge/cancel_timer.ts";
import { pathAndQuery, queryPairs } from "../edge/reading/query.ts";
import { CLOSE_CODES } from "./limits.ts";

/** Idle timeout of sockets whose end cancels orders. */
const GUARDED_IDLE_TIMEOUT_S = 20;
/** Close reason of a socket that can no longer be guarded. */
const GUARD_LOST = "cancel on disconnect is lost";

/** What the gate works with. */
export interface GateOptions {
  readonly auth: Pick<Auth, "clientAddress" | "connection" | "logIn" | "member">;
  readonly registry: SocketRegistry;
  readonly guards: CancelOnDisconnect;
  readonly room: BurstRoom;
  /** Whether unsigned sockets have a port of their own, and signed ones can't have it. */
  readonly isApart: boolean;
}

/** A connection that waits for its socket. */
export interface Connection extends SocketHandlers {
  /** Called once, before anything is received. */
  attach(socket: StreamSocket): void;
}

/** A path that is upgraded. */
export interface SocketRoute {
  readonly paths: readonly string[];
  /** Who is admitted; with `anybody` a signature is optional, but checked if there is one. */
  readonly access: "public" | "member" | "anybody";
  /** Returns the longest frame from a client, in bytes. */
  frameBytesMax(caller: Caller | null): number;
  /**
   * Creates the connection of a call, before the upgrade.
   *
   * @param login by which a key gets it later; null if somebody has it already
   * @throws {ApiError} answered instead
   */
  connect(c: Context<Env>, caller: Caller | null, login: SocketLogin | null): Connection;
}

/** Admits websockets. */
export class SocketGate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Adds a route to the application; the router handles trailing slashes. */
  mount(app: Hono<Env>, route: SocketRoute): void {
    for (const path of route.paths) app.get(path, this.#handler(route));
  }

  #handler(route: SocketRoute): Handler<Env> {
    const { auth, registry, isApart } = this.#options;
    const { clientAddress } = auth;
    // With `anybody`, each request checks the scope that it needs.
    const guard = route.access === "anybody" ? auth.connection() : auth.member("read");

    return async (c) => {
      const arrival = new Arrival(c.req.raw);
      const isPublic = route.access === "public" || (route.access === "anybody" && !isSigned(c));
      const isKeyed = !isPublic && hasKeyHeaders(c);
      // First, so that no other call can be made of what a refused one was signed with.
      if (isKeyed) await guard.admit(c);
      checkUpgrade(c);
      if (isApart) checkPort(c, isPublic);
      registry.checkAddress(clientAddress(c), !isPublic);
      if (isPublic) return await this.#answer(route, c, null, arrival);
      if (!isKeyed && hasSessionCookie(c)) checkOrigin(c);
      if (!isKeyed) await guard.admit(c);
      return await this.#answer(route, c, c.get("caller"), arrival);
    };
  }

  async #answer(
    route: SocketRoute,
    c: Context<Env>,
    caller: Caller | null,
    arrival: Arrival,
  ): Promise<Response> {
    const { guards } = this.#options;
    const guarded = asksForGuard(c) ? await guards.guard(guardedKey(caller)) : null;
    // Of one that was relayed, the other end has made sure.
    if (isRelayed(c) || !await arrival.hasHungUp()) return this.#upgrade(route, c, caller, guarded);
    guarded?.drop();
    return goneAnswer();
  }

  #upgrade(
    route: SocketRoute,
    c: Context<Env>,
    caller: Caller | null,
    guarded: GuardedSocket | null,
  ): Response {
    const { auth, registry, room } = this.#options;
    const address = auth.clientAddress(c);
    let place: SocketPlace = { caller, address, isRelayed: isRelayed(c) };
    const onFailed = () => {
      registry.leave(place);
      guarded?.drop();
    };
    let onLoggedIn: (caller: Caller) => void = () => {};
    const admit = (caller: Caller) => {
      place = registry.admit(place, caller);
      onLoggedIn(caller);
    };
    const login = caller === null
      ? new SocketLogin({ auth, handshake: handshakeOf(c, address), admit })
      : null;
    try {
      const connection = route.connect(c, caller, login);
      registry.enter(place);
      const idleTimeout = guarded === null ? IDLE_TIMEOUT_S : GUARDED_IDLE_TIMEOUT_S;
      const { socket, response, admitLength } = upgraded(c, idleTimeout);
      noteEnd(socket, () => registry.end(place), onFailed);
      const handlers = guarded === null ? connection : ending(connection, guarded);
      const own = new StreamSocket(socket, handlers, {
        frameBytesMax: route.frameBytesMax(caller),
        stalledMsMax: idleTimeout * 1000,
        room: room.shareOf(networkOf(address)),
        onClosed: (code, reason) => registry.closed.note(code, reason),
        onTooLong: (length) => registry.noteTooLong(place, length),
        // It keeps its place, as the platform keeps its descriptor.
        onUnopened: () => guarded?.drop(),
      });
      onLoggedIn = (owner) => {
        own.frameBytesMax = route.frameBytesMax(owner);
        admitLength?.(own.frameBytesMax);
      };
      if (guarded !== null) tie(guarded, own);
      connection.attach(own);
      registry.add(place, own);
      return response;
    } catch (error) {
      onFailed();
      throw error;
    }
  }
}

/** Returns a connection's handlers, extended to end the guard. */
function ending(connection: Connection, guarded: GuardedSocket): SocketHandlers {
  return {
    onOpen() {
      guarded.open();
      connection.onOpen();
    },
    onText: (text) => connection.onText(text),
    finish: () => connection.finish?.(),
    onClose(isCut) {
      if (isCut) guarded.leave();
      else guarded.end();
      connection.onClose(isCut);
    },
  };
}

/** Ends the socket when it is found to be gone or its guard is lost. */
function tie(guarded: GuardedSocket, socket: StreamSocket): void {
  guarded.onRenew = () => socket.check();
  guarded.onLost = () => {
    guarded.end();
    socket.close(CLOSE_CODES.fault, GUARD_LOST);
  };
}

function noteEnd(socket: WebSocket, onEnded: () => void, onFailed: () => void): void {
  socket.addEventListener("close", onEnded);
  socket.addEventListener("error", () => {
    // A failed upgrade ends with this event.
    if (socket.readyState === WebSocket.CONNECTING) onFailed();
  });
}

/** Returns what whoever logs in over a call's socket could have signed instead. */
function handshakeOf({ req: { method, url } }: Context<Env>, address: string): SignedCall {
  return { method, pathAndQuery: pathAndQuery(url), body: "", address };
}

function upgraded(c: Context<Env>, idleTimeout: number): RelayedUpgrade {
  const { openSocket } = relayedInfo(c);
  if (openSocket !== undefined) return openSocket(idleTimeout);
  try {
    return Deno.upgradeWebSocket(c.req.raw, { idleTimeout });
  } catch (cause) {
    // The platform refuses an incomplete handshake.
    throw Object.assign(upgradeRequired(), { cause });
  }
}

/** Refuses a call that does not ask for a websocket, or for a version that nobody speaks. */
function checkUpgrade(c: Context<Env>): void {
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") throw upgradeRequired();
  // The platform takes any.
  if ((c.req.header(VERSION_HEADER) ?? VERSION) !== VERSION) throw upgradeRequired();
}

function upgradeRequired(): ApiError {
  return new ApiError(426, UPGRADE_REQUIRED, { headers: UPGRADE_HEADERS });
}

/** Refuses signed calls at the port of unsigned sockets, and unsigned ones at the other. */
function checkPort(c: Context<Env>, isPublic: boolean): void {
  if (isPublic !== isRelayed(c)) throw new ApiError(421, "stream.other_port");
}

function isRelayed(c: Context<Env>): boolean {
  return relayedInfo(c).openSocket !== undefined;
}

/** Returns what a call comes with if it was relayed; nothing of it otherwise. */
function relayedInfo(c: Context<Env>): Partial<RelayedInfo> {
  return (c.env ?? {}) as unknown as Partial<RelayedInfo>;
}

function isSigned(c: Context<Env>): boolean {
  return hasKeyHeaders(c) || hasSessionCookie(c);
}

function hasKeyHeaders(c: Context<Env>): boolean {
  return [API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER, BODY_SIGNATURE_HEADER]
    .some((name) => c.req.header(name) !== undefined);
}

/** A browser sends the cookie from any page, but only the venue's own pages may read with it. */
function checkOrigin(c: Context<Env>): void {
  if (c.req.header("origin") === undefined || isForeignOrigin(c)) {
    throw new ApiError(403, CROSS_SITE);
  }
}

/** Query field; `true` asks for it. */
const PARAMETER = "cancel_on_disconnect";

/** @throws {ApiError} the field is neither `true` nor `false` */
export function asksForGuard(c: Context<Env>): boolean {
  const given = queryPairs(c.req.url).getAll(PARAMETER);
  const wrong = given.find((value) => value !== "true" && value !== "false");
  if (wrong !== undefined) throw invalidField(`stream.invalid_${PARAMETER}`, PARAMETER, wrong);
  return given.includes("true");
}

/**
 * Returns the key that the timer is set for.
 *
 * @throws {ApiError} there is none, or it may not trade
 */
export function guardedKey(caller: Caller | null): ApiKey {
  const key = caller?.key ?? null;
  if (key === null) throw new ApiError(422, TIMER_WITHOUT_KEY);
  if (!key.scopes.includes("trade")) {
    throw rejectionError(reject("scope_not_permitted"));
  }
  return key;
}
