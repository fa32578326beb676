/** Parking of payouts: an operator decides about them, and is told so. */
import { isRejection } from "../domain/command.ts";
import type { Withdraw } from "../domain/money/withdraw.ts";
import { withdrawWay } from "../domain/money/withdraw_network.ts";
import type { Engine } from "../engine/engine.ts";
import type { WalletNotices } from "./wallet_notices.ts";

/** Why a payout is parked that no rail takes over. */
export const NO_RAIL = "the venue has no rail any more";

/** What parking needs. */
export interface ParkingParts {
  readonly engine: Pick<Engine, "submit" | "venue">;
  readonly notices: Pick<WalletNotices, "row" | "tell">;
}

/**
 * Parks a payout under the claim that the caller has seen, unless another process was faster.
 *
 * @param txid of the transaction that has failed to pay it; empty if nobody knows of one
 */
export async function parkPayout(
  { engine, notices }: ParkingParts,
  withdraw: Withdraw,
  reason: string,
  txid: string = "",
): Promise<void> {
  const { id, claims } = withdraw;
  const way = withdrawWay(engine.venue, withdraw);
  const notice = { kind: "payout_parked", ...way, id, txid, reason } as const;
  // In one commit: after this only the notified operator looks at a parked withdrawal.
  const row = notices.row(notice, claims);
  const named = txid === "" ? {} : { txid };
  const command = { kind: "change_withdraw", id, action: "park", claims, ...named } as const;
  const outcome = await engine.submit(command, null, () => [row]);
  if (!isRejection(outcome)) notices.tell(notice);
}
