/** Sums of all members' funds, which trades must not change. */
import type { KeySigner, NonceRanges } from "../bench/load/presigned.ts";
import type { ServerProcess } from "../bench/load/server_process.ts";
import { signedCall } from "../bench/load/venue_setup.ts";

/** Returns the sums of available and locked funds by currency, in ledger units. */
export async function balanceTotals(
  server: ServerProcess,
  members: readonly { readonly signer: KeySigner; readonly nonces: NonceRanges }[],
): Promise<Record<string, bigint>> {
  const totals: Record<string, bigint> = {};
  for (const { signer, nonces } of members) {
    const accounts = await signedCall<{ currency: string; balance: string; locked: string }[]>(
      server,
      signer,
      nonces,
      { method: "GET", path: "/api/v2/backend/account/balances/" },
    );
    for (const { currency, balance, locked } of accounts) {
      totals[currency] = (totals[currency] ?? 0n) + ledgerUnits(balance) + ledgerUnits(locked);
    }
  }
  return totals;
}

/** Parses a decimal into ledger units (1e-16), independently of the venue's code. */
function ledgerUnits(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(16, "0"));
}
