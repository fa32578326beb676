/** The currencies that profit and loss is kept in, as the setting names them. */
import type { Engine } from "./engine/engine.ts";
import { submitOwn } from "./member_setup.ts";

/**
 * Keeps profit and loss in those of the currencies that the venue has, and in the others once an
 * operator creates them.
 *
 * @returns codes that the venue does not have yet
 */
export async function keepPnlCurrencies(
  engine: Engine,
  codes: readonly string[],
  onFault: (error: unknown) => void,
): Promise<readonly string[]> {
  await setPnlCurrencies(engine, codes);
  const missing = codes.filter((code) => !engine.venue.currencyById.has(code));
  const awaited = new Set(missing);
  if (missing.length > 0) {
    engine.onEntry((events) => {
      for (const event of events) {
        // Once only: the currency may be changed often, and the setting by another process.
        if (event.kind !== "currency_set" || !awaited.delete(event.currency.id)) continue;
        // The one caller that could be told of a failure has asked for something else.
        setPnlCurrencies(engine, codes).catch(onFault);
      }
    });
  }
  return missing;
}

/** Keeps profit and loss in those of the currencies that the venue has. */
export async function setPnlCurrencies(engine: Engine, codes: readonly string[]): Promise<void> {
  const { currencyById, pnlCurrencies } = engine.venue;
  const currencies = codes.filter((code) => currencyById.has(code));
  if (currencies.join() === pnlCurrencies.join()) return;
  await submitOwn(engine, { kind: "set_pnl_currencies", currencies });
}
