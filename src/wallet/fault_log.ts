/** Logs what goes wrong at each round, but not at each round. */
import type { WalletLog } from "./wallet_notices.ts";

/** How long the same fault is not logged again, in ms. */
const QUIET_MS = 60_000;
const REMEMBERED_MAX = 100;

/** Logs faults as an event. */
export class FaultLog {
  readonly #log: Pick<WalletLog, "warn">;
  readonly #event: string;
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #now: () => number;
  readonly #toldAt = new Map<string, number>();

  /** @param fields what else the event has, beside the error */
  constructor(
    log: Pick<WalletLog, "warn">,
    event: string,
    fields: Readonly<Record<string, unknown>> = {},
    now: () => number = () => performance.now(),
  ) {
    this.#log = log;
    this.#event = event;
    this.#fields = fields;
    this.#now = now;
  }

  /** Logs a fault, unless the same was logged a moment ago. */
  tell(error: unknown): void {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const at = this.#now();
    if (at - (this.#toldAt.get(text) ?? -Infinity) < QUIET_MS) return;
    if (this.#toldAt.size >= REMEMBERED_MAX) this.#toldAt.clear();
    this.#toldAt.set(text, at);
    this.#log.warn(this.#event, { ...this.#fields, error });
  }
}
