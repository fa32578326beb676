/**
 * Which sweeps are on their way, in one row: so many at a time, one of an address, and of a token
 * that has not shown that it moves, one at all.
 */
import type { EvmEngine, EvmRows } from "./evm_rows.ts";

/** Sweeps that may be on their way at once. */
const OPEN_MAX = 16;
/** How often in a row a token may fail before it is left alone, and for how many blocks. */
const FAILURES_MAX = 3;
const REST_BLOCKS = 7_200;

/** A sweep of a coin from an address, by the nonce that it has there. */
export interface OpenSweep {
  readonly currency: string;
  readonly address: string;
  readonly nonce: number;
}

/** How a coin's sweeps have fared. */
export interface CoinSweeps {
  /** In a row, up to the last one. */
  readonly failures: number;
  /** Height of the chain at the last one. */
  readonly height: number;
}

/** Sweeps that are on their way, and how coins fared by those that were. */
export interface Sweeping {
  readonly open: readonly OpenSweep[];
  readonly coins: Readonly<Record<string, CoinSweeps>>;
}

/** How a sweep has ended; one that was left has cost its coin nothing. */
export type SweepEnd = "done" | "failed" | "left";

const NONE: Sweeping = { open: [], coins: {} };

/** The sweeps of a network. */
export class SweepSlots {
  constructor(private readonly engine: EvmEngine, private readonly rows: EvmRows) {}

  /** Returns the sweeps that are on their way. */
  async read(): Promise<Sweeping> {
    return await this.engine.readSidecar(this.rows.sweeping()) as Sweeping | null ?? NONE;
  }

  /** Returns whether a sweep may begin, after noting that it does. */
  async take(sweep: OpenSweep, height: number): Promise<boolean> {
    const changed = await this.#change((now) =>
      hasRoom(now, sweep.currency, height) && !now.open.some((one) => one.address === sweep.address)
        ? { ...now, open: [...now.open, sweep] }
        : now
    );
    return changed.open.some((one) => isSame(one, sweep));
  }

  /** Notes how a sweep has ended; returns how often its coin has failed since it last moved. */
  async end(sweep: OpenSweep, how: SweepEnd, height: number): Promise<number> {
    const { currency } = sweep;
    const changed = await this.#change((now) => {
      // Another process has noted it.
      if (!now.open.some((one) => isSame(one, sweep))) return now;
      const open = now.open.filter((one) => !isSame(one, sweep));
      if (how === "left") return { ...now, open };
      const failures = how === "done" ? 0 : (now.coins[currency]?.failures ?? 0) + 1;
      return { open, coins: { ...now.coins, [currency]: { failures, height } } };
    });
    return changed.coins[currency]?.failures ?? 0;
  }

  async #change(change: (now: Sweeping) => Sweeping): Promise<Sweeping> {
    return await this.engine.changeSidecar(
      this.rows.sweeping(),
      (old) => change(old as Sweeping | null ?? NONE),
    );
  }
}

/** Returns whether a coin may be swept from one more address. */
export function hasRoom({ open, coins }: Sweeping, currency: string, height: number): boolean {
  if (open.length >= OPEN_MAX) return false;
  const { failures, height: last } = coins[currency] ?? { failures: 1, height: 0 };
  if (failures === 0) return true;
  if (failures >= FAILURES_MAX && height - last < REST_BLOCKS) return false;
  return !open.some((one) => one.currency === currency);
}

/** Returns whether a coin that has failed so often is left alone for a while. */
export function isGivenUp(failures: number): boolean {
  return failures >= FAILURES_MAX;
}

function isSame(one: OpenSweep, other: OpenSweep): boolean {
  return one.address === other.address && one.nonce === other.nonce &&
    one.currency === other.currency;
}
