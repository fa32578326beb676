/** Asks a process of Deno that was started with `--inspect`, by the Chrome DevTools protocol. */

/** A thread that runs JavaScript. */
export interface InspectedThread {
  /** Empty for the main thread. */
  readonly session: string;
  /** `main`, or the program of a worker. */
  readonly name: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly sessionId: string;
    readonly targetInfo?: { readonly url: string };
  };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly session: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const MAIN: InspectedThread = { session: "", name: "main" };
/** How long workers that are already there take to be told of, in ms. */
const ATTACHING_MS = 500;

/** A connection to a process, to be ended by `close`. */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #workers = new Map<string, InspectedThread>();
  #lastId = 0;
  #knowsWorkers = true;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = () => this.#lose(() => true, new Error("The process ended the connection"));
  }

  /** Connects to the inspector at a port of this machine. */
  static async open(port: number): Promise<Inspector> {
    const response = await fetch(`http://127.0.0.1:${port}/json`);
    const [target]: { readonly webSocketDebuggerUrl: string }[] = await response.json();
    if (target === undefined) throw new Error("The process has nothing to inspect");
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise<void>((resolve, reject) => {
      socket.onopen = () => resolve();
      socket.onerror = () => reject(new Error("The inspector takes no connection"));
    });
    const inspector = new Inspector(socket);
    await inspector.#attach();
    return inspector;
  }

  /** Whether this version of Deno tells of workers. */
  get knowsWorkers(): boolean {
    return this.#knowsWorkers;
  }

  /** The threads that can be asked at the moment; the main one first. */
  get threads(): readonly InspectedThread[] {
    return [MAIN, ...this.#workers.values()];
  }

  /**
   * Calls a method in a thread.
   *
   * @throws {Error} if the method is refused, or the thread ends before it answers
   */
  async call<Result>(
    { session }: InspectedThread,
    method: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Result> {
    const id = ++this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) =>
      this.#waiting.set(id, { session, resolve, reject })
    );
    const to = session === "" ? {} : { sessionId: session };
    this.#socket.send(JSON.stringify({ id, method, params, ...to }));
    return await answer as Result;
  }

  /** Ends the connection, and with it all that it has started in the process. */
  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise((resolve) => this.#socket.onclose = resolve);
    this.#socket.close();
    await closed;
  }

  async #attach(): Promise<void> {
    try {
      await this.call(MAIN, "Target.setAutoAttach", {
        autoAttach: true,
        waitForDebuggerOnStart: false,
        flatten: true,
      });
    } catch {
      this.#knowsWorkers = false;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, ATTACHING_MS));
  }

  #take({ id, method, params, result, error }: Message): void {
    if (method === "Target.attachedToTarget" && params?.targetInfo !== undefined) {
      const name = params.targetInfo.url.split("/").at(-1) ?? "";
      this.#workers.set(params.sessionId, { session: params.sessionId, name });
    } else if (method === "Target.detachedFromTarget" && params !== undefined) {
      const { sessionId } = params;
      this.#workers.delete(sessionId);
      this.#lose(({ session }) => session === sessionId, new Error("The thread has ended"));
    }
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error.message));
  }

  #lose(isLost: (waiting: Waiting) => boolean, error: Error): void {
    for (const [id, waiting] of this.#waiting) {
      if (!isLost(waiting)) continue;
      this.#waiting.delete(id);
      waiting.reject(error);
    }
  }
}
