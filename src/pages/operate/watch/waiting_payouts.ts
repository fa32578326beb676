/** Payouts that can't be made now, or can't be found: counted wherever an operator is. */
import type { Records } from "../../../client/client.ts";
import { faultOf } from "../../shared/fault.ts";
import { venue } from "../../shared/session.ts";
import { Shown } from "../../shared/shown.ts";
import { isAway } from "../acting/presence.ts";
import { metrics, PENDING_MS, repeat } from "./metrics.ts";

type Notice = Records["WalletNotice"];
type Withdraw = Records["AdminWithdraw"];

/** How many payouts wait for coins or a node, or can't be found; a thousand at most. */
export const waitingPayouts: Shown<number> = new Shown(0);

/** Begins to count them. */
export function followWaitingPayouts(): void {
  repeat(PENDING_MS, async () => {
    if (isAway()) return;
    if (metrics.value?.waiting.rail.count === 0) return waitingPayouts.set(0);
    try {
      const query = { waiting_for: ["rail"], limit: 1000 } as const;
      const [withdraws, notices] = await Promise.all([
        venue.get("/api/v2/admin/withdraws", { query }),
        venue.get("/api/v2/admin/wallet/notices"),
      ]);
      const waiting = withdraws.filter((one) => payoutNotice(one, notices) !== undefined);
      waitingPayouts.set(waiting.length);
    } catch (error) {
      // What is out of reach, the overview tells.
      faultOf(error);
    }
  });
}

/**
 * Returns why an open payout is not made now, as the wallet told last; undefined if it has told
 * nothing. Of one that was sent after it had waited, the notice still stands.
 *
 * @param notices latest first
 */
export function payoutNotice(
  { id, state }: Pick<Withdraw, "id" | "state">,
  notices: readonly Notice[],
): Notice | undefined {
  const isOf = ({ kind }: Notice) =>
    state === "confirming" ? kind === "payout_missing" : kind.startsWith("payout");
  return notices.find((notice) => notice.id === id && isOf(notice));
}
