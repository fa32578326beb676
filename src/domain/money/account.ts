/** The balances of one member in one currency, in ledger units. */
export interface Account {
  /** Free to use. */
  available: bigint;
  /** Held by open orders, withdrawals and deposits not yet collected. */
  locked: bigint;
}

/** Returns an account without funds. */
export function emptyAccount(): Account {
  return { available: 0n, locked: 0n };
}

/** Whether an account has no funds, free or held. */
export function isEmptyAccount({ available, locked }: Account): boolean {
  return available === 0n && locked === 0n;
}
