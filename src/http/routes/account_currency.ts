/** Finds the currency that an account call names. */
import {
  type Currency,
  currencyOn,
  networkIn,
  recordedNetwork,
  type Way,
} from "../../domain/money/currency.ts";
import type { AnyCall } from "../call.ts";
import { invalidField } from "../../edge/errors.ts";

/** Error identifier for a currency that the venue does not have. */
export const NO_CURRENCY = "account.currency.doesnt_exist";

/**
 * Returns the visible currency with a code, in any case.
 *
 * @throws {ApiError} 422 if there is none
 */
export async function currencyOf(call: AnyCall, code: string): Promise<Currency> {
  const currency = await anyCurrencyOf(call, code, NO_CURRENCY);
  if (currency.visible) return currency;
  throw invalidField(NO_CURRENCY, "currency", code);
}

/** Error identifier for a network that a currency does not live on. */
export const NO_NETWORK = "account.currency.network_doesnt_exist";

/** A currency by its terms on a network, and the way there. */
export interface NamedWay {
  readonly currency: Currency;
  readonly way: Way & { readonly network?: string };
}

/**
 * Returns the way of the visible currency with a code, by its first network or the one that is named.
 *
 * @throws {ApiError} 422 if there is none
 */
export async function wayOf(
  call: AnyCall,
  code: string,
  network: string | undefined,
): Promise<NamedWay> {
  let currency = await currencyOf(call, code);
  if (network !== undefined && networkIn(currency, network) === undefined) {
    // Another process may just have added it.
    await call.engine.fresh();
    currency = await currencyOf(call, code);
    if (networkIn(currency, network) === undefined) {
      throw invalidField(NO_NETWORK, "network", network);
    }
  }
  const way = { currency: currency.id, ...recordedNetwork(currency, network) };
  return { currency: currencyOn(currency, network), way };
}

async function anyCurrencyOf(
  { engine }: AnyCall,
  code: string,
  identifier: string,
): Promise<Currency> {
  const find = () => engine.venue.currencyById.get(code.trim().toLowerCase());
  let currency = find();
  if (currency === undefined) {
    // Another process may just have created it.
    await engine.fresh();
    currency = find();
  }
  if (currency !== undefined) return currency;
  throw invalidField(identifier, "currency", code);
}

/**
 * Returns the index of the currency that a filter of the member's own records names, visible or
 * not; undefined if it names none.
 *
 * @throws {ApiError} 422 if there is none
 */
export async function currencyIndex(
  call: AnyCall,
  code: string | undefined,
  identifier: string = NO_CURRENCY,
): Promise<number | undefined> {
  return code === undefined ? undefined : (await anyCurrencyOf(call, code, identifier)).index;
}
