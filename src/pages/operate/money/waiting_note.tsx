/** @jsxImportSource hono/jsx/dom */
/** Payouts that wait for the wallet, for those who look at withdrawals. */
import type { Records } from "../../../client/client.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { View } from "../../shared/view.ts";
import { o } from "../acting/operate_texts.ts";
import { useReading } from "../acting/reading.ts";
import { linkTo } from "../acting/view_route.ts";
import { reasonText } from "../watch/notice_text.ts";
import { payoutNotice } from "../watch/payout_notice.ts";
import { waitingPayouts } from "../watch/waiting_payouts.ts";

const EVERY_MS = 10_000;

/** How many payouts wait for the wallet, and where it says why. */
export function WaitingNote(): View | null {
  const count = useShown(waitingPayouts);
  if (count === 0) return null;
  return (
    <p class="note warn">
      {o.money.payoutsWait(String(count))} <a href={linkTo(["wallets"])}>{o.money.whyInWallets}</a>
    </p>
  );
}

/** Why the payout of an open withdrawal is not made now, if the wallet has told of it. */
export function WhyNote({ withdraw }: {
  readonly withdraw: Pick<Records["AdminWithdraw"], "id" | "state">;
}): View | null {
  const { value } = useReading(
    "notices",
    () => venue.get("/api/v2/admin/wallet/notices"),
    EVERY_MS,
  );
  const notice = payoutNotice(withdraw, value ?? []);
  if (notice === undefined) return null;
  return (
    <div class="note warn">
      <p>{o.wallets.notices[notice.kind]}</p>
      <p>{reasonText(notice)}</p>
      <p>
        <a href={linkTo(["wallets"])}>{o.money.seeWallets}</a>
      </p>
    </div>
  );
}
