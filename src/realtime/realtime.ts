/** Everything that is pushed: streams, sockets, and the paths that they are reached by. */
import type { Context, ErrorHandler, Hono } from "hono";
import type { Env } from "../api/env.ts";
import type { Guards } from "../api/mount.ts";
import type { Engine } from "../engine/engine.ts";
import { Hub } from "./hub.ts";
import { registerPublicStreams } from "./public_streams.ts";
import { pushRoutes } from "./push_routes.ts";
import { SocketGate } from "./socket_gate.ts";
import { type SocketLimits, SocketRegistry } from "./socket_registry.ts";
import { CLOSE_CODES } from "./stream_socket.ts";

/** Sockets of one address, and of the process. */
export const SOCKET_LIMITS: SocketLimits = { perAddressMax: 2_000, totalMax: 10_000 };

/** What it stands on. */
export interface RealtimeOptions {
  readonly engine: Engine;
  readonly auth: Pick<Guards, "member">;
  /** Address that a call comes from. */
  readonly clientAddress: (c: Context<Env>) => string;
  /** Answers what is wrong with a handshake. */
  readonly onError: ErrorHandler<Env>;
  /** Told of what went wrong behind a socket. */
  readonly onFault: (error: unknown) => void;
  readonly limits?: SocketLimits;
}

/** The streams of a process. */
export class Realtime {
  readonly hub = new Hub();
  readonly registry: SocketRegistry;
  readonly #gate: SocketGate;
  readonly #options: RealtimeOptions;

  constructor(options: RealtimeOptions) {
    const { engine, auth, clientAddress, onError, onFault, limits = SOCKET_LIMITS } = options;
    this.#options = options;
    this.registry = new SocketRegistry(engine, limits, onFault);
    this.#gate = new SocketGate({ auth, registry: this.registry, clientAddress, onError });
    registerPublicStreams(this.hub, engine, onFault);
  }

  /** Adds the paths to the application. */
  mount(app: Hono<Env>): void {
    for (const route of pushRoutes(this.hub, this.#options.onFault)) this.#gate.mount(app, route);
  }

  /** Tells all clients to connect again, elsewhere or later. */
  close(): void {
    this.registry.close(CLOSE_CODES.restart, "service restart");
  }
}
