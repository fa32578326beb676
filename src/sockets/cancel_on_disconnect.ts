/**
 * Cancel on disconnect: while a socket that asked for it is alive, this process keeps renewing a
 * cancel timer of the socket's key. If the client ends the socket, the timer is shortened. If the
 * venue does, or its process ends, the timer keeps its time: the key's next such socket takes the
 * place of one whose timer nobody renews any more.
 */
import { type ApiKey, type CancelTimer, OWN_TIMER } from "../domain/people/member.ts";
import { type Command, isRejection, type Outcome } from "../domain/command.ts";
import { type Engine, OutcomeUnknownError, UnavailableError } from "../engine/engine.ts";
import { rejectionError } from "../edge/errors.ts";
import { TooLateError, within } from "../engine/within.ts";

/** How long orders outlive a silent process, in ms: longer than a store may be away. */
export const LEASE_MS = 20_000;
/** How often timers are renewed, in ms. */
const RENEW_MS = 5_000;
/** A timer with less time than that, in ms, has missed a renewal: nobody has its socket. */
export const LEFT_MS_MAX = LEASE_MS - RENEW_MS - 2_000;
/** How long orders outlive a socket, in ms. */
export const GRACE_MS = 1_000;
/** How long a closing process waits for its timers to be shortened, in ms. */
const CLOSING_MS_MAX = 1_000;
/** How long a new socket waits for timers that are about to fire, in ms, and how often it looks. */
const FIRING_MS_MAX = GRACE_MS + 1_000;
const FIRING_POLL_MS = 20;
/** Bytes of a timer's random id. */
const ID_BYTES = 6;

/** What guarding sockets works with. */
export interface CancelOnDisconnectOptions {
  readonly engine: Pick<Engine, "submit" | "venue" | "now" | "isShared">;
  /** Called with unexpected faults. */
  readonly onFault: (error: unknown) => void;
  readonly renewMs?: number;
}

/** A socket whose end cancels orders. */
export interface GuardedSocket {
  /** Called before each renewal; ends the socket now if it is found to be gone. */
  onRenew: () => void;
  /** Called when the timer can't be kept, so the socket must not go on. */
  onLost: () => void;
  /** Called once the socket is open: a client that the venue cut off is back. */
  open(): void;
  /** Shortens the timer, because the client is gone. */
  end(): void;
  /** Leaves the timer to the socket with which the client comes back: the venue cut this one. */
  leave(): void;
  /** Removes the timer: the socket never opened, so nothing is cancelled. */
  drop(): void;
}

interface Guarded extends GuardedSocket {
  readonly key: ApiKey;
  readonly timer: number;
  /** When the timer was first set, by the time of its log. */
  since: number;
  isRenewing: boolean;
  isOpen: boolean;
  /** Whether it has taken the place of a socket that the venue cut. */
  hasReplaced: boolean;
}

/** The guarded sockets of a process. */
export class CancelOnDisconnect {
  readonly #options: CancelOnDisconnectOptions;
  readonly #guarded = new Set<Guarded>();
  /** Ends of sockets that are not in the log yet, with the index of each one's key. */
  readonly #ending = new Map<Promise<void>, number>();
  /** Timers that sockets of this process have or take over. */
  readonly #own = new Set<number>();
  #interval: ReturnType<typeof setInterval> | undefined;

  constructor(options: CancelOnDisconnectOptions) {
    this.#options = options;
  }

  /**
   * Gives the sockets that died with the process before the time to come back, if this one alone
   * has the store: nobody could while there was none.
   */
  keepAbandoned(): void {
    const { engine } = this.#options;
    if (engine.isShared) return;
    for (const { key } of engine.venue.keys) {
      for (const { id, at } of timersOfSockets(key)) {
        // One whose client had gone fires by itself: set once more, it would fire once more.
        if (at > engine.now() + GRACE_MS) this.#settle({ key, timer: id }, LEASE_MS);
      }
    }
  }

  /**
   * Guards a socket that is about to open; resolves once the timer is durable. Orders of sockets
   * that have just ended are cancelled first, so that none that follows this one goes with them.
   *
   * @throws {ApiError} the venue refuses
   */
  async guard(key: ApiKey): Promise<GuardedSocket> {
    const guarded: Guarded = {
      key,
      timer: randomId(),
      since: 0,
      isRenewing: false,
      isOpen: false,
      hasReplaced: false,
      onRenew: () => {},
      onLost: () => {},
      open: () => {
        guarded.isOpen = true;
        this.#replaceLeft(guarded);
      },
      end: () => this.#end(guarded, GRACE_MS),
      leave: () => this.#end(guarded, LEASE_MS),
      drop: () => this.#end(guarded, 0),
    };
    await this.#fired(key);
    const outcome = await this.#set(guarded, LEASE_MS).catch((error) => {
      this.#settle(guarded, 0);
      throw error;
    });
    if (isRejection(outcome)) throw rejectionError(outcome);
    guarded.since = this.#options.engine.now();
    this.#guarded.add(guarded);
    this.#own.add(guarded.timer);
    this.#interval ??= setInterval(() => this.#renew(), this.#options.renewMs ?? RENEW_MS);
    return guarded;
  }

  /** Stops renewing, and waits a bounded time for the ends that are under way. */
  async close(): Promise<void> {
    for (const guarded of this.#guarded) guarded.leave();
    await this.#settled(CLOSING_MS_MAX);
  }

  /** Waits a bounded time until ends of sockets, of one key if it is given, are in the log. */
  async #settled(ms: number, key?: number): Promise<void> {
    const ends = [...this.#ending].filter(([, index]) => key === undefined || index === key);
    await within(ms, Promise.all(ends.map(([ending]) => ending))).catch((error) => {
      // A timer that is not set by now fires by itself.
      if (!(error instanceof TooLateError)) throw error;
    });
  }

  /** Waits for the timers of the key's ended sockets. */
  async #fired({ index }: ApiKey): Promise<void> {
    const { engine } = this.#options;
    const isEnding = ({ at }: CancelTimer) => at - engine.now() <= GRACE_MS;
    const until = performance.now() + FIRING_MS_MAX;
    await this.#settled(FIRING_MS_MAX, index);
    while (performance.now() < until) {
      const key = engine.venue.keys[index]?.key;
      if (key === undefined || !timersOfSockets(key).some(isEnding)) return;
      await new Promise((resolve) => setTimeout(resolve, FIRING_POLL_MS));
    }
  }

  #renew(): void {
    for (const guarded of this.#guarded) {
      guarded.onRenew();
      if (guarded.isRenewing || !this.#guarded.has(guarded)) continue;
      this.#replaceLeft(guarded);
      guarded.isRenewing = true;
      const renewed = this.#set(guarded, LEASE_MS).then((outcome) => {
        if (isRejection(outcome)) guarded.onLost();
      });
      this.#quietly(renewed).finally(() => guarded.isRenewing = false);
    }
  }

  /**
   * Removes the timer of one socket of the key that was cut before this one was opened: its client
   * has come back. That of a socket on another process is not known to be left until it has missed
   * a renewal.
   */
  #replaceLeft(guarded: Guarded): void {
    if (!guarded.isOpen || guarded.hasReplaced) return;
    const { engine } = this.#options;
    const { index } = guarded.key;
    const key = engine.venue.keys[index]?.key ?? guarded.key;
    const now = engine.now();
    const [left] = timersOfSockets(key).filter(({ id, at }) =>
      at - now > GRACE_MS && at - now < LEFT_MS_MAX && at - LEASE_MS <= guarded.since &&
      !this.#own.has(id)
    ).sort((one, other) => one.at - other.at);
    if (left === undefined) return;
    guarded.hasReplaced = true;
    this.#own.add(left.id);
    this.#settle({ key, timer: left.id }, 0);
  }

  #end(guarded: Guarded, timeoutMs: number): void {
    if (!this.#guarded.delete(guarded)) return;
    if (this.#guarded.size === 0) {
      clearInterval(this.#interval);
      this.#interval = undefined;
    }
    this.#settle(guarded, timeoutMs);
  }

  /** Sets a timer for the last time, and lets go of it. */
  #settle(guarded: Pick<Guarded, "key" | "timer">, timeoutMs: number): void {
    const ending = this.#quietly(this.#set(guarded, timeoutMs)).finally(() => {
      this.#ending.delete(ending);
      this.#own.delete(guarded.timer);
    });
    this.#ending.set(ending, guarded.key.index);
  }

  #set({ key, timer }: Pick<Guarded, "key" | "timer">, timeoutMs: number): Promise<Outcome> {
    const command: Command = { kind: "set_cancel_timer", key: key.index, timer, timeoutMs };
    return this.#options.engine.submit(command, null);
  }

  /** If the store is away, the timer stays as it is and fires by itself. */
  async #quietly(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const isAway = error instanceof UnavailableError || error instanceof OutcomeUnknownError;
      if (!isAway) this.#options.onFault(error);
    }
  }
}

function timersOfSockets({ cancelTimers = [] }: ApiKey): readonly CancelTimer[] {
  return cancelTimers.filter(({ id }) => id !== OWN_TIMER);
}

/** Returns a random id other than that of the key's own timer. */
function randomId(): number {
  return crypto.getRandomValues(new Uint8Array(ID_BYTES))
    .reduce((id, byte) => id * 256 + byte, 0) + 1;
}
