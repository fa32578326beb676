/** Payouts that can't be made now, or can't be found: counted wherever an operator is. */
import { faultOf } from "../../shared/fault.ts";
import { venue } from "../../shared/session.ts";
import { Shown } from "../../shared/shown.ts";
import { isAway } from "../acting/presence.ts";
import { metrics, PENDING_MS, repeat } from "./metrics.ts";
import { payoutNotice } from "./payout_notice.ts";

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
