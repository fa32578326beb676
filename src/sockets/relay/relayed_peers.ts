/**
 * The unsigned sockets in their thread: their handshakes, their frames and what the platform keeps
 * of both. Decides nothing, and passes on no more than the venue takes.
 */
import { bareAnswer } from "../../edge/answer.ts";
import { yieldToOthers } from "../../engine/yield_to_others.ts";
import { Arrival, goneAnswer, UPGRADE_HEADERS, UPGRADE_REQUIRED } from "../arrival.ts";
import { SENDING_TURNS } from "../sending/outbox.ts";
import { lengthOf, RelayLine } from "./relay_line.ts";
import type { CallAnswer, FromSockets, RelayedEvent, VenueTurn } from "./relay_protocol.ts";
import { PUTTING_OUT_MS, TOO_MANY_REQUESTS } from "../sending/stream_socket.ts";
import { CLOSE_CODES } from "../limits.ts";

/**
 * How many frames of one socket, and how many characters of them, may wait for the venue: as many as
 * a few of the longest that are read, or this many.
 */
const PEER_FRAMES_MAX = 320;
const PEER_LONGEST_FRAMES_MAX = 6;
const PEER_LENGTH_MIN = 96 * 1024;
/** How many calls may wait for its answer. */
const CALLS_MAX = 1_024;
/** How often to look whether readers have taken what the platform keeps for them, in ms. */
const LOOK_MS = 20;
/** Pause before listening again when the platform no longer accepts, in ms. */
const RETRY_MS = 500;
/**
 * How long a socket may take to open, in ms: the platform keeps the descriptor of one that never
 * does for as long as the thread lives; and with how many of them it should end.
 */
const OPENING_MS_MAX = 10_000;
export const UNOPENED_MAX = 256;
/** How long the last answers may take when the thread ends, in ms. */
const STOP_MS_MAX = 500;

/** One socket, and what of it the venue has not got yet. */
interface Peer {
  readonly socket: WebSocket;
  /** Length of the longest frame that is read, in characters. */
  lengthMax: number;
  waiting: number;
  waitingLength: number;
  isPutOut: boolean;
  /** What the venue was told that the platform keeps, in bytes. */
  keptTold: number;
}

interface ListenAddress {
  readonly hostname: string;
  readonly port: number;
}

/** All sockets of the thread. */
export class RelayedPeers {
  readonly #tell: (told: FromSockets) => void;
  readonly #line = new RelayLine((events) => this.#pass(events));
  readonly #peers = new Map<number, Peer>();
  /** Called with the answer to a call. */
  readonly #calls = new Map<number, (answer: CallAnswer) => void>();
  /** Sockets for which the platform may keep something. */
  readonly #behind = new Set<number>();
  #server: Deno.HttpServer<Deno.NetAddr> | null = null;
  #nextId = 1;
  #lengthMax = 0;
  #sentTurn = 0;
  #isLooking = false;
  #isStopping = false;
  /** Sockets that never opened. */
  #unopened = 0;

  /** @param tell tells the venue's thread */
  constructor(tell: (told: FromSockets) => void) {
    this.#tell = tell;
  }

  /** Listens, and tells where, or why it can't. */
  listen(address: ListenAddress, lengthMax: number): void {
    this.#lengthMax = lengthMax;
    try {
      this.#serve(address);
    } catch (error) {
      this.#tellFailed(error);
    }
  }

  #serve({ hostname, port }: ListenAddress): void {
    const ended = new AbortController();
    const { signal } = ended;
    const onListen = (address: Deno.NetAddr) => this.#tell({ kind: "listening", address });
    const onError = () => new Response(null, { status: 500 });
    const options = { hostname, port, signal, onListen, onError };
    const server = Deno.serve(options, (request, info) => this.#answer(request, info));
    this.#server = server;
    server.finished.catch((error: unknown) => {
      if (this.#isStopping) return;
      this.#tellFailed(error);
      // Nobody serves its connections any more, and their descriptors are what is missing.
      ended.abort();
      this.#serveAgain({ hostname, port: server.addr.port });
    });
  }

  /** Listens in the same thread: to begin one takes descriptors that may be missing. */
  #serveAgain(address: ListenAddress): void {
    setTimeout(() => {
      if (this.#isStopping) return;
      try {
        this.#serve(address);
      } catch {
        this.#serveAgain(address);
      }
    }, RETRY_MS);
  }

  #tellFailed(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#tell({ kind: "failed", message });
  }

  /** Accepts nothing more, and tells when the last calls are answered. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const late = new Promise((resolve) => setTimeout(resolve, STOP_MS_MAX));
    await Promise.race([this.#server?.shutdown(), late]);
    this.#tell({ kind: "stopped" });
  }

  /** Does what the venue has decided in one turn. */
  take({ turn, handled, answers, lengths, frames, closes }: VenueTurn): void {
    this.#line.handled(handled);
    for (const [id, lengthMax] of lengths) this.#admitLength(id, lengthMax);
    for (const answer of answers) this.#calls.get(answer.id)?.(answer);
    for (const [frame, ids] of frames) for (const id of ids) this.#send(id, frame);
    for (const [id, code, reason] of closes) this.#peers.get(id)?.socket.close(code, reason);
    if (frames.length > 0) void this.#tellSent(turn);
  }

  /** Asks the venue about a call, and opens its socket. */
  async #answer(
    request: Request,
    { remoteAddr }: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Promise<Response> {
    const arrival = new Arrival(request);
    const isUpgrade = request.headers.get("upgrade")?.toLowerCase() === "websocket";
    if (request.method !== "GET" || !isUpgrade) return upgradeRequired();
    if (this.#calls.size >= CALLS_MAX) {
      return bareAnswer(503, { errors: ["server.unavailable"] }, { "Retry-After": "1" });
    }
    const id = this.#nextId++;
    const answered = new Promise<CallAnswer>((resolve) => this.#calls.set(id, resolve));
    const headers = [...request.headers];
    this.#line.add({ kind: "call", id, url: request.url, headers, remoteAddr });
    const answer = await answered;
    this.#calls.delete(id);
    if ("status" in answer) return new Response(answer.body, refusalOf(answer));
    if (await arrival.hasHungUp()) {
      this.#addEnd(id);
      return goneAnswer();
    }
    return this.#upgrade(id, request, answer.idleTimeout);
  }

  #upgrade(id: number, request: Request, idleTimeout: number): Response {
    try {
      const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout });
      this.#admit(id, socket);
      return response;
    } catch {
      // The platform refuses an incomplete handshake.
      this.#addEnd(id);
      return upgradeRequired();
    }
  }

  #admit(id: number, socket: WebSocket): void {
    const peer: Peer = {
      socket,
      lengthMax: this.#lengthMax,
      waiting: 0,
      waitingLength: 0,
      isPutOut: false,
      keptTold: 0,
    };
    this.#peers.set(id, peer);
    socket.binaryType = "arraybuffer";
    const late = setTimeout(() => this.#noteUnopened(id), OPENING_MS_MAX);
    socket.onopen = () => {
      clearTimeout(late);
      this.#line.add({ kind: "open", id });
    };
    socket.onmessage = ({ data }) => this.#receive(id, peer, data);
    socket.onclose = ({ code, reason, wasClean }) => {
      // A client that was put out did not close it.
      if (peer.isPutOut) this.#addEnd(id, CLOSE_CODES.policy, TOO_MANY_REQUESTS);
      else this.#addEnd(id, code, reason, wasClean);
    };
    socket.onerror = (event) => {
      event.preventDefault();
      // A failed upgrade ends with this event, any other with that it is closed.
      if (socket.readyState === WebSocket.CONNECTING) this.#addEnd(id);
    };
  }

  #noteUnopened(id: number): void {
    if (!this.#peers.has(id)) return;
    this.#addEnd(id);
    this.#unopened += 1;
    if (this.#unopened === UNOPENED_MAX) this.#tell({ kind: "worn" });
  }

  #addEnd(id: number, code = 1006, reason = "", wasClean = false): void {
    this.#peers.delete(id);
    this.#behind.delete(id);
    this.#line.add({ kind: "close", id, code, reason, wasClean });
  }

  #admitLength(id: number, lengthMax: number): void {
    const peer = this.#peers.get(id);
    if (peer !== undefined) peer.lengthMax = lengthMax;
  }

  /** Passes a frame on, or puts a client out whose frames come faster than any may. */
  #receive(id: number, peer: Peer, data: unknown): void {
    if (peer.isPutOut) return;
    // One character more tells that it is too long.
    const text = typeof data === "string" ? data.slice(0, peer.lengthMax + 1) : null;
    const length = text?.length ?? 0;
    const waitingLengthMax = Math.max(PEER_LENGTH_MIN, PEER_LONGEST_FRAMES_MAX * peer.lengthMax);
    if (peer.waiting >= PEER_FRAMES_MAX || peer.waitingLength + length > waitingLengthMax) {
      peer.isPutOut = true;
      // Its frames are read until then, or the platform would reset the connection.
      setTimeout(() => peer.socket.close(CLOSE_CODES.policy, TOO_MANY_REQUESTS), PUTTING_OUT_MS);
      return;
    }
    peer.waiting += 1;
    peer.waitingLength += length;
    this.#line.add({ kind: "text", id, text });
  }

  #pass(events: readonly RelayedEvent[]): void {
    for (const event of events) {
      const peer = event.kind === "text" ? this.#peers.get(event.id) : undefined;
      if (peer === undefined) continue;
      peer.waiting -= 1;
      peer.waitingLength -= lengthOf(event);
    }
    this.#tell({ kind: "events", events });
  }

  #send(id: number, frame: string): void {
    const socket = this.#peers.get(id)?.socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    socket.send(frame);
    this.#behind.add(id);
  }

  /** Tells the venue that a turn's frames are sent, and what the platform still keeps of all. */
  async #tellSent(turn: number): Promise<void> {
    for (let turns = 0; turns < SENDING_TURNS; turns++) await yieldToOthers();
    this.#sentTurn = turn;
    this.#tell({ kind: "sent", turn, kept: this.#changedKept() });
    if (this.#isLooking || this.#behind.size === 0) return;
    this.#isLooking = true;
    setTimeout(() => this.#look(), LOOK_MS);
  }

  #look(): void {
    const kept = this.#changedKept();
    if (kept.length > 0) this.#tell({ kind: "sent", turn: this.#sentTurn, kept });
    this.#isLooking = this.#behind.size > 0;
    if (this.#isLooking) setTimeout(() => this.#look(), LOOK_MS);
  }

  #changedKept(): readonly (readonly [id: number, bytes: number])[] {
    const changed: [id: number, bytes: number][] = [];
    for (const id of this.#behind) {
      const peer = this.#peers.get(id);
      const bytes = peer?.socket.bufferedAmount ?? 0;
      if (bytes === 0) this.#behind.delete(id);
      if (peer === undefined || bytes === peer.keptTold) continue;
      peer.keptTold = bytes;
      changed.push([id, bytes]);
    }
    return changed;
  }
}

function refusalOf({ status, headers }: Extract<CallAnswer, { status: number }>): ResponseInit {
  return { status, headers: headers.map(([name, value]) => [name, value]) };
}

function upgradeRequired(): Response {
  return bareAnswer(426, { errors: [UPGRADE_REQUIRED] }, UPGRADE_HEADERS);
}
