/** The network that a withdrawal leaves by: that of its beneficiary, which never changes. */
import { type Currency, currencyOn, type Way } from "./currency.ts";
import type { Venue } from "../venue.ts";
import type { Withdraw } from "./withdraw.ts";

/** Returns the network of a withdrawal, as records name it. */
export function withdrawNetwork(
  venue: Pick<Venue, "holder">,
  { beneficiary, member }: Pick<Withdraw, "beneficiary" | "member">,
): string | undefined {
  return venue.holder(member).beneficiaries.get(beneficiary)?.network;
}

/** Returns the way of a withdrawal. */
export function withdrawWay(
  venue: Pick<Venue, "holder" | "currency">,
  withdraw: Pick<Withdraw, "beneficiary" | "currency" | "member">,
): Way & { readonly network?: string } {
  const { id } = venue.currency(withdraw.currency);
  const network = withdrawNetwork(venue, withdraw);
  return network === undefined ? { currency: id } : { currency: id, network };
}

/** Returns the currency of a withdrawal by its terms on that network. */
export function withdrawCurrency(
  venue: Pick<Venue, "holder" | "currency">,
  withdraw: Pick<Withdraw, "beneficiary" | "currency" | "member">,
): Currency {
  return currencyOn(venue.currency(withdraw.currency), withdrawNetwork(venue, withdraw));
}
