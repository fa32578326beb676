/** Checks an open connection's right to go on while the process may have missed its end. */
import { beforehand } from "../engine/engine.ts";
import { yieldToOthers } from "../engine/yield_to_others.ts";

/** What is checked. */
export interface LateCheckOptions {
  /** Whether the process may have missed something. */
  readonly isLate: () => boolean;
  /** Learns what was missed, before the check. */
  readonly catchUp: () => Promise<unknown>;
  /** Rejects if the connection may not go on. */
  readonly verify: () => Promise<void>;
}

/** The check of one connection. */
export class LateCheck {
  readonly #options: LateCheckOptions;
  /** The latest check until it has ended. */
  #checking: Promise<void> | null = null;

  constructor(options: LateCheckOptions) {
    this.#options = options;
  }

  /**
   * Checks if the process is late; otherwise null, since an end that it hears of closes the
   * connection. Requests keep their order.
   */
  check(): Promise<void> | null {
    if (this.#checking === null && !this.#options.isLate()) return null;
    const checking = beforehand(this.#checkBehind(this.#checking));
    this.#checking = checking;
    // Registered first, so that it runs before anybody who waits for the check.
    const forget = () => {
      if (this.#checking === checking) this.#checking = null;
    };
    checking.then(forget, forget);
    return checking;
  }

  async #checkBehind(before: Promise<void> | null): Promise<void> {
    const { isLate, catchUp, verify } = this.#options;
    const [, caughtUp] = await Promise.allSettled([before, isLate() ? catchUp() : null]);
    // The request before has reached the venue by then.
    await yieldToOthers();
    if (caughtUp.status === "rejected") throw caughtUp.reason;
    await verify();
  }
}
