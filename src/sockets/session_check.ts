/** Checks whether the session of an open connection still lives: its end is not in the log. */
import { reject } from "../domain/rejection.ts";
import type { Engine } from "../engine/engine.ts";
import { sessionKey } from "../engine/sidecar_rows.ts";
import type { SessionCaller } from "../identity/identity.ts";
import { isSessionOver } from "../identity/member_sessions.ts";
import { type CheckEngine, LateCheck } from "./late_check.ts";
import { AccessEndedError } from "./rpc/rpc_trader.ts";
import type { SocketRegistry } from "./socket_registry.ts";

/**
 * How long ago all sessions may have been seen alive, in ms. They are looked at every second unless
 * the process stood still or the store was away: then others may have ended some of them.
 */
export const SESSIONS_LATE_MS_MAX = 2_000;

/** The check of one connection's session; it rejects with {@linkcode AccessEndedError}. */
export class SessionCheck extends LateCheck {
  readonly #engine: CheckEngine & Pick<Engine, "readSidecar" | "now">;
  readonly #registry: Pick<SocketRegistry, "sessionsSeenAt">;
  readonly #session: SessionCaller;
  readonly #now: () => number;
  readonly #openedAt: number;

  /** @param now a monotonic clock in ms */
  constructor(
    engine: CheckEngine & Pick<Engine, "readSidecar" | "now">,
    registry: Pick<SocketRegistry, "sessionsSeenAt">,
    session: SessionCaller,
    now: () => number = () => performance.now(),
  ) {
    super(engine);
    this.#engine = engine;
    this.#registry = registry;
    this.#session = session;
    this.#now = now;
    this.#openedAt = now();
  }

  /** Another process may just have ended it, of which nothing is in the log. */
  protected override isDue(mayWrite: boolean): boolean {
    return mayWrite || this.isLate();
  }

  protected override isLate(): boolean {
    const seenAt = Math.max(this.#openedAt, this.#registry.sessionsSeenAt);
    return super.isLate() || this.#now() - seenAt > SESSIONS_LATE_MS_MAX;
  }

  protected override async verify(): Promise<void> {
    const { member: { uid }, sessionId } = this.#session;
    const row = await this.#engine.readSidecar(sessionKey(uid, sessionId));
    if (isSessionOver(row, this.#engine.now())) {
      throw new AccessEndedError(reject("member_not_active"));
    }
  }
}
