/** What a process measures, of its engine, its sockets and its callers. */
import type { Metrics } from "../engine/engine.ts";

/** What the sockets of a process come to. */
export interface SocketFigures {
  /** Sockets that are open or about to be. */
  readonly sockets: number;
  /** Readers that were closed since they had fallen behind. */
  readonly dropped_readers: number;
}

/** What failed to prove who it is. */
export interface AuthFigures {
  /** Signed calls that were not let through, and sign-ins. */
  readonly auth_failures: number;
}

/** Everything that a process measures. */
export type Figures = Metrics & SocketFigures & AuthFigures;
