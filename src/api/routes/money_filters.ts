/** Words of the operator's queries about deposits and withdrawals, as what the venue knows. */
import type { Currency } from "../../domain/currency.ts";
import type { Holder, Venue } from "../../domain/venue.ts";
import type { AnyCall } from "../call.ts";
import { ApiError, invalidField } from "../errors.ts";

const NO_MEMBER = "admin.member.doesnt_exist";
const NO_CURRENCY = "admin.currency.doesnt_exist";
/** Errors of what names a member or a currency that there is not. */
export const UNKNOWN_ERRORS = [NO_MEMBER, NO_CURRENCY];

const RECORD_ID = /^[1-9]\d{0,14}$/;

/**
 * The record id of a path.
 *
 * @throws {ApiError} 404 where it is none
 */
export function recordId(call: AnyCall): number {
  const given = call.param("id");
  if (!RECORD_ID.test(given)) throw new ApiError(404, "record.not_found");
  return Number(given);
}

/**
 * The member that a query names.
 *
 * @throws {ApiError} 422 where there is none
 */
export function namedHolder(venue: Venue, uid: string): Holder {
  const holder = venue.holderByUid.get(uid);
  if (holder === undefined) throw invalidField(NO_MEMBER, "uid", uid);
  return holder;
}

/**
 * The currency that a query names, in any case.
 *
 * @throws {ApiError} 422 where there is none
 */
export function namedCurrency(venue: Venue, code: string): Currency {
  const currency = venue.currencyById.get(code.toLowerCase());
  if (currency === undefined) throw invalidField(NO_CURRENCY, "currency", code);
  return currency;
}
