/** Kinds of worlds: how many processes, how far from the store, how large a load, how many faults. */
import type { Trouble } from "./faults.ts";

/** The nonce window of every process, in ms. */
export const NONCE_WINDOW_MS = 5000;

/** How clients send calls again. */
export interface ClientHabits {
  /** The share of calls that are sent again, … */
  readonly repeatChance: number;
  /** … out of so many of the latest. */
  readonly latestMax: number;
  /** The share of these that are signed anew, so that only the names of their orders are known. */
  readonly anewChance: number;
}

export const USUAL_CLIENTS: ClientHabits = { repeatChance: 0.012, latestMax: 100, anewChance: 0 };

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
  /** The troubles that a world has, if not any; then a deadline is one of client order ids. */
  readonly only: readonly Trouble[] | null;
  readonly clients: ClientHabits;
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
    only: null,
    clients: USUAL_CLIENTS,
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
    only: null,
    clients: USUAL_CLIENTS,
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
    only: null,
    clients: USUAL_CLIENTS,
    comparedOneIn: 400,
    isAuditedTwice: false,
  },
  /** For a few hundred commands: things expire by a clock that is ahead, in batches that are undone. */
  deadlines: {
    processes: [1],
    distancesMs: [],
    burst: [8, 16],
    commandMs: [0.5, 2],
    outstanding: [100],
    faults: 0,
    deathChanceMax: 0,
    troubles: 16,
    only: ["deadline"],
    clients: { repeatChance: 0.2, latestMax: 800, anewChance: 0.9 },
    comparedOneIn: 400,
    isAuditedTwice: false,
  },
} as const satisfies Record<string, WorldProfile>;
export type ProfileName = keyof typeof PROFILES;
