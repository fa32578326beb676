/** Logs when the venue stops taking orders and when it takes them again. */
import { CLOCK_AHEAD_MS_MAX, type Engine, type Health } from "../../engine/engine.ts";
import type { Logger } from "../logger.ts";

/** How often the health is looked at, in ms. */
const LOOK_MS = 1_000;

/** What is watched of an engine, and what an operator has to look at although it takes orders. */
type WatchedEngine = Pick<Engine, "health"> & {
  readonly venue: Pick<Engine["venue"], "time">;
  degraded?(): readonly string[];
};

/** Watches the venue's health for its operator. */
export class HealthLog {
  readonly #watched: WatchedEngine;
  readonly #logger: Pick<Logger, "info" | "warn">;
  #seen: Health["reason"] = "";
  #told: Health["reason"] = "";
  #seenDegraded = "";
  #toldDegraded = "";
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(watched: WatchedEngine, logger: Pick<Logger, "info" | "warn">) {
    this.#watched = watched;
    this.#logger = logger;
  }

  /** Logs what is wrong at the start, and watches from then on. */
  start(): void {
    this.#seen = this.#watched.health().reason;
    this.#tell(this.#seen);
    this.#timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** Logs a state that has lasted since the last look, so a queue full for a moment is not news. */
  look(): void {
    const { reason } = this.#watched.health();
    if (reason === this.#seen) this.#tell(reason);
    this.#seen = reason;
    const degraded = this.#watched.degraded?.() ?? [];
    if (degraded.join() === this.#seenDegraded) this.#tellDegraded(degraded);
    this.#seenDegraded = degraded.join();
  }

  /** Stops watching. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #tellDegraded(reasons: readonly string[]): void {
    if (reasons.join() === this.#toldDegraded) return;
    this.#toldDegraded = reasons.join();
    if (reasons.length === 0) this.#logger.info("no_longer_degraded");
    else this.#logger.warn("degraded", { reasons });
  }

  #tell(reason: Health["reason"]): void {
    if (reason === this.#told) return;
    this.#told = reason;
    if (reason === "") this.#logger.info("ready");
    else this.#logger.warn("not_ready", { reason, ...this.#until(reason) });
  }

  /** Returns when the clock is not behind any more, if it is: waiting may not be an option. */
  #until(reason: Health["reason"]): { readonly until?: string } {
    if (reason !== "clock_behind") return {};
    return { until: new Date(this.#watched.venue.time - CLOCK_AHEAD_MS_MAX).toISOString() };
  }
}
