/**
 * Unsigned sockets on a port and in a thread of their own. The platform keeps a message until its
 * last fragment, however long it is, and only the end of the thread that reads it frees that. So
 * strangers get one that can end, and the venue decides here what becomes of their calls and frames,
 * on the other end's behalf: see `relayed_peers.ts`.
 */
import { bareAnswer } from "../../edge/answer.ts";
import { INVALID_HOST } from "../../edge/before_routes.ts";
import { RelayedSocket } from "./relayed_socket.ts";
import type {
  CallAnswer,
  FromSockets,
  RelayedCall,
  RelayedEvent,
  ToSockets,
  VenueTurn,
} from "./relay_protocol.ts";

/** Pause until it is looked whether a thread that was let go of is gone, in ms, and at most. */
const ENDING_MS = 50;
const ENDING_MS_MAX = 5_000;
/** Pause before another thread is tried, in ms. */
const RETRY_MS = 500;
/** Free descriptors without which no thread is begun: the platform ends the process if it can't. */
const DESCRIPTORS_MIN = 32;
/** How long the thread may take for its last answers, in ms. */
const STOP_MS_MAX = 1_000;

/** A call's socket, and the answer that the caller has to give. */
export interface RelayedUpgrade extends Deno.WebSocketUpgrade {
  /** Has longer frames of the client read from now on, up to so many characters. */
  readonly admitLength?: (lengthMax: number) => void;
}

/** What a relayed call comes with, in place of the platform's own. */
export interface RelayedInfo extends Deno.ServeHandlerInfo<Deno.NetAddr> {
  /** Has the call become a socket. */
  openSocket(idleTimeout: number): RelayedUpgrade;
}

/** The address to listen on, and who answers. */
export interface RelayOptions {
  readonly hostname: string;
  readonly port: number;
  /** Length of the longest frame that is read, in characters. */
  readonly lengthMax: number;
  /** Answers a call for a socket, … */
  readonly handler: (request: Request, info: RelayedInfo) => Response | Promise<Response>;
  /** … or what that has thrown. */
  readonly onError: (error: unknown) => Response;
  readonly logger: {
    error(event: string, fields: { readonly reason: string }): void;
    info(event: string): void;
  };
}

/** The thread's end that decides. */
export class SocketRelay {
  readonly #options: RelayOptions;
  #thread: RelayThread;
  #address: Deno.NetAddr;
  #isRenewing = false;
  #isFreeing = false;
  #isStopping = false;

  private constructor(options: RelayOptions, thread: RelayThread, address: Deno.NetAddr) {
    this.#options = options;
    this.#thread = thread;
    this.#address = address;
    this.#follow(thread);
  }

  /**
   * Starts the thread.
   *
   * @throws {Error} the address can't be listened on
   */
  static async open(options: RelayOptions): Promise<SocketRelay> {
    const thread = new RelayThread(options, options);
    try {
      return new SocketRelay(options, thread, await thread.listening);
    } catch (error) {
      thread.end();
      throw error;
    }
  }

  /** Where it listens. */
  get address(): Deno.NetAddr {
    return this.#address;
  }

  /** Whether a thread that was let go of may still hold what it held. */
  get isFreeing(): boolean {
    return this.#isFreeing;
  }

  /**
   * Lets go of all sockets and of what the platform keeps for them, and listens anew.
   *
   * @param isGone tells whether that is free again; after some seconds it is no longer asked
   */
  renew(isGone: () => boolean = () => true): void {
    if (this.#isRenewing || this.#isStopping) return;
    this.#isRenewing = this.#isFreeing = true;
    this.#thread.end();
    void this.#begin(isGone);
  }

  /** Accepts no more calls, and ends the thread. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#thread.stop();
  }

  #follow(thread: RelayThread): void {
    void thread.failed.then((reason) => {
      if (this.#isStopping || thread !== this.#thread) return;
      this.#options.logger.error("unsigned_sockets_failed", { reason });
      this.renew();
    });
  }

  async #begin(isGone: () => boolean): Promise<void> {
    const until = performance.now() + ENDING_MS_MAX;
    do await sleep(ENDING_MS); while (!isGone() && performance.now() < until);
    this.#isFreeing = false;
    while (!this.#isStopping && !await this.#hasBegun()) await sleep(RETRY_MS);
    this.#isRenewing = false;
    if (!this.#isStopping) this.#options.logger.info("listening_again");
  }

  /** Begins a thread if there is room for one; returns whether it listens. */
  async #hasBegun(): Promise<boolean> {
    if (!hasDescriptors()) return false;
    const { hostname, port } = this.#address;
    const thread = new RelayThread(this.#options, { hostname, port });
    this.#thread = thread;
    try {
      await thread.listening;
    } catch {
      // The one before it has not let go of the address yet; why it had to is logged.
      thread.end();
      return false;
    }
    this.#follow(thread);
    return true;
  }
}

/** Returns whether so many files can be opened as a thread may need. */
function hasDescriptors(): boolean {
  const file = new URL(import.meta.url);
  if (file.protocol !== "file:") return true;
  const opened: Deno.FsFile[] = [];
  try {
    while (opened.length < DESCRIPTORS_MIN) opened.push(Deno.openSync(file));
    return true;
  } catch {
    return false;
  } finally {
    for (const one of opened) one.close();
  }
}

/** One thread, and the sockets that live and end with it. */
class RelayThread {
  /** Rejects if it can't listen. */
  readonly listening: Promise<Deno.NetAddr>;
  /** Resolves with the reason for which it is of no more use. */
  readonly failed: Promise<string>;
  readonly #options: RelayOptions;
  readonly #worker: Worker;
  readonly #listening = Promise.withResolvers<Deno.NetAddr>();
  readonly #failed = Promise.withResolvers<string>();
  readonly #stopped = Promise.withResolvers<void>();
  readonly #sockets = new Map<number, RelayedSocket>();
  #isEnded = false;
  #hasListened = false;
  /** What the thread is told when this turn is over. */
  #turn: OpenTurn = emptyTurn(1);
  #isTelling = false;
  #sentTurn = 0;

  constructor(options: RelayOptions, { hostname, port }: { hostname: string; port: number }) {
    this.#options = options;
    this.listening = this.#listening.promise;
    this.listening.catch(() => {});
    this.failed = this.#failed.promise;
    this.#worker = new Worker(new URL("./relay_worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<FromSockets>) => this.#take(data);
    this.#worker.onerror = (event) => {
      // Otherwise it would end the process.
      event.preventDefault();
      this.#fail(event.message);
    };
    this.#tell({ kind: "listen", hostname, port, lengthMax: options.lengthMax });
  }

  /** The turn in which what is sent now goes. */
  get turn(): number {
    return this.#turn.turn;
  }

  get sentTurn(): number {
    return this.#sentTurn;
  }

  send(id: number, frame: string): void {
    const { frames } = this.#turn;
    const last = frames[frames.length - 1];
    // All readers of a stream get the same one, one after the other.
    if (last?.[0] === frame) last[1].push(id);
    else frames.push([frame, [id]]);
    this.#tellSoon();
  }

  close(id: number, code?: number, reason?: string): void {
    this.#turn.closes.push([id, code, reason]);
    this.#tellSoon();
  }

  /** Has longer frames of a socket read. */
  admitLength(id: number, lengthMax: number): void {
    this.#turn.lengths.push([id, lengthMax]);
    this.#tellSoon();
  }

  async stop(): Promise<void> {
    this.#tellNow();
    this.#tell({ kind: "stop" });
    const timer = setTimeout(this.#stopped.resolve, STOP_MS_MAX);
    await this.#stopped.promise;
    clearTimeout(timer);
    this.end();
  }

  /** Ends the thread, and with it everything that it holds. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#worker.onmessage = () => {};
    this.#worker.terminate();
    for (const socket of this.#sockets.values()) socket.noteClose(1006, "", false);
    this.#sockets.clear();
    this.#stopped.resolve();
  }

  #tell(told: ToSockets): void {
    if (!this.#isEnded) this.#worker.postMessage(told);
  }

  #tellSoon(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => this.#tellNow());
  }

  #tellNow(): void {
    this.#isTelling = false;
    const turn = this.#turn;
    this.#turn = emptyTurn(turn.turn + 1);
    this.#tell(turn);
  }

  /** Once it has listened, the thread listens again by itself. */
  #noteFailed(reason: string): void {
    if (this.#hasListened) this.#options.logger.error("unsigned_sockets_failed", { reason });
    else this.#listening.reject(new Error(reason));
  }

  #fail(reason: string): void {
    this.#listening.reject(new Error(reason));
    this.#failed.resolve(reason);
  }

  #take(told: FromSockets): void {
    switch (told.kind) {
      case "listening":
        if (this.#hasListened) this.#options.logger.info("listening_again");
        this.#hasListened = true;
        return this.#listening.resolve(told.address);
      case "worn":
        return this.#failed.resolve("its descriptors are lost to clients that hung up");
      case "failed":
        return this.#noteFailed(told.message);
      case "events":
        for (const event of told.events) this.#handle(event);
        return;
      case "sent":
        this.#sentTurn = told.turn;
        for (const [id, bytes] of told.kept) this.#sockets.get(id)?.noteKept(bytes);
        return;
      case "stopped":
        return this.#stopped.resolve();
    }
  }

  #handle(event: RelayedEvent): void {
    if (event.kind === "call") return void this.#answer(event);
    const socket = this.#sockets.get(event.id);
    if (event.kind === "open") socket?.noteOpen();
    else if (event.kind === "text") socket?.noteText(event.text);
    else {
      this.#sockets.delete(event.id);
      socket?.noteClose(event.code, event.reason, event.wasClean);
    }
    this.#noteHandled();
  }

  /** Makes room for another event. */
  #noteHandled(): void {
    this.#turn.handled += 1;
    this.#tellSoon();
  }

  async #answer(call: RelayedCall): Promise<void> {
    const answer = await this.#decide(call);
    if ("status" in answer) this.#sockets.delete(call.id);
    this.#turn.answers.push(answer);
    this.#noteHandled();
  }

  /** Has the venue answer a call. */
  async #decide(call: RelayedCall): Promise<CallAnswer> {
    const { id, remoteAddr } = call;
    const opened: { response?: Response; idleTimeout?: number } = {};
    const openSocket = (idleTimeout: number): RelayedUpgrade => {
      const socket = new RelayedSocket(id, this);
      this.#sockets.set(id, socket);
      const response = new Response(null, { status: 204 });
      Object.assign(opened, { response, idleTimeout });
      const admitLength = (lengthMax: number) => this.admitLength(id, lengthMax);
      return { socket: socket.webSocket, response, admitLength };
    };
    const request = requestOf(call);
    // Its host is whatever the client has written.
    if (request === null) return await refusal(id, bareAnswer(400, { errors: [INVALID_HOST] }));
    const completed = Promise.resolve();
    try {
      const response = await this.#options.handler(request, { remoteAddr, completed, openSocket });
      const { idleTimeout } = opened;
      if (response === opened.response && idleTimeout !== undefined) return { id, idleTimeout };
      return await refusal(id, response);
    } catch (error) {
      return await refusal(id, this.#options.onError(error));
    }
  }
}

/** Returns a call as a request; null if its URL can't be one. */
function requestOf({ url, headers }: RelayedCall): Request | null {
  try {
    return new Request(url, { headers: headers.map(([name, value]) => [name, value]) });
  } catch {
    return null;
  }
}

async function refusal(id: number, response: Response): Promise<CallAnswer> {
  const { status, headers } = response;
  return { id, status, headers: [...headers], body: await response.text() };
}

/** What a turn has for the sockets, as long as it lasts. */
interface OpenTurn extends VenueTurn {
  handled: number;
  readonly answers: CallAnswer[];
  readonly lengths: [id: number, lengthMax: number][];
  readonly frames: [frame: string, ids: number[]][];
  readonly closes: [id: number, code?: number | undefined, reason?: string | undefined][];
}

function emptyTurn(turn: number): OpenTurn {
  return { kind: "turn", turn, handled: 0, answers: [], lengths: [], frames: [], closes: [] };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
