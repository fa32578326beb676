/** Checks whether the session of an open connection still lives: its end is not in the log. */
import { reject } from "../domain/rejection.ts";
import { type Engine, LATE_MS_MAX } from "../engine/engine.ts";
import type { SessionCaller } from "../identity/identity.ts";
import { isSessionOver, SESSION_ROWS } from "../identity/member_sessions.ts";
import { LateCheck } from "./late_check.ts";
import { AccessEndedError } from "./rpc_trader.ts";
import type { SocketRegistry } from "./socket_registry.ts";

/**
 * How long ago all sessions may have been seen alive, in ms. They are looked at every second, unless
 * the process stood still or the store was away: then others may have ended some of them.
 */
export const SESSIONS_LATE_MS_MAX = 2_000;

/** The session of one connection; checks reject with {@linkcode AccessEndedError}. */
export class SessionLife extends LateCheck {
  /** @param now a monotonic clock in ms */
  constructor(
    engine: Pick<Engine, "fresh" | "lagMs" | "readSidecar" | "now">,
    registry: Pick<SocketRegistry, "sessionsSeenAt">,
    { member: { uid }, sessionId }: SessionCaller,
    now: () => number = () => performance.now(),
  ) {
    const openedAt = now();
    super({
      isLate: () =>
        engine.lagMs > LATE_MS_MAX ||
        now() - Math.max(openedAt, registry.sessionsSeenAt) > SESSIONS_LATE_MS_MAX,
      catchUp: () => engine.fresh(),
      async verify() {
        const row = await engine.readSidecar([...SESSION_ROWS, uid, sessionId]);
        if (isSessionOver(row, engine.now())) {
          throw new AccessEndedError(reject("member_not_active"));
        }
      },
    });
  }
}
