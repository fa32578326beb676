/** What a process measures, of its engine and of its sockets. */
import type { Metrics } from "../engine/engine.ts";

/** What the sockets of a process come to. */
export interface SocketFigures {
  /** Sockets that are open or about to be. */
  readonly sockets: number;
  /** Readers that were closed since they had fallen behind. */
  readonly dropped_readers: number;
}

/** Everything that a process measures. */
export type Figures = Metrics & SocketFigures;
