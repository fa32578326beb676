/** Makes deposits in the sandbox. */
import { type Currency, isOnPrecision, type Way } from "../domain/money/currency.ts";
import { formatDecimal, LEDGER_ONE } from "../domain/money/money.ts";
import type { AmountRule } from "../domain/rejection.ts";
import { UnavailableError } from "../engine/engine.ts";
import type { SandboxRail } from "../wallet/rails/sandbox_rail.ts";
import { ApiError } from "../edge/errors.ts";
import type { Services } from "./route_needs.ts";

/** Maximum amount of one deposit, in coins. */
const SANDBOX_COINS_MAX = 1_000_000_000n;

/** How long a payment waits for an address to be created, in ms: the time of a slow commit. */
const ADDRESS_WAIT_MS = 5_000;

/** A payment made by the sandbox. */
export interface SandboxPayment {
  readonly address: string;
  readonly tag?: string;
  readonly txid: string;
}

/**
 * Checks the amount of a payment before it is noted or made.
 *
 * @param prefix of the error identifier
 * @throws {ApiError} 422 for an amount that the currency does not allow
 */
export function checkSandboxAmount(currency: Currency, amount: bigint, prefix: string): void {
  const most = SANDBOX_COINS_MAX * LEDGER_ONE;
  const refused = (rule: AmountRule, limit: string) =>
    new ApiError(422, `${prefix}.invalid_amount`, { details: { field: "amount", rule, limit } });
  if (!isOnPrecision(currency, amount)) throw refused("precision", String(currency.precision));
  if (amount > most) throw refused("maximum", formatDecimal(most));
  if (amount <= currency.depositFee) throw refused("fee", formatDecimal(currency.depositFee));
}

/** Pays a checked amount to a member's address in the sandbox. */
export async function payInSandbox(
  { wallet }: Pick<Services, "wallet">,
  sandbox: SandboxRail,
  payment: { uid: string; way: Way; amount: bigint },
): Promise<SandboxPayment> {
  const { uid, way, amount } = payment;
  const found = await wallet.addressOf(uid, way, ADDRESS_WAIT_MS);
  const address = found?.address ?? null;
  if (address === null) throw new UnavailableError("The address is being created");
  const tag = found?.tag;
  const txid = await sandbox.deposit(way, address, amount, tag);
  return { address, ...tag === undefined ? {} : { tag }, txid };
}
