/** Everything that is pushed: streams, sockets and their paths. */
import type { Hono } from "hono";
import type { Env } from "../edge/env.ts";
import type { Auth } from "../edge/callers/auth.ts";
import type { ErrorHandlerOptions } from "../edge/errors.ts";
import type { SocketFigures } from "../edge/figures.ts";
import type { Engine, Health } from "../engine/engine.ts";
import type { Sessions } from "../identity/identity.ts";
import type { AccessCredentials } from "./caller_access.ts";
import { BurstRoom } from "./sending/burst_room.ts";
import { CancelOnDisconnect } from "./cancel_on_disconnect.ts";
import { DepositAddressStream } from "./streams/deposit_address_stream.ts";
import { FrameTurns } from "./frame_turns.ts";
import { Hub } from "./sending/hub.ts";
import { PrivateStreams } from "./streams/private_streams.ts";
import { pushRoutes } from "./push/push_routes.ts";
import { rpcRoutes } from "./rpc/rpc_route.ts";
import { SocketGate, type SocketRoute } from "./socket_gate.ts";
import { type HeldWatch, type SocketLimits, SocketRegistry } from "./socket_registry.ts";
import { BestStream } from "./streams/best_stream.ts";
import { BOOK_FORMS } from "./streams/book_feed.ts";
import { BookStream } from "./streams/book_stream.ts";
import { CandleStream } from "./streams/candle_stream.ts";
import { StatusStream } from "./streams/status_stream.ts";
import { SendBudget } from "./sending/send_budget.ts";
import { TickerStream } from "./streams/ticker_stream.ts";
import { TradeStream } from "./streams/trade_stream.ts";
import { CLOSE_CODES } from "./limits.ts";

const MEBIBYTE = 1024 * 1024;
/**
 * Sockets per address and per process, a fifth of which are for signed callers alone. As much may
 * wait for their readers as may be unsent of all answers; bursts, of 16 MiB at most, have room for a
 * few at once.
 */
export const SOCKET_LIMITS: SocketLimits = {
  perAddressMax: 2_000,
  anonymousPerAddressMax: 1_000,
  totalMax: 10_000,
  reserved: 2_000,
  waitingBytesMax: 256 * MEBIBYTE,
  burstBytesMax: 128 * MEBIBYTE,
};

/** What streams and sockets work with. */
export interface RealtimeOptions {
  readonly engine: Engine;
  readonly credentials: AccessCredentials;
  readonly sessions: Pick<Sessions, "onEnded">;
  readonly auth: Pick<
    Auth,
    "beginnings" | "chargeRecords" | "clientAddress" | "connection" | "count" | "logIn" | "member"
  >;
  readonly onUnexpected: ErrorHandlerOptions["onUnexpected"];
  /** Called with faults behind a socket. */
  readonly onFault: (error: unknown) => void;
  readonly limits?: Partial<SocketLimits>;
  /** Whether the process takes orders; by default as the engine says. */
  readonly health?: () => Pick<Health, "isReady">;
  /** Whether unsigned sockets have a port of their own; by default they don't. */
  readonly isApart?: boolean;
}

/** The streams of a process. */
export class Realtime {
  readonly hub = new Hub();
  readonly registry: SocketRegistry;
  readonly #guards: CancelOnDisconnect;
  readonly #gate: SocketGate;
  readonly #routes: readonly SocketRoute[];

  constructor(options: RealtimeOptions) {
    const { engine, auth, credentials, onFault, sessions } = options;
    const { isApart = false } = options;
    const limits = { ...SOCKET_LIMITS, ...options.limits };
    this.registry = new SocketRegistry(engine, credentials, limits, onFault);
    sessions.onEnded((uid, hasEnded) => this.registry.endSessions(uid, hasEnded));
    this.#guards = new CancelOnDisconnect({ engine, onFault });
    this.#guards.keepAbandoned();
    const { registry } = this;
    const guards = this.#guards;
    const room = new BurstRoom(limits.burstBytesMax);
    this.#gate = new SocketGate({ auth, registry, guards, room, isApart });
    registerPublicStreams(this.hub, engine, onFault);
    const health = options.health ?? (() => engine.health());
    this.hub.register(new StatusStream(engine, health));
    this.hub.register(new PrivateStreams(engine, this.hub, onFault, auth.beginnings));
    this.hub.register(new DepositAddressStream(engine, this.hub, onFault));
    const shared = { hub: this.hub, turns: new FrameTurns() };
    const rpcParts = { ...shared, auth, credentials, registry, services: options };
    this.#routes = [
      ...pushRoutes({ ...shared, onFault, services: options }),
      ...rpcRoutes(rpcParts),
    ];
  }

  /** Adds the paths to the application. */
  mount(app: Hono<Env>): void {
    for (const route of this.#routes) this.#gate.mount(app, route);
  }

  /** Returns the figures of the sockets. */
  figures(): SocketFigures {
    const { closed, size } = this.registry;
    const closedSockets = closed.figures();
    const slow = closedSockets.find(({ code }) => code === CLOSE_CODES.slowReader);
    return { sockets: size, dropped_readers: slow?.count ?? 0, closed_sockets: closedSockets };
  }

  /** Closes unsigned sockets and admits none for a while, because they may hold the memory. */
  pauseUnsigned(): void {
    this.registry.pauseAnonymous();
  }

  /** Admits unsigned sockets again, which did not hold it. */
  resumeUnsigned(): void {
    this.registry.resumeAnonymous();
  }

  /** Closes the sockets of the thread of unsigned ones, whose connections are about to be cut. */
  cutRelayed(): void {
    this.registry.closeRelayed();
  }

  /** Closes all sockets before their connections are cut: no end of theirs is a client's. */
  cutOff(): void {
    this.registry.cutOff();
  }

  /** Does so with all but those of the thread of unsigned ones, whose connections stay. */
  cutOffDirect(): void {
    this.registry.cutOffDirect();
  }

  /** Tells from now on whose sockets have held too much memory. */
  watchHeld(watch: HeldWatch): void {
    this.registry.heldWatch = watch;
  }

  /** Tells all clients to reconnect, elsewhere or later. */
  async close(): Promise<void> {
    await this.registry.close(CLOSE_CODES.restart, "service restart");
    await this.#guards.close();
  }
}

/** Registers the public streams. */
export function registerPublicStreams(
  hub: Hub,
  engine: Engine,
  onFault: (error: unknown) => void,
): void {
  const budget = new SendBudget();
  engine.onEntry((events) => budget.noteEvents(events.length));
  for (const form of BOOK_FORMS) hub.register(new BookStream(engine, form, budget));
  hub.register(new BestStream(engine, budget));
  hub.register(new TradeStream(hub, engine));
  hub.register(new CandleStream(engine, onFault));
  hub.register(new TickerStream(engine));
}
