/** Messages by email. */
import { createTransport } from "nodemailer";
import { within } from "../engine/within.ts";
import type { Message, MessageKind, Messenger } from "./messenger.ts";
import { messageText } from "./message_text.ts";
import type { MailSettings } from "./smtp_server.ts";

/** How many messages may wait, for the server or their next attempt, before others are dropped. */
export const MESSAGES_WAITING_MAX = 1000;
/**
 * How many may wait when one of these comes: strangers cause the first, and whoever knows a member's
 * address the others. So places are left for what members do, and what they have to know.
 */
export const WAITING_BEFORE_MAX: Readonly<Partial<Record<MessageKind, number>>> = {
  email_confirmation: 400,
  address_in_use: 400,
  password_reset: 800,
};
/** Concurrent connections to the server. */
const CONNECTIONS_MAX = 2;
/** Attempts per message. */
const TRIES_MAX = 9;
/** Time limit for one step of the protocol, in ms. */
const STEP_MS_MAX = 10_000;
/** Bytes of one reply of the server, which may be of several lines. */
const REPLY_BYTES_MAX = 64 * 1024;
/** How long the server may go on after it was told to end, in ms; what it says is not kept. */
const HANG_UP_MS_MAX = 1_000;
/** Time limit for one attempt, in ms. */
const TRY_MS_MAX = 30_000;
/**
 * Pause before the second attempt, in ms; each later pause is twice as long. The last attempt is
 * after 8.5 min: servers put off strangers for about 5 min, and codes are good for 10 min.
 */
const PAUSE_MS = 2_000;
/** 5xx that concern the venue's account or its TLS: they end once the relay is set right. */
const STATUSES_OF_SETUP: ReadonlySet<unknown> = new Set([530, 535]);
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

/** Messages that still waited when the messenger was closed. */
export interface LostMessages {
  readonly count: number;
  /** Each kind once. */
  readonly kinds: readonly Message["kind"][];
}

/** What a messenger has left to do, and what has failed. */
export interface SmtpFigures {
  readonly count: number;
  /** How long the oldest has waited, in ms. */
  readonly oldest_ms: number;
  /** Attempts that have failed, and messages that were given up. */
  readonly failures: number;
  readonly given_up: number;
  /** For how long no attempt has succeeded and at least one has failed, in ms. */
  readonly failing_ms: number;
}

/** How to send. */
export interface SmtpOptions extends MailSettings {
  readonly onFailure: (failure: SendFailure) => void;
  readonly onLost: (lost: LostMessages) => void;
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
    signal: AbortSignal;
  }): Promise<unknown>;
  close(): void;
}

/** A message under way, and how many attempts have failed. */
interface Letter {
  readonly message: Message;
  failed: number;
  /** When it was handed over, by the monotonic clock in ms. */
  readonly since: number;
}

/** Sends by SMTP, after the call that caused the message has been answered. */
export class SmtpMessenger implements Messenger {
  readonly #options: SmtpOptions;
  readonly #transport: Transport;
  /** Letters for the next free connection. */
  readonly #waiting: Letter[] = [];
  /** Letters between two attempts, which hold no connection, and the timers that end it. */
  readonly #paused = new Map<Letter, ReturnType<typeof setTimeout>>();
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #failures = 0;
  #givenUp = 0;
  /** When the first attempt failed since one succeeded, by the monotonic clock in ms. */
  #failingSince: number | null = null;

  constructor(options: SmtpOptions) {
    this.#options = options;
    this.#transport = openTransport(options);
  }

  hasRoomFor(kind: MessageKind): boolean {
    const waiting = this.#waiting.length + this.#paused.size;
    const places = WAITING_BEFORE_MAX[kind] ?? MESSAGES_WAITING_MAX;
    return !this.#closing.signal.aborted && waiting < places;
  }

  /** Returns what waits, and whether the server takes anything. */
  figures(): SmtpFigures {
    const now = performance.now();
    const letters = [...this.#waiting, ...this.#paused.keys()];
    const oldest = letters.reduce((first, { since }) => Math.min(first, since), now);
    return {
      count: letters.length,
      oldest_ms: Math.round(now - oldest),
      failures: this.#failures,
      given_up: this.#givenUp,
      failing_ms: this.#failingSince === null ? 0 : Math.round(now - this.#failingSince),
    };
  }

  send(message: Message): Promise<void> {
    if (this.hasRoomFor(message.kind)) {
      this.#enqueue({ message, failed: 0, since: performance.now() });
    } else this.#tell(message, 0, "QUEUE_FULL", true);
    return Promise.resolve();
  }

  async close(): Promise<void> {
    await within(CLOSE_MS_MAX, this.#drained()).catch(() => {});
    this.#closing.abort();
    this.#transport.close();
    for (const timer of this.#paused.values()) clearTimeout(timer);
    await this.#drained();
    const lost = [...this.#waiting.splice(0), ...this.#paused.keys()];
    this.#paused.clear();
    if (lost.length === 0) return;
    const kinds = [...new Set(lost.map(({ message }) => message.kind))];
    this.#options.onLost({ count: lost.length, kinds });
  }

  async #drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #enqueue(letter: Letter): void {
    this.#waiting.push(letter);
    this.#start();
  }

  #start(): void {
    if (this.#closing.signal.aborted || this.#running.size >= CONNECTIONS_MAX) return;
    const run: Promise<void> = this.#run().finally(() => {
      this.#running.delete(run);
      // What came after its last look found every connection taken.
      if (this.#waiting.length > 0) this.#start();
    });
    this.#running.add(run);
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const letter = this.#waiting.shift();
      if (letter === undefined) return;
      await this.#deliver(letter);
    }
  }

  async #deliver(letter: Letter): Promise<void> {
    try {
      await this.#try(letter.message);
      this.#failingSince = null;
    } catch (error) {
      // An attempt that was cut off says nothing about the server.
      if (this.#closing.signal.aborted) return void this.#waiting.push(letter);
      letter.failed += 1;
      // A mailbox that is refused says nothing against the server.
      if (!isFinal(error)) this.#failingSince ??= performance.now();
      const isGivenUp = letter.failed >= TRIES_MAX || isFinal(error);
      this.#tell(letter.message, letter.failed, reasonOf(error), isGivenUp);
      if (!isGivenUp) this.#pause(letter);
    }
  }

  #pause(letter: Letter): void {
    const ms = (this.#options.pauseMs ?? PAUSE_MS) * 2 ** (letter.failed - 1);
    const goOn = () => {
      this.#paused.delete(letter);
      this.#enqueue(letter);
    };
    this.#paused.set(letter, setTimeout(goOn, ms));
  }

  async #try(message: Message): Promise<void> {
    const { subject, body } = messageText(message);
    const late = Promise.withResolvers<never>();
    const ending = new AbortController();
    // Ends the connection too: a server that goes on talking would be listened to for ever.
    const cutOff = () => {
      late.reject(new SlowServerError());
      ending.abort();
    };
    const timer = setTimeout(cutOff, this.#options.tryMs ?? TRY_MS_MAX);
    this.#closing.signal.addEventListener("abort", cutOff, { once: true });
    try {
      const mail = {
        from: this.#options.from,
        // An object, since a string would be parsed as a list of addresses.
        to: { name: "", address: message.to },
        subject,
        text: body,
        signal: ending.signal,
      };
      await Promise.race([this.#transport.sendMail(mail), late.promise]);
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener("abort", cutOff);
    }
  }

  #tell(message: Message, attempt: number, reason: string, isGivenUp: boolean): void {
    const { uid, kind } = message;
    this.#failures += 1;
    if (isGivenUp) this.#givenUp += 1;
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
    // A relay on this machine may offer STARTTLS with a certificate that nobody vouches for.
    ...(isSecure || requiresTls ? {} : { tls: { rejectUnauthorized: false } }),
    ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
    // Not the host's own name: it should not be disclosed, and reading it takes a permission.
    name: /@([A-Za-z0-9.-]+)/.exec(options.from)?.[1] ?? "localhost",
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    socketCloseTimeout: HANG_UP_MS_MAX,
    maxResponseSize: REPLY_BYTES_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Returns whether the server has refused the message for good. */
function isFinal(error: unknown): boolean {
  const { responseCode } = error as { responseCode?: unknown };
  return typeof responseCode === "number" && responseCode >= 500 &&
    !STATUSES_OF_SETUP.has(responseCode);
}

/** Returns the failed step, the system's or TLS's reason, and the server's status. */
function reasonOf(error: unknown): string {
  const { code, originalCode, responseCode } = error as Readonly<Record<string, unknown>>;
  const parts = [code, originalCode, responseCode].filter((part) => part !== undefined);
  return parts.length === 0 ? "UNKNOWN" : parts.join(" ");
}
