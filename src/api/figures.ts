/** Figures that a process measures about its engine, its sockets and its callers. */
import type { Metrics } from "../engine/engine.ts";

/** Figures of the sockets of a process. */
export interface SocketFigures {
  /** Sockets that are open or being opened. */
  readonly sockets: number;
  /** Readers that were disconnected because they had fallen behind. */
  readonly dropped_readers: number;
}

/** Figures of failed authentication. */
export interface AuthFigures {
  /** Refused signed calls and failed sign-ins. */
  readonly auth_failures: number;
}

/** All figures that a process measures. */
export type Figures = Metrics & SocketFigures & AuthFigures;
