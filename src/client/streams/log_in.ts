/** Logs a key in by a message, over a socket whose handshake has not told whose it is. */
import type { Caller } from "../calls/caller.ts";
import { retryMsOf, type VenueError } from "../calls/venue_error.ts";

/** What a log-in says, in either dialect: the values of a signed handshake's headers. */
export interface LogInFields {
  readonly apikey: string;
  readonly nonce: string;
  readonly signature: string;
  /** Null where signatures don't cover what is asked. */
  readonly bodySignature: string | null;
}

/** What a socket does with its log-in. */
export interface LogInParts {
  send(fields: LogInFields): void;
  onDone(): void;
  /** There was no answer in time. */
  onSilent(): void;
  /** It is refused, and would be again. */
  onRefused(error: Error): void;
}

/** How often a nonce that the venue's clock refuses is replaced; it closes after five failures. */
const CORRECTIONS_MAX = 3;

/** The shortest and the longest pause before it is sent again, in ms. */
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;

/** The log-in of one connection. */
export class LogIn {
  readonly #caller: Caller;
  readonly #url: string;
  readonly #parts: LogInParts;
  #corrections = 0;
  #sentAt = 0;
  #isDone = false;
  #isEnded = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param url of the socket, as it was opened */
  constructor(caller: Caller, url: string, parts: LogInParts) {
    this.#caller = caller;
    this.#url = url;
    this.#parts = parts;
  }

  /** Whether the venue has let the key in. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Sends it. */
  begin(): void {
    this.#send().catch((error) => this.#parts.onRefused(error));
  }

  /** The connection is lost. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  /** The venue has let the key in. */
  done(): void {
    clearTimeout(this.#timer);
    this.#isDone = true;
    this.#parts.onDone();
  }

  /** The venue has refused it. */
  refused(error: VenueError): void {
    clearTimeout(this.#timer);
    const isOfNonce = this.#caller.noteNonce(error, this.#sentAt);
    if (isOfNonce && this.#corrections++ < CORRECTIONS_MAX) return this.begin();
    const asked = retryMsOf(error);
    if (asked === null) return this.#parts.onRefused(error);
    const pause = Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_MIN, asked));
    this.#timer = setTimeout(() => this.begin(), pause);
  }

  async #send(): Promise<void> {
    const headers = new Headers(await this.#caller.signedHeaders(this.#url));
    if (this.#isEnded) return;
    this.#sentAt = this.#caller.clock.machineTime();
    this.#timer = setTimeout(() => this.#parts.onSilent(), this.#caller.timeoutMs);
    this.#parts.send({
      apikey: headers.get("X-Auth-Apikey") ?? "",
      nonce: headers.get("X-Auth-Nonce") ?? "",
      signature: headers.get("X-Auth-Signature") ?? "",
      bodySignature: headers.get("X-Auth-Body-Signature"),
    });
  }
}
