/** Looks up the records that operators' calls about deposits, withdrawals and the sandbox name. */
import { type Currency, networkIn, recordedNetwork } from "../../domain/money/currency.ts";
import type { Holder, Venue } from "../../domain/venue.ts";
import type { AnyCall } from "../call.ts";
import { ApiError, invalidField } from "../../edge/errors.ts";

const NO_MEMBER = "admin.member.doesnt_exist";
/** Error identifier for a currency that the venue does not have, or that a call is not for. */
export const NO_CURRENCY = "admin.currency.doesnt_exist";
/** Error identifier for a network that a currency does not live on. */
export const NO_NETWORK = "admin.currency.network_doesnt_exist";
/** Error identifiers for a member or currency that does not exist. */
export const UNKNOWN_ERRORS = [NO_MEMBER, NO_CURRENCY];
/** The same where a network is named, too. */
export const UNKNOWN_WAY_ERRORS = [...UNKNOWN_ERRORS, NO_NETWORK];

const RECORD_ID = /^[1-9]\d{0,14}$/;

/**
 * Returns the record id in the path.
 *
 * @throws {ApiError} 404 if it is not an id
 */
export function recordId(call: AnyCall): number {
  const given = call.param("id");
  if (!RECORD_ID.test(given)) throw new ApiError(404, "record.not_found");
  return Number(given);
}

/**
 * Returns the member with a uid.
 *
 * @throws {ApiError} 422 if there is none
 */
export function namedHolder(venue: Venue, uid: string): Holder {
  const holder = venue.holderByUid.get(uid);
  if (holder === undefined) throw invalidField(NO_MEMBER, "uid", uid);
  return holder;
}

/**
 * Returns the currency with a code, in any case.
 *
 * @throws {ApiError} 422 if there is none
 */
export function namedCurrency(venue: Venue, code: string): Currency {
  const currency = venue.currencyById.get(code.toLowerCase());
  if (currency === undefined) throw invalidField(NO_CURRENCY, "currency", code);
  return currency;
}

/**
 * Returns how records name a currency's network, its first or the one that is named.
 *
 * @throws {ApiError} 422 if there is none
 */
export function namedNetwork(
  currency: Currency,
  name: string | undefined,
): { readonly network?: string } {
  if (name === undefined || networkIn(currency, name) !== undefined) {
    return recordedNetwork(currency, name);
  }
  throw invalidField(NO_NETWORK, "network", name);
}
