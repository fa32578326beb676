/** Kinds of worlds: how many processes, how large a load, how many faults. */

/** The nonce window of every process, in ms. */
export const NONCE_WINDOW_MS = 5000;

/** A world draws one item from each list. */
export interface WorldProfile {
  /** Maximum number of processes that share a store. */
  readonly processes: readonly number[];
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
    burst: [128, 256, 1024],
    commandMs: [0.05, 0.2],
    outstanding: [600, 2000],
    faults: 0.3,
    deathChanceMax: 0.0005,
    troubles: 1,
    comparedOneIn: 1000,
    isAuditedTwice: false,
  },
} as const satisfies Record<string, WorldProfile>;
export type ProfileName = keyof typeof PROFILES;
