/**
 * Orders over a socket, which need no signature each and are decided in the order they were sent. An
 * order whose answer is lost with the connection is looked up over HTTP, never placed twice.
 */
import { type Caller, sleep } from "../calls/caller.ts";
import { type Deferred, deferred } from "../calls/deferred.ts";
import { isErrorBody, OutcomeUnknownError, retryMsOf, VenueError } from "../calls/venue_error.ts";
import { KeptSocket, type SocketOpener } from "../streams/kept_socket.ts";
import { LogIn } from "../streams/log_in.ts";
import { cancelOrder, namedOrder, type OrderInput, placeOrder } from "./order_placing.ts";
import { type SocketResult, socketResult } from "./socket_result.ts";

/** An order that the venue has accepted. */
export interface AcceptedOrder {
  readonly uuid: string;
  readonly client_order_id: string;
  /** What has become of it, if it asked for that by `response: "result"`. */
  readonly result?: SocketResult | undefined;
}

/** What became of a request. */
type Reply =
  | { readonly kind: "answered"; readonly args: unknown }
  | { readonly kind: "refused"; readonly error: VenueError }
  /** Nothing has happened; to be sent again after so many ms. */
  | { readonly kind: "later"; readonly error: VenueError; readonly afterMs: number }
  /** No answer came, or none that tells. */
  | { readonly kind: "unknown"; readonly error: unknown }
  /** There was no connection to send it on. */
  | { readonly kind: "unsent" };

const PATH = "/api/v2/trading";
/** Id of the log-in; those of other requests follow. */
const LOG_IN_ID = 0;
/** Pause before a request that the venue could not take is sent again, in ms. */
const LATER_MS = 1_000;

/** A socket for orders, which comes back by itself. */
export class OrderSocket {
  readonly #caller: Caller;
  readonly #socket: KeptSocket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #lastId = 0;
  /** Logs this connection in; null if its handshake tells whose it is. */
  #logIn: LogIn | null = null;
  /** Whether requests can be sent on this connection. */
  #isReady = false;
  #opened = newOpening();
  #isOpened = false;

  constructor(caller: Caller, opener: SocketOpener) {
    this.#caller = caller;
    this.#socket = new KeptSocket({
      opener,
      address: async (isHeard) => {
        const url = `${caller.url.replace(/^http/, "ws")}${PATH}`;
        // A refused handshake gives no reason; a refused log-in does.
        const isByMessage = caller.signer !== null && !(opener.takesHeaders && isHeard);
        this.#logIn = isByMessage ? this.#logInAt(url) : null;
        return { url, headers: isByMessage ? {} : await caller.signedHeaders(url) };
      },
      onOpen: () => {
        if (this.#logIn === null) this.#begin();
        else this.#logIn.begin();
      },
      onFrame: (frame) => this.#onFrame(frame),
      onDown: ({ code, reason }) => {
        this.#isReady = false;
        this.#logIn?.end();
        if (this.#isOpened) this.#opened = newOpening();
        this.#isOpened = false;
        const error = new Error(`the socket was closed: ${code} ${reason}`);
        for (const answer of this.#waiting.values()) answer({ kind: "unknown", error });
        this.#waiting.clear();
      },
    });
  }

  /**
   * Resolves once the socket is open; orders before that are sent over HTTP.
   *
   * @throws {VenueError} if the venue does not let the key in
   */
  async opened(): Promise<void> {
    await this.#opened.promise;
  }

  /** Requests can be sent from now on. */
  #begin(): void {
    this.#isReady = true;
    this.#isOpened = true;
    this.#opened.resolve();
  }

  #logInAt(url: string): LogIn {
    return new LogIn(this.#caller, url, {
      send: ({ apikey, nonce, signature, bodySignature }) => {
        const body = bodySignature === null ? [] : [bodySignature];
        const request = [1, LOG_IN_ID, "login", [apikey, nonce, signature, ...body]];
        this.#socket.send(JSON.stringify(request));
      },
      onDone: () => this.#begin(),
      onSilent: () => this.#socket.renew(),
      onRefused: (error) => {
        this.#isOpened = true;
        this.#opened.reject(error);
      },
    });
  }

  /**
   * Places an order once; one without a `client_order_id` gets one.
   *
   * @throws {VenueError} if the venue refuses it
   * @throws {OutcomeUnknownError} if nothing could be found out in time
   */
  async placeOrder(order: OrderInput): Promise<AcceptedOrder> {
    const named = namedOrder(order);
    const { market, side, type, amount, price, ...others } = named;
    const { client_order_id } = named;
    const reply = await this.#ask("create_order", [market, type, side, amount, price, others]);
    switch (reply.kind) {
      case "answered": {
        const uuid = uuidOf(reply.args);
        if (uuid !== null) return { uuid, client_order_id, result: socketResult(reply.args) };
        return await this.#placeByCall(named, true);
      }
      case "refused":
      case "later":
        throw reply.error;
      case "unknown":
      case "unsent":
        return await this.#placeByCall(named, reply.kind === "unknown");
    }
  }

  async #placeByCall(
    order: OrderInput & { readonly client_order_id: string },
    wasSent: boolean,
  ): Promise<AcceptedOrder> {
    // Frames have no nonces: nothing bounds when one that hangs on the way is taken.
    const before = { wasSent, takenUntil: Infinity };
    const placed = await placeOrder(this.#caller, order, before);
    const { uuid, trades } = placed;
    const { client_order_id, response } = order;
    const hasResult = response === "result" && trades !== undefined;
    return { uuid, client_order_id, result: hasResult ? { ...placed, trades } : undefined };
  }

  /**
   * Cancels an order; one that has ended stays as it is.
   *
   * @param name its uuid, or `client:` and its client order id
   * @throws {VenueError} `record.not_found` if the member has no such order
   * @throws {OutcomeUnknownError} if it is refused after an earlier try whose answer was lost
   */
  async cancelOrder(name: string): Promise<void> {
    const reply = await this.#ask("cancel_order", ["uuid", name]);
    if (reply.kind === "answered") return;
    if (reply.kind === "refused" || reply.kind === "later") throw reply.error;
    await cancelOrder(this.#caller, name, { wasSent: reply.kind === "unknown" });
  }

  /**
   * Cancels all open orders, or those of a market or of one of its sides.
   *
   * @throws {OutcomeUnknownError} if the answer was lost
   */
  async cancelAll(market?: string, side?: "buy" | "sell"): Promise<void> {
    const names = market === undefined ? ["all"] : ["market", market];
    const reply = await this.#ask("cancel_order", side === undefined ? names : [...names, side]);
    if (reply.kind === "answered") return;
    if (reply.kind === "unknown") throw new OutcomeUnknownError([], { cause: reply.error });
    if (reply.kind !== "unsent") throw reply.error;
    const body = {
      ...(market === undefined ? {} : { market }),
      ...(side === undefined ? {} : { side }),
    };
    await this.#caller.call({
      method: "post",
      path: "/api/v2/trading/market/orders/cancel",
      parts: { body },
      isAnswer: Array.isArray,
    });
  }

  /** Closes it; what has no answer yet is looked up. */
  close(): void {
    this.#socket.close();
    this.#logIn?.end();
    const error = new Error("the socket was closed");
    for (const answer of this.#waiting.values()) answer({ kind: "unknown", error });
    this.#waiting.clear();
  }

  /** Sends a request until the venue has taken it, or patience ends. */
  async #ask(method: string, args: unknown): Promise<Reply> {
    const deadline = this.#caller.deadline();
    for (;;) {
      const reply = await this.#askOnce(method, args);
      if (reply.kind !== "later" || performance.now() + reply.afterMs >= deadline) return reply;
      await sleep(reply.afterMs);
    }
  }

  #askOnce(method: string, args: unknown): Promise<Reply> {
    const id = ++this.#lastId;
    const { promise, resolve } = deferred<Reply>();
    const timer = setTimeout(() => {
      this.#waiting.delete(id);
      resolve({ kind: "unknown", error: new Error("the venue did not answer in time") });
    }, this.#caller.timeoutMs);
    this.#waiting.set(id, resolve);
    if (!this.#isReady || !this.#socket.send(JSON.stringify([1, id, method, args]))) {
      this.#waiting.delete(id);
      resolve({ kind: "unsent" });
    }
    return promise.finally(() => clearTimeout(timer));
  }

  /** @returns whether it can be the venue's */
  #onFrame(frame: unknown): boolean {
    if (!Array.isArray(frame)) return false;
    if (frame[0] !== 2) return true;
    const [, id, method, args, extras] = frame;
    const body = { errors: args, ...extras };
    const error = method === "error" && isErrorBody(body) ? new VenueError(0, body) : null;
    // What waits for an answer hears that the connection is lost.
    if (method === "error" && error === null) return false;
    if (id === LOG_IN_ID) {
      if (error === null) this.#logIn?.done();
      else this.#logIn?.refused(error);
      return true;
    }
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    answer?.(error === null ? { kind: "answered", args } : failed(error));
    return true;
  }
}

/** Returns the uuid of an order that was taken; null if the answer tells none. */
function uuidOf(args: unknown): string | null {
  const [uuid] = Array.isArray(args) ? args : [];
  return typeof uuid === "string" ? uuid : null;
}

function failed(error: VenueError): Reply {
  const { code } = error;
  if (code === "server.rate_limited" || code === "server.unavailable") {
    return { kind: "later", error, afterMs: retryMsOf(error) ?? LATER_MS };
  }
  const isUnknown = code === "server.outcome_unknown" || code === "server.internal_error";
  return isUnknown ? { kind: "unknown", error } : { kind: "refused", error };
}

/** Begins to wait for a socket; whoever waits for it hears of a refusal. */
function newOpening(): Deferred<void> {
  const opening = deferred<void>();
  opening.promise.catch(() => {});
  return opening;
}
