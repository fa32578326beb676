/**
 * Sends calls to the venue: signed with a key, or in a session. It is patient where nothing has
 * happened yet (a rate limit, a venue that is not available, a nonce outside of the window), and
 * sends a call that may have happened again only where that does no harm.
 */
import createClient, { type Client } from "openapi-fetch";
import type { Method } from "../contract_calls.ts";
import type { paths } from "../contract.d.ts";
import { CallPace } from "./call_pace.ts";
import { type Key, Signer } from "./signing.ts";
import { VenueClock } from "./venue_clock.ts";
import { isErrorBody, OutcomeUnknownError, UnreachableError, VenueError } from "./venue_error.ts";

/** How a client reaches its venue. */
export interface CallerOptions {
  /** The key that signs; without one, calls are public or in a session. */
  readonly key?: Key | undefined;
  /** Whether signatures cover what is asked, too; they do by default. */
  readonly bodySignatures?: boolean | undefined;
  /** How long one try may take, in ms; 15 s by default, as the venue answers within 10 s. */
  readonly timeoutMs?: number | undefined;
  /** How long a call is tried again where that is safe, in ms; 30 s by default. */
  readonly patienceMs?: number | undefined;
  /**
   * How far a nonce may be from the venue's time, in ms: 5 s, unless the venue has another
   * `NONCE_WINDOW_MS`.
   */
  readonly nonceWindowMs?: number | undefined;
  /** What sends requests; the platform's own by default. */
  readonly fetch?: typeof fetch | undefined;
  /** This machine's clock, in ms since 1970. */
  readonly now?: (() => number) | undefined;
}

/** A call as it is sent, whatever its types. */
export interface PlainCall {
  readonly method: Method;
  /** Path as the contract has it, with `{names}`. */
  readonly path: string;
  readonly parts?: {
    readonly path?: unknown;
    readonly query?: unknown;
    readonly body?: unknown;
    readonly signal?: AbortSignal | undefined;
  } | undefined;
  /** Whether it may be sent again after it may have happened; reads always may. */
  readonly isRepeatable?: boolean;
  /** Whether it was sent before in another way, and may have happened or may yet happen. */
  readonly wasSent?: boolean;
  /** How long it is tried again at most, in ms, where the client is more patient. */
  readonly patienceMs?: number | undefined;
  /** What it costs of the rate limit; 1 by default. */
  readonly cost?: number;
  /**
   * Whether what came with a success is what the venue would have answered. Somebody on the way may
   * answer well without having asked the venue, or with what it has answered others: that tells
   * nothing.
   */
  readonly isAnswer?: ((data: unknown) => boolean) | undefined;
}

/** What became of one try. */
export type TryOutcome =
  | { readonly kind: "answered"; readonly data: unknown; readonly headers: Headers }
  /** Refused; nothing has happened, and trying again would not help, unless it is of a nonce. */
  | { readonly kind: "refused"; readonly error: VenueError; readonly isOfNonce: boolean }
  /** Nothing has happened; it may be tried again after so many ms. */
  | {
    readonly kind: "later";
    readonly error: VenueError | UnreachableError;
    readonly afterMs: number;
  }
  /** It may have happened, or may yet happen until this time on the venue's clock. */
  | { readonly kind: "unknown"; readonly error: unknown; readonly takenUntil: number };

/** When a try was sent. */
interface Sent {
  /** On this machine's clock, in ms. */
  readonly at: number;
  /** On the venue's: its nonce, if it has one. */
  readonly time: number;
}

const TIMEOUT_MS = 15_000;
const PATIENCE_MS = 30_000;
/** The first pause before another try, in ms, and the longest. */
const PAUSE_MS = 100;
const PAUSE_MS_MAX = 2_000;
/** The longest wait of the platform's timers, in ms. */
const TIMER_MS_MAX = 2 ** 31 - 1;
/** Status of a success that has no content. */
const NO_CONTENT = 204;
/** How often one call corrects the clock: a key whose every nonce is refused has another fault. */
const CORRECTIONS_MAX = 3;

/** Matches calls that take from the limit of cancels. */
const CANCELS = /\/cancel|^\/api\/v2\/trading\/market\/bulk\/orders/;

/** Sends the calls of one client. */
export class Caller {
  readonly clock: VenueClock;
  readonly signer: Signer | null;
  /** The venue, without a slash at its end. */
  readonly url: string;
  /** The token of the session, which its writes carry. */
  csrfToken: string | null = null;
  readonly #bodySignatures: boolean;
  /** How long one try may take, in ms. */
  readonly timeoutMs: number;
  readonly #patienceMs: number;
  readonly #fetch: typeof fetch;
  readonly #client: Client<paths>;
  readonly #paces = { cancel: new CallPace(), other: new CallPace() };

  constructor(url: string, options: CallerOptions = {}) {
    this.url = url.replace(/\/+$/, "");
    this.clock = new VenueClock(options.now, options.nonceWindowMs);
    this.signer = options.key === undefined ? null : new Signer(options.key);
    this.#bodySignatures = options.bodySignatures ?? true;
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#client = createClient<paths>({ baseUrl: this.url });
  }

  /** When a call that begins now is given up, on the clock of `performance.now()`. */
  deadline(patienceMs: number = this.#patienceMs): number {
    return performance.now() + Math.min(patienceMs, this.#patienceMs);
  }

  /**
   * Makes a call and returns what it answers.
   *
   * @throws {VenueError} if the venue refuses it
   * @throws {OutcomeUnknownError} if it may have happened, and can't be sent again
   * @throws {UnreachableError} if the venue could not answer in time, and nothing was written
   */
  async call(call: PlainCall): Promise<unknown> {
    return (await this.answer(call)).data;
  }

  /** As {@linkcode call}, and returns the answer's headers, too. */
  async answer(
    call: PlainCall,
  ): Promise<{ readonly data: unknown; readonly headers: Headers }> {
    const isRepeatable = call.method === "get" || call.isRepeatable === true;
    const deadline = this.deadline(call.patienceMs);
    let hasUnknown = call.wasSent === true;
    for (let tries = 0;; tries++) {
      const outcome = await this.tryOnce(call, deadline);
      switch (outcome.kind) {
        case "answered":
          return outcome;
        case "refused":
          // An earlier try may have happened, or may yet.
          if (hasUnknown) throw new OutcomeUnknownError([], { cause: outcome.error });
          throw outcome.error;
        case "later":
          break;
        case "unknown":
          if (!isRepeatable) throw new OutcomeUnknownError([], { cause: outcome.error });
          hasUnknown = call.method !== "get";
      }
      const pause = outcome.kind === "later" ? outcome.afterMs : pauseAfter(tries);
      if (performance.now() + pause >= deadline) throw givenUp(outcome.error, hasUnknown);
      await sleep(pause, call.parts?.signal);
    }
  }

  /**
   * Returns until when the venue may take what was sent at a time, both on its clock: without end
   * where it has no nonce, as in a session.
   */
  takenUntil(time: number): number {
    return this.signer === null ? Infinity : this.clock.takenUntil(time);
  }

  /** Sends a call once; a nonce that the venue's clock refuses is replaced before it is a try. */
  async tryOnce(call: PlainCall, deadline: number): Promise<TryOutcome> {
    for (let corrections = 0;; corrections++) {
      const outcome = await this.#send(call, deadline);
      if (outcome.kind !== "refused" || corrections === CORRECTIONS_MAX) return outcome;
      if (!outcome.isOfNonce) return outcome;
    }
  }

  /** Returns the headers that open a signed socket, or would; none without a key. */
  async signedHeaders(url: string): Promise<Record<string, string>> {
    if (this.signer === null) return {};
    const path = url.slice(url.indexOf("/api/v2"));
    const handshake = this.#bodySignatures ? { method: "GET", path, body: "" } : null;
    return await this.signer.headers(await this.clock.nonce(this.signer.kid), handshake);
  }

  /**
   * Corrects the clock by what the venue has told of a nonce.
   *
   * @param sentAt when the nonce was sent, on this machine's clock, in ms
   * @returns whether the error was of a nonce, so that another one may help
   */
  noteNonce({ code, body }: VenueError, sentAt: number): boolean {
    return isOfNonce(code) && this.clock.correct(body.server_time, sentAt);
  }

  async #send(call: PlainCall, deadline: number): Promise<TryOutcome> {
    const { method, path, parts, cost } = call;
    const pace = CANCELS.test(path) ? this.#paces.cancel : this.#paces.other;
    const signal = parts?.signal;
    const afterMs = pace.take(cost);
    if (performance.now() + afterMs >= deadline) {
      pace.giveBack(cost);
      const error = new UnreachableError("the venue's rate limit leaves no room in time");
      return { kind: "later", error, afterMs };
    }
    await sleep(afterMs, signal);
    signal?.throwIfAborted();
    const left = Math.max(1, Math.min(this.timeoutMs, deadline - performance.now()));
    // Node takes whole milliseconds only.
    const timed = AbortSignal.timeout(Math.ceil(left));
    let sent: Sent = { at: 0, time: this.clock.now() };
    try {
      const { data, error, response } = await this.#client.request(
        method as "get",
        path as never,
        {
          params: { path: parts?.path, query: parts?.query },
          body: parts?.body,
          fetch: async (request: Request) => {
            const { init, time } = await this.#signed(request);
            sent = { at: this.clock.machineTime(), time };
            const both = signal === undefined ? timed : AbortSignal.any([signal, timed]);
            return await this.#fetch(request.url, { ...init, signal: both });
          },
          parseAs: isCsv(path) ? "text" : "json",
        } as never,
      ) as { data?: unknown; error?: unknown; response: Response };
      pace.note(response.headers);
      if (response.ok && !isAnswered(call, response.status, data)) {
        return this.#unknown(new Error("an answer that is not the venue's"), sent);
      }
      if (response.ok) return { kind: "answered", data, headers: response.headers };
      return this.#failed(response, error, sent, pace);
    } catch (error) {
      signal?.throwIfAborted();
      return this.#unknown(error, sent);
    }
  }

  /** Returns what is sent, signed as late as possible, since nonces expire; and its time. */
  async #signed(request: Request): Promise<{ init: RequestInit; time: number }> {
    const { method, url } = request;
    let time = this.clock.now();
    const body = method === "GET" ? "" : await request.text();
    const headers = new Headers(request.headers);
    if (this.signer !== null) {
      const path = url.slice(url.indexOf("/api/v2"));
      const nonce = time = await this.clock.nonce(this.signer.kid);
      const signed = this.#bodySignatures ? { method, path, body } : null;
      for (const [name, value] of Object.entries(await this.signer.headers(nonce, signed))) {
        headers.set(name, value);
      }
    } else if (this.csrfToken !== null && method !== "GET") {
      headers.set("X-CSRF-Token", this.csrfToken);
    }
    // What is signed must not be sent on to another place.
    const init = { method, headers, redirect: "error", ...(body === "" ? {} : { body }) } as const;
    return { init, time };
  }

  #unknown(error: unknown, { time }: Sent): TryOutcome {
    return { kind: "unknown", error, takenUntil: this.takenUntil(time) };
  }

  #failed(response: Response, body: unknown, sent: Sent, pace: CallPace): TryOutcome {
    const { status, headers } = response;
    if (!isErrorBody(body)) {
      // Somebody on the way has answered, who doesn't know what has happened behind it.
      return this.#unknown(new Error(`status ${status} without the venue's errors`), sent);
    }
    const error = new VenueError(status, body);
    const isCorrected = this.noteNonce(error, sent.at);
    // Nobody of this process has used it: what used it may have been this very call.
    if (error.code === "authz.nonce_already_used") return this.#unknown(error, sent);
    const wait = headers.get("Retry-After");
    if (status === 503 || status === 429 && wait !== null) {
      // Who on the way names a date, or nothing, has no time to wait for.
      const afterMs = 1000 * (wait !== null && Number(wait) > 0 ? Number(wait) : 1);
      if (status === 429 && error.code === "server.rate_limited") pace.pause(afterMs);
      return { kind: "later", error, afterMs };
    }
    if (status >= 500) return this.#unknown(error, sent);
    return { kind: "refused", error, isOfNonce: isCorrected };
  }
}

/** Waits, unless the caller gives up. */
export function sleep(ms: number, signal?: AbortSignal | undefined): Promise<void> {
  if (!(ms > 0)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, Math.min(ms, TIMER_MS_MAX));
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Returns how long to wait after so many failed tries, in ms; not all clients the same time. */
export function pauseAfter(tries: number): number {
  return Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** tries) * (0.5 + Math.random() / 2);
}

function isCsv(path: string): boolean {
  return path.endsWith(".csv");
}

function isOfNonce(code: string): boolean {
  return code.startsWith("authz.nonce_");
}

/** Only what is deleted, or switched off, is answered without content. */
function isAnswered({ isAnswer }: PlainCall, status: number, data: unknown): boolean {
  if (isAnswer !== undefined) return isAnswer(data);
  return data !== undefined || status === NO_CONTENT;
}

function givenUp(error: unknown, hasUnknown: boolean): Error {
  if (hasUnknown) return new OutcomeUnknownError([], { cause: error });
  // What the venue has told is worth more than that it took too long.
  if (error instanceof VenueError) return error;
  return new UnreachableError("the venue can't be reached", { cause: error });
}
