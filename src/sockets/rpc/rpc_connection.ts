/** A client of the RPC dialect, which the reference page describes. */
import type { Scope } from "../../domain/people/member.ts";
import { BULK_BODY_BYTES_MAX } from "../../edge/reading/body.ts";
import type { Auth } from "../../edge/callers/auth.ts";
import type { Caller } from "../../edge/env.ts";
import {
  ApiError,
  type ErrorReport,
  rateLimited,
  rejectionError,
  VALUE_LENGTH_MAX,
} from "../../edge/errors.ts";
import { countItems } from "../../edge/reading/item_count.ts";
import { checkItemCount } from "../../edge/orders/order_entry.ts";
import { COST_OF_A_CALL, costOf } from "../../edge/callers/rate_limit.ts";
import { ReadingQueue } from "../../engine/reading_queue.ts";
import type { Hub } from "../sending/hub.ts";
import type { FrameTurns } from "../frame_turns.ts";
import { AccessEndedError, type AccessParts, CallerAccess } from "../caller_access.ts";
import { RequestPace } from "../request_pace.ts";
import { RequestLine, RequestPlace } from "./request_line.ts";
import { refuseSurplus } from "./rpc_arguments.ts";
import {
  errorFrame,
  eventFrame,
  parseRequest,
  peekRequest,
  type RequestHead,
  type RequestId,
  responseFrame,
  type RpcRequest,
} from "./rpc_frame.ts";
import {
  cancelAllAfter,
  cancelBulk,
  cancelOrder,
  createBulk,
  createOrder,
  getOrders,
  getOrderTrades,
  listOrders,
  type RpcAnswer,
  type RpcContext,
} from "./rpc_orders.ts";
import { RpcStreams } from "./rpc_streams.ts";
import { RpcTrader } from "./rpc_trader.ts";
import type { Connection } from "../socket_gate.ts";
import { reportedError } from "../reported_error.ts";
import { alreadyLoggedIn, signedBy, type SocketLogin } from "../socket_login.ts";
import { SocketReader } from "../socket_reader.ts";
import type { Dialect } from "../stream_message.ts";
import { CLOSE_CODES } from "../limits.ts";
import type { StreamReader } from "../sending/stream_reader.ts";
import type { Services } from "../../http/route_needs.ts";

/** Unanswered requests per connection. */
export const REQUESTS_IN_FLIGHT_MAX = 256;
/**
 * Their total characters: a request to subscribe waits for as long as the client does not read, and
 * anybody may open thousands of unsigned sockets.
 */
export const REQUESTS_IN_FLIGHT_LENGTH_MAX = {
  signed: 16 * BULK_BODY_BYTES_MAX,
  unsigned: 64 * 1024,
} as const;

/**
 * How many requests about streams are worked on at once: one whose streams take long to begin does
 * not hold up the next, and a client that does not read has few that wait for it.
 */
export const STREAM_REQUESTS_AT_ONCE = 4;
const STREAM_TURNS = { atOnce: STREAM_REQUESTS_AT_ONCE, waitingMax: Infinity };
/** A member's readings take turns anyway: a socket need not fill the line that all of its have. */
const READ_TURNS = { atOnce: 1, waitingMax: Infinity };

/**
 * Longest frame of a request without items, in bytes. An unsigned socket can only subscribe: this
 * is enough for as many streams as it may read, with the longest ids of markets.
 */
export const SINGLE_FRAME_BYTES_MAX = 16 * 1024;

/** What all connections of one dialect share. */
export interface RpcParts extends Omit<AccessParts, "engine"> {
  readonly hub: Hub;
  readonly turns: FrameTurns;
  readonly dialect: Dialect;
  /** Whether frames and records have extra elements after the dialect's own. */
  readonly hasExtras: boolean;
  readonly auth: Pick<Auth, "chargeRecords" | "clientAddress" | "count">;
  readonly services: Pick<Services, "engine" | "onUnexpected">;
}

/** A method that a member may call with its key or session. */
interface RpcMethod {
  readonly scope: Extract<Scope, "read" | "trade">;
  /** The most arguments that it has; absent if it checks them itself, or takes a list of items. */
  readonly argsMax?: number;
  /** Counted separately from all other requests. */
  readonly isCancel?: true;
  /** How deep in the frame the items are, each of which costs as much as a request. */
  readonly itemDepth?: number;
  ask(
    trader: RpcTrader,
    request: RpcRequest,
    context: RpcContext,
  ): Promise<RpcAnswer>;
}

const METHODS: ReadonlyMap<string, RpcMethod> = new Map<string, RpcMethod>([
  ["list_orders", { scope: "read", argsMax: 4, ask: listOrders }],
  ["get_orders", { scope: "read", itemDepth: 2, ask: getOrders }],
  ["get_order_trades", { scope: "read", argsMax: 1, ask: getOrderTrades }],
  ["create_order", { scope: "trade", ask: createOrder }],
  ["create_bulk", { scope: "trade", itemDepth: 2, ask: createBulk }],
  ["cancel_order", { scope: "trade", isCancel: true, ask: cancelOrder }],
  [
    "cancel_bulk",
    { scope: "trade", isCancel: true, itemDepth: 3, argsMax: 2, ask: cancelBulk },
  ],
  ["cancel_all_after", { scope: "trade", isCancel: true, argsMax: 1, ask: cancelAllAfter }],
]);

/** By which a key gets a socket that was opened without a signature. */
const LOGIN = "login";

const NO_METHOD: Pick<RpcMethod, "isCancel" | "itemDepth"> = {};
const ANSWERED = Promise.resolve();

/** Whoever has opened a connection, or logged in over it. */
interface RpcSession {
  readonly caller: Caller;
  readonly trader: RpcTrader;
  readonly access: CallerAccess;
}

/** A connection that speaks the RPC dialect: it manages orders and timers, and reads streams. */
export class RpcConnection extends SocketReader implements Connection, StreamReader {
  readonly dialect: Dialect;
  readonly #parts: RpcParts;
  readonly #address: string;
  /** Null if somebody opened it. */
  readonly #login: SocketLogin | null;
  /** Null if nobody opened it, or has logged in yet. */
  #session: RpcSession | null = null;
  /** The log-in under way; requests behind it wait for what becomes of it. */
  #loggingIn: Promise<void> | null = null;
  readonly #streams: RpcStreams;
  readonly #pace = new RequestPace();
  /** Requests are decided in the order in which they were sent. */
  readonly #line = new RequestLine();
  readonly #underWay = new Set<Promise<void>>();
  #underWayLength = 0;
  /** Requests about streams wait in one line, which has no name (`undefined`). */
  readonly #streamTurns = new ReadingQueue(STREAM_TURNS);
  readonly #readTurns = new ReadingQueue(READ_TURNS);

  constructor(
    parts: RpcParts,
    caller: Caller | null,
    address: string,
    login: SocketLogin | null = null,
  ) {
    super();
    this.#parts = parts;
    this.#address = address;
    this.#login = login;
    this.#streams = new RpcStreams(parts.hub, this);
    this.dialect = parts.dialect;
    if (caller !== null) this.#session = this.#sessionOf(caller);
  }

  get member(): number | null {
    return this.#session?.caller.member ?? null;
  }

  onOpen(): void {
    if (this.#session !== null) this.#greet(this.#session);
  }

  onText(text: string): void {
    const { length } = text;
    // Callers that have signed are counted by member.
    if (this.#session === null && this.#pace.isTooFast(length)) return this.putOut();
    const head = peekRequest(text);
    const tooMany = this.#refuseInFlight(length);
    if (tooMany !== null) return this.#tell(head?.id ?? null, "", tooMany);
    this.#underWayLength += length;
    const turn = this.#parts.turns.take(this, length);
    const answering = turn === null
      ? this.#beginBehindLogin(text, head)
      : turn.then(() => this.#beginBehindLogin(text, head));
    const answered = answering.finally(() => {
      this.#underWay.delete(answered);
      this.#underWayLength -= length;
    });
    this.#underWay.add(answered);
  }

  finish(): Promise<void> | undefined {
    if (this.#underWay.size === 0) return undefined;
    return Promise.all(this.#underWay).then(() => undefined);
  }

  onClose(): void {
    this.#parts.hub.leave(this);
  }

  #refuseInFlight(length: number): ApiError | null {
    if (this.#underWay.size >= REQUESTS_IN_FLIGHT_MAX) {
      return tooManyInFlight(REQUESTS_IN_FLIGHT_MAX);
    }
    const lengthMax = REQUESTS_IN_FLIGHT_LENGTH_MAX[this.#session === null ? "unsigned" : "signed"];
    return this.#underWayLength + length > lengthMax ? tooManyInFlight(lengthMax) : null;
  }

  /** What comes behind a log-in is asked by whoever has logged in by then. */
  #beginBehindLogin(text: string, head: RequestHead | null): Promise<void> {
    return this.#loggingIn === null
      ? this.#begin(text, head)
      : this.#loggingIn.then(() => this.#beginBehindLogin(text, head));
  }

  /** Answers a frame whose turn it is. */
  #begin(text: string, head: RequestHead | null): Promise<void> {
    const { id, method } = head ?? headOf(text);
    try {
      this.#charge(text, method);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#tell(id, method, error);
      return ANSWERED;
    }
    // Until its turn there is only its text: what waits for each of its streams takes twenty times
    // as much memory.
    if (method === LOGIN) return this.#beginLogin(text, id);
    const turns = this.#turnsOf(method);
    return turns === null
      ? this.#line.run((turn) => this.#answer(text, id, turn))
      : turns.run(undefined, () => this.#answer(text, id));
  }

  #turnsOf(method: string): ReadingQueue | null {
    if (method === "subscribe" || method === "unsubscribe") return this.#streamTurns;
    return METHODS.get(method)?.scope === "read" ? this.#readTurns : null;
  }

  /**
   * Takes from the caller what a frame costs, and checks its bounds, before it is parsed.
   *
   * @throws {ApiError} 413 or 429
   */
  #charge(text: string, method: string): void {
    const { isCancel, itemDepth } = METHODS.get(method) ?? NO_METHOD;
    const items = itemDepth === undefined ? COST_OF_A_CALL : countItems(text, itemDepth);
    if (this.#session !== null) {
      const cost = costOf(items, text.length);
      this.#parts.auth.count(this.#session.caller, isCancel ? "cancel" : "other", cost);
    }
    if (itemDepth === undefined) checkSingleLength(text);
    else if (this.#session !== null) checkItemCount(this.#session.trader, items);
  }

  #beginLogin(text: string, id: RequestId | null): Promise<void> {
    const loggingIn = this.#answer(text, id).finally(() => this.#loggingIn = null);
    return this.#loggingIn = loggingIn;
  }

  /** @param turn that of a request which is decided, not only read */
  async #answer(
    text: string,
    peeked: RequestId | null,
    turn = new RequestPlace(null),
  ): Promise<void> {
    const request = parseRequest(text);
    const method = "method" in request ? request.method : "";
    try {
      if ("error" in request) throw request.error;
      const { args, extra } = await this.#ask(request, turn);
      this.send(
        this.#parts.hasExtras
          ? responseFrame(request, args, extra)
          // Clients that count elements also need a list as the arguments.
          : responseFrame(request, args ?? []),
      );
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#tell(request.id ?? peeked, method, error);
    }
  }

  async #ask(request: RpcRequest, turn: RequestPlace): Promise<RpcAnswer> {
    const { method, args } = request;
    if (method === LOGIN) return await this.#logIn(args);
    if (method === "subscribe") {
      if (args[0] === "private") {
        await this.#session?.access.check(false);
        this.#admit("read");
      }
      return { args: await this.#streams.subscribe(args) };
    }
    if (method === "unsubscribe") return { args: this.#streams.unsubscribe(args) };
    const asked = METHODS.get(method);
    if (asked === undefined) throw unknownMethod(method);
    const checking = this.#session?.access.check(asked.scope !== "read") ?? null;
    if (checking !== null) await checking;
    const trader = this.#admit(asked.scope).inTurn(turn);
    if (asked.argsMax !== undefined) refuseSurplus(args, asked.argsMax);
    const report = (error: Error) => this.#report(method, error);
    const { auth, hasExtras } = this.#parts;
    const chargeRecords = (count: number) => auth.chargeRecords(trader.caller, count);
    return await asked.ask(trader, request, { report, hasExtras, chargeRecords });
  }

  #admit(scope: Scope): RpcTrader {
    if (this.#session === null) throw new ApiError(401, "authz.invalid_session");
    this.#session.access.admit(scope);
    return this.#session.trader;
  }

  /** `[access key, nonce, signature]`, and perhaps a body signature → the member's uid. */
  async #logIn(args: readonly unknown[]): Promise<RpcAnswer> {
    refuseSurplus(args, 4);
    if (this.#login === null) throw alreadyLoggedIn();
    const [kid, nonce, signature, bodySignature] = args;
    const signed = signedBy(kid, nonce, signature, bodySignature);
    this.#session = this.#sessionOf(await this.#login.logIn(signed, null));
    return { args: [this.#greet(this.#session)] };
  }

  #sessionOf(caller: Caller): RpcSession {
    const { engine } = this.#parts.services;
    return {
      caller,
      trader: new RpcTrader(engine, caller),
      access: new CallerAccess({ ...this.#parts, engine }, caller, this.#address),
    };
  }

  /** Tells the client whose socket it is; returns the uid. */
  #greet({ caller }: RpcSession): string {
    const { uid } = this.#parts.services.engine.venue.holder(caller.member).member;
    this.send(eventFrame("private", "systemEvent", ["authenticated", uid]));
    return uid;
  }

  #tell(id: RequestId | null, method: string, error: Error): void {
    // Refusals cost time too: a client that goes on is only told what its requests come to.
    if (error instanceof ApiError && error.status === 429 && this.#pace.isTooFast()) {
      return this.putOut();
    }
    if (!(error instanceof AccessEndedError)) {
      this.#sendError(id, this.#report(method, error));
      if (method === LOGIN && this.#login?.hasFailedTooOften) this.putOut();
      return;
    }
    this.#sendError(id, this.#report(method, rejectionError(error.rejection)));
    this.close(CLOSE_CODES.accessEnded, "access ended");
  }

  #sendError(id: RequestId | null, report: ErrorReport["body"]): void {
    this.send(errorFrame(id, this.#parts.hasExtras ? report : { errors: report.errors }));
  }

  #report(method: string, error: Error): ErrorReport["body"] {
    const isRead = METHODS.get(method)?.scope !== "trade";
    return reportedError(this.#parts.services, error, { method: "RPC", path: method, isRead });
  }
}

/** Returns the head of a frame that begins unlike what clients send; it is short, or no request. */
function headOf(text: string): RequestHead | typeof NO_HEAD {
  if (text.length > SINGLE_FRAME_BYTES_MAX) return NO_HEAD;
  const request = parseRequest(text);
  return "method" in request ? request : NO_HEAD;
}

const NO_HEAD = { id: null, method: "" } as const;

/** @throws {ApiError} 413 if a frame is longer than a request without items needs */
function checkSingleLength(text: string): void {
  if (text.length <= SINGLE_FRAME_BYTES_MAX) return;
  const details = { limit: String(SINGLE_FRAME_BYTES_MAX) };
  throw new ApiError(413, "server.body_too_large", { details });
}

function unknownMethod(method: string): ApiError {
  return new ApiError(405, "server.method_not_allowed", {
    details: { field: "method", value: method.slice(0, VALUE_LENGTH_MAX) },
  });
}

function tooManyInFlight(limit: number): ApiError {
  return rateLimited(1, { limit: String(limit) });
}
