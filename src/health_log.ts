/** Tells the log when the venue takes no orders any more, and when it takes them again. */
import type { Health } from "./engine/engine.ts";
import type { Logger } from "./logger.ts";

/** How often it looks, in ms. */
const LOOK_MS = 1_000;

/** Looks after the venue's health for its operator. */
export class HealthLog {
  readonly #health: () => Health;
  readonly #logger: Pick<Logger, "info" | "warn">;
  #seen: Health["reason"] = "";
  #told: Health["reason"] = "";
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(health: () => Health, logger: Pick<Logger, "info" | "warn">) {
    this.#health = health;
    this.#logger = logger;
  }

  /** Tells what is wrong from the beginning, and looks from then on. */
  start(): void {
    this.#seen = this.#health().reason;
    this.#tell(this.#seen);
    this.#timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** Tells what has held since the last look, at the least: a queue that is full for a moment is no news. */
  look(): void {
    const { reason } = this.#health();
    if (reason === this.#seen) this.#tell(reason);
    this.#seen = reason;
  }

  /** Looks no more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #tell(reason: Health["reason"]): void {
    if (reason === this.#told) return;
    this.#told = reason;
    if (reason === "") this.#logger.info("ready");
    else this.#logger.warn("not_ready", { reason });
  }
}
