/** What kinds of worlds there are: how many processes, how much is asked at once, how much goes wrong. */

/** From each list a world takes one at random. */
export interface WorldProfile {
  /** Processes that share a store, at most. */
  readonly processes: readonly number[];
  /** Commands that come at once, at most. */
  readonly burst: readonly number[];
  /** Time between two commands, in ms. */
  readonly commandMs: readonly number[];
  /** Commands of one process without an answer from which on its clients wait. */
  readonly outstanding: readonly number[];
  /** How many times as probable as in `FAULTS` a fault is; the most probable that deaths at calls are. */
  readonly faults: number;
  readonly deathChanceMax: number;
  /** How many times as often as in `TROUBLES` troubles come. */
  readonly troubles: number;
  /** Of entries published, one in so many is compared with the oracle as a whole. */
  readonly comparedOneIn: number;
  /** Whether a world at rest is audited before it is started anew, too. */
  readonly isAuditedTwice: boolean;
}

export const PROFILES = {
  /** For a few hundred commands: everything goes wrong, all the time. */
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
  /** For tens of thousands: whole batches, one death in a few thousand commands. */
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
