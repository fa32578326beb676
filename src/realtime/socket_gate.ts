/** How a call becomes a socket: asked like any other call, then upgraded. */
import type { Context, ErrorHandler, Handler, Hono } from "hono";
import { present } from "../domain/assert.ts";
import type { Caller, Env } from "../api/env.ts";
import { ApiError } from "../api/errors.ts";
import type { Auth } from "../api/auth.ts";
import { readSessionCookie } from "../api/session_cookie.ts";
import { API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER } from "../api/signature.ts";
import type { SocketPlace, SocketRegistry } from "./socket_registry.ts";
import { IDLE_TIMEOUT_S, type SocketHandlers, StreamSocket } from "./stream_socket.ts";

/** What the gate works with. */
export interface GateOptions {
  readonly auth: Pick<Auth, "member" | "connection">;
  readonly registry: SocketRegistry;
  /** Address that the call comes from. */
  readonly clientAddress: (c: Context<Env>) => string;
  readonly onError: ErrorHandler<Env>;
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
    const { auth, registry, clientAddress, onError } = this.#options;
    // What needs a scope is refused where it is asked for.
    const guard = route.access === "anybody" ? auth.connection() : auth.member("read");

    return async function upgradeHandler(c) {
      checkUpgrade(c);
      registry.checkAddress(clientAddress(c));
      if (route.access === "public" || (route.access === "anybody" && !isSigned(c))) {
        return upgrade(c, null);
      }
      if (!hasKeyHeaders(c) && readSessionCookie(c) !== undefined) checkOrigin(c);
      // Past the guard an answer must not be touched: an upgrade is its own object only.
      const passed: { answer?: Response } = {};
      await guard(c, async () => {
        passed.answer = await answerOf(c);
      });
      return present(passed.answer, "a guard throws or lets through");
    };

    async function answerOf(c: Context<Env>): Promise<Response> {
      try {
        return upgrade(c, c.get("caller"));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        return await onError(error, c);
      }
    }

    function upgrade(c: Context<Env>, caller: Caller | null): Response {
      const connection = route.connect(c, caller);
      const place: SocketPlace = { caller, address: clientAddress(c) };
      registry.enter(place);
      try {
        const { socket, response } = upgraded(c.req.raw);
        socket.addEventListener("close", () => registry.leave(place));
        socket.addEventListener("error", () => {
          // Of an upgrade that fails this is the last word.
          if (socket.readyState === WebSocket.CONNECTING) registry.leave(place);
        });
        const own = new StreamSocket(socket, route.frameBytesMax, connection);
        connection.attach(own);
        registry.add(place, own);
        return response;
      } catch (error) {
        registry.leave(place);
        throw error;
      }
    }
  }
}

function upgraded(request: Request): Deno.WebSocketUpgrade {
  try {
    return Deno.upgradeWebSocket(request, { idleTimeout: IDLE_TIMEOUT_S });
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
  return hasKeyHeaders(c) || readSessionCookie(c) !== undefined;
}

function hasKeyHeaders(c: Context<Env>): boolean {
  return [API_KEY_HEADER, NONCE_HEADER, SIGNATURE_HEADER]
    .some((name) => c.req.header(name) !== undefined);
}

/** A browser sends the cookie for any page: only the venue's own may read with it. */
function checkOrigin(c: Context<Env>): void {
  const origin = c.req.header("origin");
  const host = c.req.header("host") ?? new URL(c.req.url).host;
  if (origin === undefined || !URL.canParse(origin) || new URL(origin).host !== host) {
    throw new ApiError(403, "authz.cross_site_request");
  }
}
