/** Takes rows away that say nothing any more. Nothing depends on when: each row knows its end. */
import type { Engine, SidecarKey } from "../engine/engine.ts";
import { ACTIVITY_ROWS, isActivityOver } from "./activity_rows.ts";
import { EMAIL_CODE_ROWS, isEmailCodeOver } from "./email_codes.ts";
import { isSessionOver, SESSION_ROWS } from "./member_sessions.ts";
import { isNewSecretOver, NEW_SECRET_ROWS } from "./otp_secrets.ts";
import { isThrottleOver, THROTTLE_ROWS } from "./throttle.ts";

/** Pause between two pages, in ms; none after a full one that had something to take away. */
const PAGE_MS = 10_000;
/** Rows of a page. */
export const PAGE_ROWS = 200;

/** What of the engine the reaper needs. */
export type ReaperEngine = Pick<Engine, "changeSidecar" | "listSidecar" | "now">;

interface ReapedRows {
  readonly prefix: SidecarKey;
  readonly isOver: (value: unknown, now: number) => boolean;
}

/** A walk over one kind of rows. */
interface Walk extends ReapedRows {
  /** The last row of the page before; null at the beginning. */
  after: SidecarKey | null;
}

const REAPED: readonly ReapedRows[] = [
  { prefix: SESSION_ROWS, isOver: isSessionOver },
  { prefix: EMAIL_CODE_ROWS, isOver: isEmailCodeOver },
  { prefix: THROTTLE_ROWS, isOver: isThrottleOver },
  { prefix: NEW_SECRET_ROWS, isOver: isNewSecretOver },
  { prefix: ACTIVITY_ROWS, isOver: isActivityOver },
];

/** Walks over each kind of this layer's rows, a page at a time, round and round. */
export class Reaper {
  readonly #engine: ReaperEngine;
  readonly #onFault: (error: unknown) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Each goes by itself: where there are many rows that stay, the others do not wait for them. */
  readonly #walks: readonly Walk[] = REAPED.map((rows) => ({ ...rows, after: null }));
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(engine: ReaperEngine, onFault: (error: unknown) => void) {
    this.#engine = engine;
    this.#onFault = onFault;
  }

  /** Begins to walk. */
  start(): void {
    this.#timer ??= setInterval(() => this.#walk(), PAGE_MS);
  }

  /** Stops after the page that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #walk(): void {
    this.#running ??= this.step().catch(this.#onFault).finally(() => {
      this.#running = null;
    });
  }

  /**
   * Goes on with each walk: a page, and the next at once while they are full and hold rows that say
   * nothing any more. So many may be made in a second that a page every so often would never end.
   */
  async step(): Promise<void> {
    for (const walk of this.#walks) {
      let count: number;
      do {
        if (this.#isClosed) return;
        count = await this.#sweepPage(walk);
      } while (walk.after !== null && count > 0);
    }
  }

  /** Goes over the next page; answers how many rows it has taken away. */
  async #sweepPage(walk: Walk): Promise<number> {
    const { prefix, isOver, after } = walk;
    const range = { prefix, limit: PAGE_ROWS, ...(after === null ? {} : { after }) };
    const rows = await this.#engine.listSidecar(range);
    const now = this.#engine.now();
    const over = rows.filter(({ value }) => isOver(value, now));
    for (const { key } of over) {
      await this.#engine.changeSidecar(
        key,
        (old) => old === null || isOver(old, now) ? null : old,
      );
    }
    walk.after = rows.length < PAGE_ROWS ? null : rows.at(-1)?.key ?? null;
    return over.length;
  }
}
