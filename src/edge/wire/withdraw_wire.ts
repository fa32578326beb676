/** Withdrawals as JSON. */
import type * as z from "zod";
import type { Venue } from "../../domain/venue.ts";
import type { Withdraw } from "../../domain/money/withdraw.ts";
import { withdrawNetwork } from "../../domain/money/withdraw_network.ts";
import type { WithdrawText } from "../../wallet/withdraw_texts.ts";
import type { WITHDRAW } from "../schemas/withdraws.ts";
import { amountText, currencyId, type Fraction, isoSeconds, shownNetwork } from "./wire.ts";

/** The JSON form of a withdrawal. */
export type WithdrawJson = z.infer<typeof WITHDRAW>;

/** Returns a withdrawal as its member reads it. */
export function withdrawJson(
  venue: Venue,
  withdraw: Withdraw,
  text: WithdrawText,
  fraction: Fraction,
): WithdrawJson {
  const isCoin = venue.isCoin(withdraw.currency);
  return {
    id: withdraw.id,
    currency: currencyId(venue, withdraw.currency),
    ...shownNetwork(venue, withdraw.currency, withdrawNetwork(venue, withdraw)),
    type: isCoin ? "coin" : "fiat",
    amount: amountText(withdraw.amount, fraction),
    fee: amountText(withdraw.fee, fraction),
    blockchain_txid: withdraw.txid === "" ? null : withdraw.txid,
    rid: text.rid,
    state: withdraw.state,
    waits_for: waitsFor(withdraw),
    approval_reason: isWaiting(withdraw) ? withdraw.approvalReason ?? null : null,
    ...(isCoin ? { confirmations: withdraw.confirmations } : {}),
    note: text.note,
    transfer_type: isCoin ? "crypto" : "fiat",
    created_at: isoSeconds(withdraw.createdAt),
    updated_at: isoSeconds(withdraw.updatedAt),
    done_at: withdraw.doneAt === 0 ? null : isoSeconds(withdraw.doneAt),
  };
}

/** Returns what an accepted withdrawal waits for; null if it is on its way or has ended. */
function waitsFor(withdraw: Withdraw): WithdrawJson["waits_for"] {
  if (isWaiting(withdraw)) return "approval";
  return withdraw.state === "accepted" ? "payout" : null;
}

function isWaiting({ state, isApproved }: Withdraw): boolean {
  return state === "accepted" && !isApproved;
}
