/**
 * Cancel on disconnect: as long as a socket lives that asks for it, this
 * process keeps postponing a cancel timer of the socket's key. The end of the
 * socket shortens the timer; the end of the process leaves it to whoever is there.
 */
import type { ApiKey } from "../domain/member.ts";
import { type Command, isRejection, type Outcome } from "../domain/command.ts";
import { type Engine, OutcomeUnknownError, UnavailableError } from "../engine/engine.ts";
import { rejectionError } from "../api/errors.ts";
import { TooLateError, within } from "../engine/within.ts";

/** How long orders outlive a process that says nothing, in ms: longer than a store may be away. */
export const LEASE_MS = 20_000;
/** How often it is postponed, in ms. */
const RENEW_MS = 5_000;
/** How long orders outlive a socket, in ms. */
export const GRACE_MS = 1_000;
/** How long a process that goes down waits for its timers to be shortened, in ms. */
const CLOSING_MS_MAX = 1_000;
/** Bytes of a timer's random id. */
const ID_BYTES = 6;

/** What guarding sockets works with. */
export interface CancelOnDisconnectOptions {
  readonly engine: Pick<Engine, "submit">;
  /** Told of what nobody expected. */
  readonly onFault: (error: unknown) => void;
  readonly renewMs?: number;
}

/** A socket that orders hang on. */
export interface GuardedSocket {
  /** Called before the timer is postponed: a socket that is found to be gone is to end now. */
  onRenew: () => void;
  /** Called where the timer cannot be kept: the socket must not go on as if it were. */
  onLost: () => void;
  /** The socket is gone, whyever. */
  end(): void;
  /** There never was a socket: nothing is cancelled. */
  drop(): void;
}

interface Guarded extends GuardedSocket {
  readonly key: ApiKey;
  readonly timer: number;
  isRenewing: boolean;
}

/** The guarded sockets of a process. */
export class CancelOnDisconnect {
  readonly #options: CancelOnDisconnectOptions;
  readonly #guarded = new Set<Guarded>();
  /** Sockets whose end is on its way into the log. */
  readonly #ending = new Set<Promise<void>>();
  #interval: ReturnType<typeof setInterval> | undefined;

  constructor(options: CancelOnDisconnectOptions) {
    this.#options = options;
  }

  /**
   * Guards a socket that is about to be opened; the timer is durable when this answers.
   *
   * @throws {ApiError} where the venue refuses
   */
  async guard(key: ApiKey): Promise<GuardedSocket> {
    const guarded: Guarded = {
      key,
      timer: randomId(),
      isRenewing: false,
      onRenew: () => {},
      onLost: () => {},
      end: () => this.#end(guarded, GRACE_MS),
      drop: () => this.#end(guarded, 0),
    };
    const outcome = await this.#set(guarded, LEASE_MS).catch((error) => {
      this.#shorten(guarded, 0);
      throw error;
    });
    if (isRejection(outcome)) throw rejectionError(outcome, "single");
    this.#guarded.add(guarded);
    this.#interval ??= setInterval(() => this.#renew(), this.#options.renewMs ?? RENEW_MS);
    return guarded;
  }

  /** Stops postponing, and waits for the ends that are under way, but not for long. */
  async close(): Promise<void> {
    for (const guarded of this.#guarded) guarded.end();
    await within(CLOSING_MS_MAX, Promise.all(this.#ending)).catch((error) => {
      // What has not been shortened by now fires a little later.
      if (!(error instanceof TooLateError)) throw error;
    });
  }

  #renew(): void {
    for (const guarded of this.#guarded) {
      guarded.onRenew();
      if (guarded.isRenewing || !this.#guarded.has(guarded)) continue;
      guarded.isRenewing = true;
      const renewed = this.#set(guarded, LEASE_MS).then((outcome) => {
        if (isRejection(outcome)) guarded.onLost();
      });
      this.#quietly(renewed).finally(() => guarded.isRenewing = false);
    }
  }

  #end(guarded: Guarded, timeoutMs: number): void {
    if (!this.#guarded.delete(guarded)) return;
    if (this.#guarded.size === 0) {
      clearInterval(this.#interval);
      this.#interval = undefined;
    }
    this.#shorten(guarded, timeoutMs);
  }

  #shorten(guarded: Guarded, timeoutMs: number): void {
    const ending = this.#quietly(this.#set(guarded, timeoutMs))
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  #set({ key, timer }: Guarded, timeoutMs: number): Promise<Outcome> {
    const command: Command = { kind: "set_cancel_timer", key: key.index, timer, timeoutMs };
    return this.#options.engine.submit(command, null);
  }

  /** Where the store is away the timer stays as it is, and fires by itself. */
  async #quietly(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const isAway = error instanceof UnavailableError || error instanceof OutcomeUnknownError;
      if (!isAway) this.#options.onFault(error);
    }
  }
}

/** Never that of the key's own timer. */
function randomId(): number {
  return crypto.getRandomValues(new Uint8Array(ID_BYTES))
    .reduce((id, byte) => id * 256 + byte, 0) + 1;
}
