/** Checks an open connection's right to go on while the process may have missed its end. */
import { beforehand, type Engine, LATE_MS_MAX } from "../engine/engine.ts";
import { yieldToOthers } from "../engine/yield_to_others.ts";

/** What a check needs of the engine. */
export type CheckEngine = Pick<Engine, "fresh" | "lagMs">;

/** The check of one connection. */
export abstract class LateCheck {
  readonly #engine: CheckEngine;
  /** The latest check until it has ended. */
  #checking: Promise<void> | null = null;

  constructor(engine: CheckEngine) {
    this.#engine = engine;
  }

  /**
   * Checks if it is due; otherwise null, since an end that the process hears of closes the
   * connection. Requests keep their order.
   *
   * @param mayWrite whether the request may change something
   */
  check(mayWrite: boolean): Promise<void> | null {
    if (this.#checking === null && !this.isDue(mayWrite)) return null;
    const checking = beforehand(this.#checkBehind(this.#checking));
    this.#checking = checking;
    // Registered first, so that it runs before anybody who waits for the check.
    const forget = () => {
      if (this.#checking === checking) this.#checking = null;
    };
    checking.then(forget, forget);
    return checking;
  }

  /** Returns whether a request has to wait for a check. */
  protected isDue(_mayWrite: boolean): boolean {
    return this.isLate();
  }

  /** Returns whether the process may have missed the end. */
  protected isLate(): boolean {
    return this.#engine.lagMs > LATE_MS_MAX;
  }

  /** Rejects if the connection may not go on. */
  protected abstract verify(): Promise<void>;

  async #checkBehind(before: Promise<void> | null): Promise<void> {
    const catchingUp = this.isLate() ? this.#engine.fresh() : null;
    const [, caughtUp] = await Promise.allSettled([before, catchingUp]);
    // The request before has reached the venue by then.
    await yieldToOthers();
    if (caughtUp.status === "rejected") throw caughtUp.reason;
    await this.verify();
  }
}
