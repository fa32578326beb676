/** What the wallet lacks of coins for payments that wait: it is noted, so that sweeps bring it. */
import type { NetworkCoin } from "../../rails/network_rail.ts";
import { missingText, PayoutWaitsError } from "../../rails/payout_waits.ts";
import type { EvmNetwork } from "../evm_networks.ts";
import type { EvmEngine, EvmRows } from "../evm_rows.ts";
import type { OpenPayout } from "./evm_nonces.ts";

/** Fractional digits of an ether in wei. */
const ETHER_DIGITS = 18;
/** How long it counts that a payment has lacked coins, in ms; it is tried more often. */
const SHORT_MS = 600_000;

/** What noting works with. */
export interface ShortageParts {
  readonly engine: EvmEngine;
  readonly rows: EvmRows;
  readonly network: EvmNetwork;
  readonly coins: () => readonly NetworkCoin[];
}

/** What a payment has lacked of a coin, in units, and when, in ms. */
interface Shortage {
  readonly units: bigint;
  readonly at: number;
}

/** The wallet lacks so much of a coin, by its contract, for a payment that waits for it. */
export class TooLittleError extends PayoutWaitsError {
  constructor(readonly contract: string | null, readonly units: bigint, what: string) {
    super("too_little", what);
  }
}

/** What an address of the wallet lacks. */
export class Shortages {
  readonly #parts: ShortageParts;
  readonly #address: string;

  constructor(parts: ShortageParts, address: string) {
    this.#parts = parts;
    this.#address = address;
  }

  /** Returns what payments of a coin lately lacked; null if nothing waits for more of it. */
  async missing(contract: string | null): Promise<bigint | null> {
    const { engine, rows } = this.#parts;
    const short = await engine.readSidecar(rows.short(contract)) as Shortage | null;
    return short === null || engine.now() - short.at >= SHORT_MS ? null : short.units;
  }

  /** Notes what a payment lacks. */
  async note({ contract, units }: TooLittleError): Promise<void> {
    const { engine, rows } = this.#parts;
    await engine.changeSidecar(rows.short(contract), (): Shortage => ({ units, at: engine.now() }));
  }

  /** Returns what to say of so much that a payment lacks, and of the gas that it lacks beside. */
  tooLittle(
    contract: string | null,
    units: bigint,
    forWhat: string,
    gas: bigint,
  ): TooLittleError {
    const { coins, network: { name: network } } = this.#parts;
    const text = (of: string | null, units: bigint) => {
      const coin = coins().find((one) => one.contract === of);
      const digits = coin?.digits ?? ETHER_DIGITS;
      return missingText({ coin, units, digits, network, address: this.#address });
    };
    const also = gas === 0n ? "" : `; also ${text(null, gas)}`;
    const what = `The wallet holds too little${forWhat}: ${text(contract, units)}`;
    return new TooLittleError(contract, units, `${what}, unless sweeps bring it${also}`);
  }
}

/** Returns how much of a coin payments take at most. */
export function takenOf(waiting: readonly OpenPayout[], contract: string | null): bigint {
  const same = waiting.filter((one) => contract === null || one.contract === contract);
  return same.reduce((sum, { cost, units }) => sum + (contract === null ? cost : units), 0n);
}
