/** What records of older formats mean to this program. */
import type { Currency, CurrencyNetwork } from "../domain/money/currency.ts";
import type { WithdrawLimit } from "../domain/money/withdraw_limits.ts";

/** Since which formats records mean something else. */
interface Since {
  readonly log: number;
  readonly row: number;
}

/** Makes a record of an older format what it means now. */
export interface Renewal<T> {
  readonly since: Since;
  readonly renew: (record: T) => T;
}

/** Since these formats a limit of 0 is one of nothing, and null is none. */
const NULL_LIMITS: Since = { log: 5, row: 4 };
/** Since these formats a currency may live on several networks. */
const NETWORKS: Since = { log: 8, row: 6 };

/** A currency's renewals: each of its limits was none if it was 0, and it had one network. */
export const CURRENCY_RENEWALS: readonly Renewal<Currency>[] = [
  {
    since: NULL_LIMITS,
    renew(currency) {
      const { withdrawLimit24h, withdrawLimit72h } = currency;
      return {
        ...currency,
        withdrawLimit24h: withdrawLimit24h === 0n ? null : withdrawLimit24h,
        withdrawLimit72h: withdrawLimit72h === 0n ? null : withdrawLimit72h,
      };
    },
  },
  {
    since: NETWORKS,
    renew({ network, ...currency }: Currency & { readonly network?: CurrencyNetwork }) {
      return network === undefined ? currency : { ...currency, networks: [network] };
    },
  },
];

/** A limit's: it was none if both of its sums were 0. */
export const LIMIT_RENEWALS: readonly Renewal<WithdrawLimit>[] = [{
  since: NULL_LIMITS,
  renew(row) {
    const isNone = row.limit24h === 0n && row.limit1m === 0n;
    return isNone ? { ...row, limit24h: null, limit1m: null } : row;
  },
}];

/** Returns a record of an entry of the log, or of a row, of this format as it is meant now. */
export function renewed<T>(
  place: keyof Since,
  format: number,
  record: T,
  renewals: readonly Renewal<T>[],
): T {
  return renewals
    .filter(({ since }) => format < since[place])
    .reduce((one, { renew }) => renew(one), record);
}
