import { isRejection } from "../../src/domain/command.ts";
import { parseDecimal } from "../../src/domain/money/money.ts";
import { UIDS } from "./beneficiaries.ts";
import type { TestVenue } from "./with_venue.ts";

/** A deposit as the rail observes it; by default one bitcoin for alice. */
export interface ObservedDeposit {
  readonly uid?: string;
  readonly currency?: string;
  readonly amount?: string;
  readonly txid?: string;
  readonly output?: number;
}

/** Submits an observed deposit; returns its id. */
export async function observeDeposit(
  venue: TestVenue,
  deposit: ObservedDeposit = {},
): Promise<number> {
  const { uid = UIDS.alice, currency = "btc", amount = "1", txid = "tx", output = 0 } = deposit;
  const { engine } = venue;
  const index = engine.venue.currencyById.get(currency)?.index ?? -1;
  const outcome = await engine.submit({
    kind: "observe_deposit",
    uid,
    currency,
    amount: parseDecimal(amount) ?? 0n,
    txid,
    output,
    confirmations: 0,
    ...await engine.findDeposit(index, txid, output),
  }, null);
  if (isRejection(outcome) || outcome.kind !== "deposit_set") {
    throw new Error(`The deposit is not taken: ${JSON.stringify(outcome)}`);
  }
  return outcome.deposit.id;
}
