/**
 * A venue, as programs and pages see it: all of its calls, typed by its contract; orders that are
 * placed once; streams, books and orders over sockets. Money and prices are decimal strings.
 *
 * ```ts
 * const venue = new Venue("http://127.0.0.1:8000", { key: { kid, secret } });
 * const order = await venue.placeOrder({
 *   market: "btcusdt", side: "buy", type: "limit", amount: "0.5", price: "30000",
 * });
 * const open = await venue.get("/api/v2/backend/market/orders", { query: { state: "wait" } });
 * ```
 */
import { Caller, type CallerOptions } from "./calls/caller.ts";
import type {
  AnswerOf,
  CallArguments,
  CallOf,
  CallOptions,
  Method,
  PathOf,
  Records,
} from "./contract_calls.ts";
import { Book, type BookListener } from "./streams/book.ts";
import type { PlainSocket, SocketOpener } from "./streams/kept_socket.ts";
import type { StreamMessages } from "./streams/stream_messages.ts";
import { type Listening, type StreamListener, VenueStreams } from "./streams/venue_streams.ts";
import { OrderSocket } from "./orders/order_socket.ts";
import { type Walked, type WalkedPath, walkList, type WalkParts } from "./lists/list_walk.ts";
import { VenueError } from "./calls/venue_error.ts";
import { Heartbeat, type HeartbeatOptions } from "./orders/heartbeat.ts";
import {
  cancelOrder,
  type OrderInput,
  type PlacedOrder,
  placeOrder,
  placeOrders,
  type PlacingOptions,
  type ResultInput,
  type ResultOrder,
} from "./orders/order_placing.ts";

/** How a program reaches its venue. */
export interface VenueOptions extends CallerOptions {
  /** The class of websockets; the platform's own by default, which Node has from version 22 on. */
  readonly WebSocket?: (new (url: string, options?: never) => unknown) | undefined;
  /**
   * Whether its handshakes take headers: `new WebSocket(url, { headers })`. By default they do where
   * the platform is no browser. Otherwise a key logs in by a message.
   */
  readonly socketHeaders?: boolean | undefined;
  /**
   * Called before each connection of the streams, which waits for it: a page sees there whether the
   * session is still of whom it was. If it throws, it is called again before the next try.
   */
  readonly beforeSocket?: (() => Promise<void>) | undefined;
}

/** Where a page's venue is, unless it is told. */
function pageOrigin(): string {
  const { location } = globalThis as { location?: { origin: string } };
  if (location === undefined) {
    throw new TypeError("a venue needs its URL, outside of its own pages");
  }
  return location.origin;
}

/** A venue, reached with a key, in a session, or as anybody. */
export class Venue {
  readonly #caller: Caller;
  readonly #options: VenueOptions;
  #streams: VenueStreams | null = null;

  /**
   * @param url where the venue is, such as `https://venue.example`; that of the page by default
   * @param options the key, and how patient to be
   */
  constructor(url: string = pageOrigin(), options: VenueOptions = {}) {
    this.#caller = new Caller(url, options);
    this.#options = options;
  }

  /** Where the venue is. */
  get url(): string {
    return this.#caller.url;
  }

  /** The venue's time as far as it is known, in ms since 1970. */
  now(): number {
    return this.#caller.clock.now();
  }

  /** Makes a `GET` call; see the contract for its fields and answers. */
  async get<P extends PathOf<"get">>(
    path: P,
    ...[parts]: CallArguments<CallOf<"get", P>>
  ): Promise<AnswerOf<CallOf<"get", P>>> {
    return await this.#call("get", path, parts);
  }

  /** Makes a `POST` call. @throws {OutcomeUnknownError} if it may have happened */
  async post<P extends PathOf<"post">>(
    path: P,
    ...[parts]: CallArguments<CallOf<"post", P>>
  ): Promise<AnswerOf<CallOf<"post", P>>> {
    return await this.#call("post", path, parts);
  }

  /** Makes a `PUT` call. @throws {OutcomeUnknownError} if it may have happened */
  async put<P extends PathOf<"put">>(
    path: P,
    ...[parts]: CallArguments<CallOf<"put", P>>
  ): Promise<AnswerOf<CallOf<"put", P>>> {
    return await this.#call("put", path, parts);
  }

  /** Makes a `PATCH` call. @throws {OutcomeUnknownError} if it may have happened */
  async patch<P extends PathOf<"patch">>(
    path: P,
    ...[parts]: CallArguments<CallOf<"patch", P>>
  ): Promise<AnswerOf<CallOf<"patch", P>>> {
    return await this.#call("patch", path, parts);
  }

  /** Makes a `DELETE` call. @throws {OutcomeUnknownError} if it may have happened */
  async delete<P extends PathOf<"delete">>(
    path: P,
    ...[parts]: CallArguments<CallOf<"delete", P>>
  ): Promise<AnswerOf<CallOf<"delete", P>>> {
    return await this.#call("delete", path, parts);
  }

  /**
   * Walks a list upwards by id, each record once, whatever is added meanwhile: own trades and orders,
   * a market's trades, deposits, withdrawals and others.
   *
   * ```ts
   * for await (const trade of venue.walk("/api/v2/backend/market/trades")) console.log(trade.id);
   * ```
   */
  walk<P extends WalkedPath>(path: P, parts?: WalkParts<P>): AsyncGenerator<Walked<P>> {
    return walkList(this.#caller, path, parts);
  }

  /** Returns one's balances that are not zero. */
  async balances(): Promise<readonly Records["Account"][]> {
    const query = { nonzero: true, limit: 1000 };
    return await this.get("/api/v2/backend/account/balances", { query });
  }

  /** Returns one's open orders, of one market if given, oldest first. */
  async openOrders(market?: string): Promise<readonly Records["Order"][]> {
    const state = ["wait", "trigger_wait"] as const;
    const query = market === undefined ? { state } : { state, market };
    const orders: Records["Order"][] = [];
    for await (const order of this.walk("/api/v2/backend/market/orders", { query })) {
      orders.push(order);
    }
    return orders;
  }

  /**
   * Cancels one's open orders, those of a market or side if given, and returns them.
   *
   * @throws {OutcomeUnknownError} if the answer was lost: it is not sent again, since it would cancel
   * what was placed since
   */
  async cancelOrders(
    filter: Records["CancelFilter"] = {},
    options: CallOptions = {},
  ): Promise<readonly Records["Order"][]> {
    return await this.post("/api/v2/trading/market/orders/cancel", { body: filter, ...options });
  }

  /**
   * Places an order once, whatever happens on the way; one without a `client_order_id` gets one.
   *
   * @throws {VenueError} if the venue refuses it: it is not placed, and won't be
   * @throws {OutcomeUnknownError} if nothing could be found out in time, or if it is refused in a
   *   session while an earlier try may still be on its way, which nothing bounds there
   */
  async placeOrder(order: ResultInput, options?: PlacingOptions): Promise<ResultOrder>;
  async placeOrder(order: OrderInput, options?: PlacingOptions): Promise<PlacedOrder>;
  async placeOrder(order: OrderInput, options?: PlacingOptions): Promise<PlacedOrder> {
    return await placeOrder(this.#caller, order, options);
  }

  /** Places all of these orders once, or none; see {@linkcode placeOrder}. */
  async placeOrders(
    orders: readonly OrderInput[],
    options?: PlacingOptions,
  ): Promise<readonly PlacedOrder[]> {
    return await placeOrders(this.#caller, orders, options);
  }

  /**
   * Cancels an order, and returns it; one that has ended stays as it is. Sent again if need be.
   *
   * @param name its id, its uuid, or `client:` and its client order id
   * @throws {VenueError} `record.not_found` if the member has no such order
   * @throws {OutcomeUnknownError} if it is refused after a try whose answer was lost
   */
  async cancelOrder(
    name: string | number,
    options: PlacingOptions = {},
  ): Promise<Records["Order"]> {
    return await cancelOrder(this.#caller, name, options);
  }

  /** Has all open orders cancelled if this program ends; `seconds` after the last beat. */
  async keepAlive(seconds: number, options?: HeartbeatOptions): Promise<Heartbeat> {
    return await Heartbeat.start(this.#caller, seconds, options);
  }

  /**
   * Listens to a stream, whose socket comes back by itself. Private streams need a key or a session.
   *
   * @param name such as `order`, `trade`, `btcusdt.trades`, `global.tickers`
   * @throws {TypeError} if the platform has no websockets, as Node 20
   */
  listen<Name extends keyof StreamMessages & string>(
    name: Name,
    listener: StreamListener<StreamMessages[Name]>,
  ): Listening {
    return this.#listened().listen(name, listener);
  }

  /** Keeps a market's order book as it is now. @throws {TypeError} as {@linkcode listen} */
  book(market: string, listener?: BookListener): Book {
    return new Book(this.#listened(), market, listener);
  }

  /**
   * Opens a socket for orders; it needs a key or a session.
   *
   * @throws {TypeError} as {@linkcode listen}
   */
  orderSocket(): OrderSocket {
    return new OrderSocket(this.#caller, openerOf(this.#options));
  }

  /** Closes the socket of all streams and books. */
  close(): void {
    this.#streams?.close();
  }

  #listened(): VenueStreams {
    return this.#streams ??= new VenueStreams(this.#caller, openerOf(this.#options));
  }

  /**
   * Signs a person in; the page's later calls are in its session.
   *
   * @throws {VenueError} `identity.session.missing_otp` if the second factor's code is needed
   */
  async signIn(who: Records["SessionInput"]): Promise<Records["UserInSession"]> {
    const parts = { body: who };
    const path = "/api/v2/auth/identity/sessions";
    const user = await this.#caller.call({
      method: "post",
      path,
      parts,
    }) as Records["UserInSession"];
    this.#caller.csrfToken = user.csrf_token;
    return user;
  }

  /**
   * Returns who is signed in, and takes the session up again, as after loading a page anew.
   *
   * @throws {VenueError} 401 if there is no session, or it has ended: later calls are in none
   */
  async resume(): Promise<Records["Me"]> {
    try {
      const me = await this.get("/api/v2/auth/resource/users/me");
      this.#caller.csrfToken = me.csrf_token ?? null;
      return me;
    } catch (error) {
      if (error instanceof VenueError && error.status === 401) this.#caller.csrfToken = null;
      throw error;
    }
  }

  /** Ends the session. */
  async signOut(): Promise<void> {
    await this.#caller.call({
      method: "delete",
      path: "/api/v2/auth/identity/sessions",
      isRepeatable: true,
    }).catch((error: unknown) => {
      // The try whose answer was lost has ended it.
      const { cause } = error as Error;
      if (!(cause instanceof VenueError) || cause.code !== "authz.invalid_session") throw error;
    });
    this.#caller.csrfToken = null;
  }

  async #call<Answer>(method: Method, path: string, parts: unknown): Promise<Answer> {
    return await this.#caller.call({ method, path, parts: parts as never }) as Answer;
  }
}

/** Returns what opens websockets. @throws {TypeError} if there is nothing that does */
function openerOf({ WebSocket: given, socketHeaders, beforeSocket }: VenueOptions): SocketOpener {
  const { WebSocket: own, Deno, process } = globalThis as Record<string, unknown>;
  const Socket = (given ?? own) as
    | (new (url: string, options?: unknown) => PlainSocket)
    | undefined;
  if (Socket === undefined) {
    throw new TypeError("this platform has no WebSocket: give the venue's options a class of them");
  }
  const takesHeaders = socketHeaders ?? (Deno !== undefined || process !== undefined);
  const open = (url: string, headers: Readonly<Record<string, string>>) =>
    Object.keys(headers).length > 0 ? new Socket(url, { headers }) : new Socket(url);
  return { takesHeaders, open, before: beforeSocket };
}
