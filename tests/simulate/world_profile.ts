/** Kinds of worlds: how many processes, how far from the store, how large a load, how many faults. */

/** The nonce window of every process, in ms. */
export const NONCE_WINDOW_MS = 5000;

/** A world draws one item from each list. */
export interface WorldProfile {
  /** Maximum number of near processes that share a store. */
  readonly processes: readonly number[];
  /**
   * How far the processes beside a near one are from the store, in ms that a trip takes one way: then
   * it is remote, and each has to get its calls in beside the others. Empty where all are near.
   */
  readonly distancesMs: readonly (readonly number[])[];
  /** Maximum number of commands submitted at once. */
  readonly burst: readonly number[];
  /** Time between two commands, in ms. */
  readonly commandMs: readonly number[];
  /** Number of unanswered commands of a process above which its clients wait. */
  readonly outstanding: readonly number[];
  /** Factor on the probability of faults in `FAULTS`; then the maximum of deaths at calls. */
  readonly faults: number;
  readonly deathChanceMax: number;
  /** Factor on the frequency of troubles in `TROUBLES`. */
  readonly troubles: number;
  /** One in so many published entries is compared with the oracle's whole state. */
  readonly comparedOneIn: number;
  /** Whether a world at rest is also audited before it is restarted. */
  readonly isAuditedTwice: boolean;
}

export const PROFILES = {
  /** For a few hundred commands: constant faults of all kinds. */
  short: {
    processes: [2, 3, 4],
    distancesMs: [],
    burst: [4, 32, 128, 256],
    commandMs: [0.2, 1, 4],
    outstanding: [40, 200],
    faults: 8,
    deathChanceMax: 0.005,
    troubles: 4,
    comparedOneIn: 400,
    isAuditedTwice: true,
  },
  /** For tens of thousands of commands: full batches, and one death in a few thousand commands. */
  long: {
    processes: [1, 1, 1, 2, 2, 3, 4],
    distancesMs: [],
    burst: [128, 256, 1024],
    commandMs: [0.05, 0.2],
    outstanding: [600, 2000],
    faults: 0.3,
    deathChanceMax: 0.0005,
    troubles: 1,
    comparedOneIn: 1000,
    isAuditedTwice: false,
  },
  /** For a few hundred commands: one process near the store, others in other regions. */
  far: {
    processes: [1],
    distancesMs: [[25], [75], [150], [300], [1000], [25, 75], [150, 150], [75, 300], [75, 75, 75]],
    burst: [1, 4, 16],
    commandMs: [3, 16],
    outstanding: [200, 600],
    faults: 0.3,
    deathChanceMax: 0.0005,
    troubles: 0.2,
    comparedOneIn: 400,
    isAuditedTwice: false,
  },
} as const satisfies Record<string, WorldProfile>;
export type ProfileName = keyof typeof PROFILES;
