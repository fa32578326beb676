/** The accounts that a member is shown, as in the list of balances. */
import { byPosition } from "../../edge/wire/listed_markets.ts";
import { type Account, emptyAccount, isEmptyAccount } from "../../domain/money/account.ts";
import type { Currency } from "../../domain/money/currency.ts";
import type { Venue } from "../../domain/venue.ts";

/** An account with its currency's index. */
export interface CurrencyAccount {
  readonly currency: number;
  readonly account: Account;
}

/** Returns a member's account by currency index; undefined for one that was never used. */
export type AccountOf = (currency: number) => Account | undefined;

/** Returns the accounts of visible currencies, and others only if there is money. */
export function shownAccounts(venue: Venue, accountOf: AccountOf): CurrencyAccount[] {
  const shown: CurrencyAccount[] = [];
  for (const { currency: { index, visible }, unused } of inPositions(venue.currencies)) {
    const account = accountOf(index) ?? unused;
    if (visible || !isEmptyAccount(account)) shown.push({ currency: index, account });
  }
  return shown;
}

interface Position {
  readonly currency: Currency;
  /** Stands for the account of whoever has never used the currency. */
  readonly unused: Account;
}

interface Sorting {
  readonly of: readonly Currency[];
  readonly sorted: readonly Position[];
}

/** The last sorting of each list, which is asked for with every event that concerns a balance. */
const sortings = new WeakMap<readonly Currency[], Sorting>();

function inPositions(currencies: readonly Currency[]): readonly Position[] {
  const known = sortings.get(currencies);
  if (known !== undefined && isSame(known.of, currencies)) return known.sorted;
  const sorted = [...currencies].sort(byPosition)
    .map((currency) => ({ currency, unused: emptyAccount() }));
  sortings.set(currencies, { of: [...currencies], sorted });
  return sorted;
}

function isSame(one: readonly Currency[], other: readonly Currency[]): boolean {
  return one.length === other.length && one.every((currency, i) => currency === other[i]);
}
