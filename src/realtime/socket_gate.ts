/** How a call becomes a socket: asked like any other call, then upgraded. */
import type { Context, Handler, Hono } from "hono";
import type { Caller, Env } from "../api/env.ts";
import { ApiError } from "../api/errors.ts";
import type { Auth } from "../api/auth.ts";
import type { ClientAddress } from "../api/client_address.ts";
import { isForeignOrigin } from "../api/same_site.ts";
import { hasSessionCookie } from "../api/session_cookie.ts";
import { API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER } from "../api/signature.ts";
import { yieldToOthers } from "../engine/yield_to_others.ts";
import type { CancelOnDisconnect, GuardedSocket } from "./cancel_on_disconnect.ts";
import { asksForGuard, guardedKey } from "./disconnect_request.ts";
import type { SocketPlace, SocketRegistry } from "./socket_registry.ts";
import { CLOSE_CODES, IDLE_TIMEOUT_S, type SocketHandlers, StreamSocket } from "./stream_socket.ts";

/** Idle timeout of sockets that orders hang on. */
const GUARDED_IDLE_TIMEOUT_S = 20;
/** Reason of a socket whose orders can no longer be guarded. */
const GUARD_LOST = "cancel on disconnect is lost";

/** Turns that the platform needs to tell of a client that has asked and hung up at once. */
const HANGING_UP_TURNS = 2;

/** What the gate works with. */
export interface GateOptions {
  readonly auth: Pick<Auth, "member" | "connection">;
  readonly registry: SocketRegistry;
  readonly guards: CancelOnDisconnect;
  /** Address that the call comes from. */
  readonly clientAddress: ClientAddress;
}

/** A connection that waits for its socket. */
export interface Connection extends SocketHandlers {
  /** Called once, before anything is received. */
  attach(socket: StreamSocket): void;
}

/** A path that is upgraded. */
export interface SocketRoute {
  readonly paths: readonly string[];
  /** Who is let in; `anybody` may still sign, and is asked for it where it does. */
  readonly access: "public" | "member" | "anybody";
  /** Longest frame that a client may send. */
  readonly frameBytesMax: number;
  /**
   * Makes the connection of a call, before the upgrade.
   *
   * @throws {ApiError} the call is answered with it instead
   */
  connect(c: Context<Env>, caller: Caller | null): Connection;
}

/** Lets websockets in. */
export class SocketGate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Adds a route to the application; the router knows trailing slashes. */
  mount(app: Hono<Env>, route: SocketRoute): void {
    for (const path of route.paths) app.get(path, this.#handler(route));
  }

  #handler(route: SocketRoute): Handler<Env> {
    const { auth, registry, guards, clientAddress } = this.#options;
    const onSlow = () => registry.droppedReaders += 1;
    // What needs a scope is refused where it is asked for.
    const guard = route.access === "anybody" ? auth.connection() : auth.member("read");

    return async function upgradeHandler(c) {
      checkUpgrade(c);
      // The platform tells who has asked before: of a client that is gone by then it tells nobody.
      const { signal } = c.req.raw;
      registry.checkAddress(clientAddress(c));
      const isPublic = route.access === "public" || (route.access === "anybody" && !isSigned(c));
      if (isPublic) return await answerOf(c, null, signal);
      if (!hasKeyHeaders(c) && hasSessionCookie(c)) checkOrigin(c);
      await guard.admit(c);
      return await answerOf(c, c.get("caller"), signal);
    };

    async function answerOf(
      c: Context<Env>,
      caller: Caller | null,
      signal: AbortSignal,
    ): Promise<Response> {
      const guarded = asksForGuard(c) ? await guards.guard(guardedKey(caller)) : null;
      if (!await hasHungUp(signal)) return upgrade(c, caller, guarded);
      guarded?.drop();
      return goneAnswer();
    }

    function upgrade(
      c: Context<Env>,
      caller: Caller | null,
      guarded: GuardedSocket | null,
    ): Response {
      const place: SocketPlace = { caller, address: clientAddress(c) };
      const onUnopened = () => {
        registry.leave(place);
        guarded?.drop();
      };
      try {
        const connection = route.connect(c, caller);
        registry.enter(place);
        const idleTimeout = guarded === null ? IDLE_TIMEOUT_S : GUARDED_IDLE_TIMEOUT_S;
        const { socket, response } = upgraded(c.req.raw, idleTimeout);
        socket.addEventListener("close", () => registry.leave(place));
        socket.addEventListener("error", () => {
          // Of an upgrade that fails this is the last word.
          if (socket.readyState === WebSocket.CONNECTING) onUnopened();
        });
        const handlers = guarded === null ? connection : ending(connection, guarded);
        const { frameBytesMax } = route;
        const bounds = { frameBytesMax, stalledMsMax: idleTimeout * 1000, onSlow, onUnopened };
        const own = new StreamSocket(socket, handlers, bounds);
        if (guarded !== null) tie(guarded, own);
        connection.attach(own);
        registry.add(place, own);
        return response;
      } catch (error) {
        onUnopened();
        throw error;
      }
    }
  }
}

async function hasHungUp(signal: AbortSignal): Promise<boolean> {
  for (let turn = 0; turn < HANGING_UP_TURNS; turn++) await yieldToOthers();
  return signal.aborted;
}

/**
 * To a client that has hung up: upgraded, its connection would neither open nor end, and the
 * platform would keep its file descriptor for as long as the process lives.
 */
function goneAnswer(): Response {
  return new Response(null, { status: 400 });
}

/** What a connection does, and the guard's part of it. */
function ending(connection: Connection, guarded: GuardedSocket): SocketHandlers {
  return {
    onOpen: () => connection.onOpen(),
    onText: (text) => connection.onText(text),
    finish: () => connection.finish?.(),
    onClose() {
      guarded.end();
      connection.onClose();
    },
  };
}

/** Has a socket end that is found to be gone, or whose guard is. */
function tie(guarded: GuardedSocket, socket: StreamSocket): void {
  guarded.onRenew = () => socket.check();
  guarded.onLost = () => socket.close(CLOSE_CODES.fault, GUARD_LOST);
}

function upgraded(request: Request, idleTimeout: number): Deno.WebSocketUpgrade {
  try {
    return Deno.upgradeWebSocket(request, { idleTimeout });
  } catch (cause) {
    // What the platform refuses is a handshake without its parts.
    throw Object.assign(upgradeRequired(), { cause });
  }
}

/** A call that asks for no websocket has not come to the right place. */
function checkUpgrade(c: Context<Env>): void {
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") throw upgradeRequired();
}

function upgradeRequired(): ApiError {
  return new ApiError(426, "stream.upgrade_required", { headers: { "Upgrade": "websocket" } });
}

function isSigned(c: Context<Env>): boolean {
  return hasKeyHeaders(c) || hasSessionCookie(c);
}

function hasKeyHeaders(c: Context<Env>): boolean {
  return [API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER]
    .some((name) => c.req.header(name) !== undefined);
}

/** A browser sends the cookie for any page: only the venue's own may read with it. */
function checkOrigin(c: Context<Env>): void {
  if (c.req.header("origin") === undefined || isForeignOrigin(c)) {
    throw new ApiError(403, "authz.cross_site_request");
  }
}
