/** Logs the sockets that their clients have not closed: a venue that puts readers out says so. */
import type { ClosedSockets } from "../../edge/figures.ts";
import type { Logger } from "../logger.ts";

/** How often they are logged, in ms, if there were any: they may be thousands at a time. */
const LOG_MS = 60_000;

/** Watches the count of closed sockets. */
export class ClosedSocketsLog {
  readonly #figures: () => readonly ClosedSockets[];
  readonly #logger: Pick<Logger, "warn">;
  /** What was logged before, by code and reason. */
  readonly #told = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(figures: () => readonly ClosedSockets[], logger: Pick<Logger, "warn">) {
    this.#figures = figures;
    this.#logger = logger;
  }

  /** Logs from now on. */
  start(): void {
    this.#timer = setInterval(() => this.look(), LOG_MS);
    Deno.unrefTimer(this.#timer);
  }

  /** Logs those since the last look, a line for each code and reason. */
  look(): void {
    for (const { code, reason, count } of this.#figures()) {
      const name = `${code} ${reason}`;
      const more = count - (this.#told.get(name) ?? 0);
      this.#told.set(name, count);
      if (more > 0) this.#logger.warn("sockets_closed", { code, reason, count: more });
    }
  }

  /** Logs the rest. */
  stop(): void {
    clearInterval(this.#timer);
    this.look();
  }
}
