/** Why a payout is not made now. */
import type { Records } from "../../../client/client.ts";

type Notice = Records["WalletNotice"];
type Withdraw = Records["AdminWithdraw"];

/** What is told of payouts in these states; of all others it is why they were parked. */
const KINDS: Readonly<Partial<Record<Withdraw["state"], Notice["kind"]>>> = {
  accepted: "payout_waits",
  processing: "payout_waits",
  confirming: "payout_missing",
};

/**
 * Returns why an open payout is not made now, as the wallet told last; undefined if it has told
 * nothing. Notices stay: one of another state is not why, as of a payout that was parked and is tried
 * again, or that was sent after it had waited.
 *
 * @param notices latest first
 */
export function payoutNotice(
  { id, state }: Pick<Withdraw, "id" | "state">,
  notices: readonly Notice[],
): Notice | undefined {
  const told = KINDS[state] ?? "payout_parked";
  return notices.find((notice) => notice.id === id && notice.kind === told);
}
