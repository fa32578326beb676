/** Deletes expired rows. Nothing depends on when: each row holds its own expiry. */
import type { Engine, SidecarKey } from "../engine/engine.ts";
import {
  ACTIVITY_ROWS,
  EMAIL_CODE_ROWS,
  NEW_OTP_SECRET_ROWS,
  SESSION_ROWS,
  SIGN_UP_ROWS,
  THROTTLE_ROWS,
} from "../engine/sidecar_rows.ts";
import { isActivityOver } from "./activity_rows.ts";
import { isEmailCodeOver } from "./email_codes.ts";
import { isSessionForgotten } from "./member_sessions.ts";
import { isNewSecretOver } from "./proofs/otp_secrets.ts";
import { isSignUpOver } from "./pending_sign_ups.ts";
import { isThrottleOver } from "./walls/throttle.ts";

/** Pause between two pages, in ms; none after a full page with expired rows. */
const PAGE_MS = 10_000;
/** Rows per page. */
export const PAGE_ROWS = 200;

/** What the reaper needs of the engine. */
export type ReaperEngine = Pick<Engine, "changeSidecar" | "listSidecar" | "now">;

interface ReapedRows {
  readonly prefix: SidecarKey;
  readonly isOver: (value: unknown, now: number) => boolean;
}

/** A walk over one kind of row. */
interface Walk extends ReapedRows {
  /** The last row of the previous page; null at the beginning. */
  after: SidecarKey | null;
}

const REAPED: readonly ReapedRows[] = [
  { prefix: SESSION_ROWS, isOver: isSessionForgotten },
  { prefix: EMAIL_CODE_ROWS, isOver: isEmailCodeOver },
  { prefix: SIGN_UP_ROWS, isOver: isSignUpOver },
  { prefix: THROTTLE_ROWS, isOver: isThrottleOver },
  { prefix: NEW_OTP_SECRET_ROWS, isOver: isNewSecretOver },
  { prefix: ACTIVITY_ROWS, isOver: isActivityOver },
];

/** Walks over each kind of this layer's rows, a page at a time, over and over. */
export class Reaper {
  readonly #engine: ReaperEngine;
  readonly #onFault: (error: unknown) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Separate walks, so that many live rows of one kind don't delay the others. */
  readonly #walks: readonly Walk[] = REAPED.map((rows) => ({ ...rows, after: null }));
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(engine: ReaperEngine, onFault: (error: unknown) => void) {
    this.#engine = engine;
    this.#onFault = onFault;
  }

  /** Starts walking. */
  start(): void {
    this.#timer ??= setInterval(() => this.#walk(), PAGE_MS);
  }

  /** Stops after the current page. */
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
   * Continues each walk by a page, and by further pages while they are full and hold expired rows:
   * so many can be written in a second that one page per pause would never keep up.
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

  /** Sweeps the next page; returns how many rows it deleted. */
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
