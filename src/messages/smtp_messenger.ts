/** Messages by email. */
import { setTimeout as setTimeoutAsync } from "node:timers/promises";
import { createTransport } from "nodemailer";
import { within } from "../engine/within.ts";
import {
  carriesCode,
  type Message,
  type Messenger,
  MessengerUnavailableError,
} from "./messenger.ts";
import { messageText } from "./message_text.ts";
import type { MailSettings } from "./smtp_server.ts";

/** How many messages may wait for the server before others are refused. */
export const MESSAGES_WAITING_MAX = 1000;
/** Concurrent connections to the server. */
const CONNECTIONS_MAX = 2;
/** Attempts per message. */
const TRIES_MAX = 3;
/** Time limit for one step of the protocol, in ms. */
const STEP_MS_MAX = 10_000;
/** Time limit for one attempt, in ms. */
const TRY_MS_MAX = 30_000;
/** Pause before the second attempt, in ms; each later pause is four times as long. */
const PAUSE_MS = 2_000;
/** How long closing waits for messages not yet delivered, in ms. */
const CLOSE_MS_MAX = 1_000;

/** A failed attempt, or a message that was given up; names neither recipient nor content. */
export interface SendFailure {
  readonly uid: string;
  readonly kind: Message["kind"];
  /** Counts from 1; 0 when no attempt was made. */
  readonly attempt: number;
  readonly isGivenUp: boolean;
  /** The codes of the connection or the server, without its text, which may repeat the address. */
  readonly reason: string;
}

/** How to send. */
export interface SmtpOptions extends MailSettings {
  readonly onFailure: (failure: SendFailure) => void;
  /** For tests, in ms. */
  readonly tryMs?: number;
  readonly pauseMs?: number;
}

/** The part of a nodemailer transport that is used. */
interface Transport {
  sendMail(mail: {
    from: string;
    to: { name: string; address: string };
    subject: string;
    text: string;
  }): Promise<unknown>;
  close(): void;
}

/** Sends by SMTP, after the call that caused the message has been answered. */
export class SmtpMessenger implements Messenger {
  readonly #options: SmtpOptions;
  readonly #transport: Transport;
  readonly #waiting: Message[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: SmtpOptions) {
    this.#options = options;
    this.#transport = openTransport(options);
  }

  get isAvailable(): boolean {
    return !this.#closing.signal.aborted && this.#waiting.length < MESSAGES_WAITING_MAX;
  }

  send(message: Message): Promise<void> {
    if (!this.isAvailable) {
      if (carriesCode(message)) {
        return Promise.reject(
          new MessengerUnavailableError("Too many messages are waiting for the mail server"),
        );
      }
      this.#tell(message, 0, "QUEUE_FULL", true);
      return Promise.resolve();
    }
    this.#waiting.push(message);
    this.#start();
    return Promise.resolve();
  }

  async close(): Promise<void> {
    // What is not delivered in time is given up.
    await within(CLOSE_MS_MAX, this.#drained()).catch(() => {});
    this.#closing.abort();
    this.#transport.close();
  }

  async #drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #start(): void {
    if (this.#running.size >= CONNECTIONS_MAX) return;
    const run: Promise<void> = this.#run().finally(() => {
      this.#running.delete(run);
      // What came after its last look found every connection taken.
      if (this.#waiting.length > 0) this.#start();
    });
    this.#running.add(run);
  }

  async #run(): Promise<void> {
    for (;;) {
      const message = this.#waiting.shift();
      if (message === undefined) return;
      if (this.#closing.signal.aborted) this.#tell(message, 0, "CLOSED", true);
      else await this.#deliver(message);
    }
  }

  async #deliver(message: Message): Promise<void> {
    for (let attempt = 1;; attempt++) {
      try {
        return await this.#try(message);
      } catch (error) {
        const isGivenUp = attempt >= TRIES_MAX || isFinal(error) || this.#closing.signal.aborted;
        this.#tell(message, attempt, reasonOf(error), isGivenUp);
        if (isGivenUp) return;
      }
      await pause((this.#options.pauseMs ?? PAUSE_MS) * 4 ** (attempt - 1), this.#closing.signal);
    }
  }

  async #try(message: Message): Promise<void> {
    const { subject, body } = messageText(message);
    const late = Promise.withResolvers<never>();
    const cutOff = () => late.reject(new SlowServerError());
    const timer = setTimeout(cutOff, this.#options.tryMs ?? TRY_MS_MAX);
    this.#closing.signal.addEventListener("abort", cutOff, { once: true });
    try {
      const mail = {
        from: this.#options.from,
        // An object, since a string would be parsed as a list of addresses.
        to: { name: "", address: message.to },
        subject,
        text: body,
      };
      await Promise.race([this.#transport.sendMail(mail), late.promise]);
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener("abort", cutOff);
    }
  }

  #tell(message: Message, attempt: number, reason: string, isGivenUp: boolean): void {
    const { uid, kind } = message;
    this.#options.onFailure({ uid, kind, attempt, reason, isGivenUp });
  }
}

class SlowServerError extends Error {
  override name = "SlowServerError";
  readonly code = "TOO_SLOW";
}

function openTransport(options: SmtpOptions): Transport {
  const { host, port, isSecure, requiresTls, login } = options.server;
  const stepMs = options.tryMs ?? STEP_MS_MAX;
  return createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: requiresTls,
    // A relay on this machine may offer TLS with a certificate that nobody vouches for.
    ignoreTLS: !requiresTls,
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    // Not the host's own name: it should not be disclosed, and reading it takes a permission.
    name: /@([A-Za-z0-9.-]+)/.exec(options.from)?.[1] ?? "localhost",
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Returns whether the server has refused for good: 5xx. */
function isFinal(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: unknown };
  return typeof responseCode === "number" && responseCode >= 500;
}

/** Returns the failed step, the system's or TLS's reason, and the server's status. */
function reasonOf(error: unknown): string {
  const { code, originalCode, responseCode } = error as Readonly<Record<string, unknown>>;
  const parts = [code, originalCode, responseCode].filter((part) => part !== undefined);
  return parts.length === 0 ? "UNKNOWN" : parts.join(" ");
}

/** Waits, but not after the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeoutAsync(ms, undefined, { signal }).catch(() => {});
}
