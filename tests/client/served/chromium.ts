/** A page in Chromium without a window, told what to do by its debugging protocol. */

/** Names under which Chromium is installed. */
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ARGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--no-first-run",
  "--remote-debugging-port=0",
];
const LISTENING = /DevTools listening on (ws:\S+)/;

/** Returns Chromium's name on this machine; null if it is not there. */
export function findChromium(): string | null {
  return PROGRAMS.find((name) => {
    try {
      const args = ["--version"];
      const found = new Deno.Command(name, { args, stdout: "null", stderr: "null" }).outputSync();
      return found.success;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }) ?? null;
}

/** What the browser answers. */
interface Reply {
  readonly id?: number;
  readonly method?: string;
  // deno-lint-ignore no-explicit-any
  readonly result?: any;
  readonly error?: { readonly message: string };
}

/** One page. */
export class ChromiumPage {
  readonly #child: Deno.ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #lastId = 0;
  #session: string | undefined;
  #onLoad: () => void = () => {};

  private constructor(child: Deno.ChildProcess, profile: string, socket: WebSocket) {
    this.#child = child;
    this.#profile = profile;
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const reply: Reply = JSON.parse(data);
      if (reply.method === "Page.loadEventFired") this.#onLoad();
      if (reply.id === undefined) return;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    };
  }

  /** Opens a page at a URL. */
  static async open(program: string, url: string): Promise<ChromiumPage> {
    const profile = await Deno.makeTempDir({ prefix: "venue_chromium_" });
    const child = new Deno.Command(program, {
      args: [...ARGS, `--user-data-dir=${profile}`, "about:blank"],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const socket = new WebSocket(await debuggingUrl(child));
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    const page = new ChromiumPage(child, profile, socket);
    const { targetId } = await page.#ask("Target.createTarget", { url: "about:blank" });
    const attached = await page.#ask("Target.attachToTarget", { targetId, flatten: true });
    page.#session = attached.sessionId;
    await page.#ask("Page.enable", {});
    const loaded = new Promise<void>((resolve) => page.#onLoad = resolve);
    await page.#ask("Page.navigate", { url });
    await loaded;
    return page;
  }

  /**
   * Runs a function's body in the page, which may await, and returns what it returns.
   *
   * @throws {Error} what it throws
   */
  // deno-lint-ignore no-explicit-any
  async run(body: string): Promise<any> {
    const { result, exceptionDetails } = await this.#ask("Runtime.evaluate", {
      expression: `(async () => {${body}})()`,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails === undefined) return result.value;
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#session = undefined;
    await this.#ask("Browser.close", {});
    await this.#child.status;
    this.#socket.close();
    await Deno.remove(this.#profile, { recursive: true });
  }

  // deno-lint-ignore no-explicit-any
  async #ask(method: string, params: object): Promise<any> {
    const id = ++this.#lastId;
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#waiting.set(id, resolve);
    this.#socket.send(JSON.stringify({ id, method, params, ...session }));
    const { result, error } = await promise;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}

/** Waits until the browser says where it can be told what to do, and reads what it prints on. */
async function debuggingUrl(child: Deno.ChildProcess): Promise<string> {
  const output = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let printed = "";
  for (;;) {
    const { done, value } = await output.read();
    if (done) throw new Error(`Chromium did not start: ${printed}`);
    printed += value;
    const [, url] = LISTENING.exec(printed) ?? [];
    if (url === undefined) continue;
    void readOn(output);
    return url;
  }
}

async function readOn(output: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await output.read()).done);
}
