/** What a bot has, beside what it began with. */
import { decimalOf, unitsOf, type Venue } from "../../client.ts";

/** Digits of the venue's balances. */
const DIGITS = 16;
/** How much of what it began with a bot lets go before it asks the faucet: to a quarter. */
const LEAST = 4n;
/** Digits of what it asks for. */
const ASKED_DIGITS = 2;

/** A member's balances, and the faucet that fills them up. */
export class Purse {
  readonly #venue: Venue;
  readonly #first: ReadonlyMap<string, bigint>;
  #held: ReadonlyMap<string, bigint> = new Map();

  /** @param first currency → what it began with */
  constructor(venue: Venue, first: Readonly<Record<string, string>>) {
    this.#venue = venue;
    this.#first = new Map(
      Object.entries(first).map(([currency, amount]) => [currency, unitsOf(amount, DIGITS)]),
    );
  }

  /**
   * Returns how much more there is of a currency than at first: -1 where nothing is left, 0 where
   * nobody knows.
   */
  excessOf(currency: string): number {
    const [first, held] = [this.#first.get(currency), this.#held.get(currency)];
    if (first === undefined || first === 0n || held === undefined) return 0;
    return Number((held - first) * 10_000n / first) / 10_000;
  }

  /** Reads the balances, and asks the faucet for what has run low. @throws {Error} as calls do */
  async look(signal: AbortSignal): Promise<void> {
    const balances = await this.#venue.get("/api/v2/backend/account/balances", { signal });
    this.#held = new Map(
      balances.map(({ currency, balance, locked }) => [
        currency,
        unitsOf(balance, DIGITS) + unitsOf(locked, DIGITS),
      ]),
    );
    for (const [currency, first] of this.#first) {
      const held = this.#held.get(currency) ?? 0n;
      if (held * LEAST >= first) continue;
      const missing = (first - held) / 10n ** BigInt(DIGITS - ASKED_DIGITS);
      const body = { currency, amount: decimalOf(missing, ASKED_DIGITS) };
      await this.#venue.post("/api/v2/backend/account/faucet", { body, signal });
    }
  }
}
