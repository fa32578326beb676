/** @jsxImportSource hono/jsx/dom */
/** Payouts that can't be made now, or of which nobody knows, and why. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import { Group, type View } from "../../shared/view.ts";
import { o } from "../acting/operate_texts.ts";
import { useReading } from "../acting/reading.ts";
import { MemberLink, Part, timeText, WholeTable } from "../acting/record_views.tsx";
import { linkTo } from "../acting/view_route.ts";
import { type Withdraw, WithdrawAmount, WithdrawState } from "../money/withdraw_columns.tsx";
import { reasonText } from "../watch/notice_text.ts";
import { payoutNotice } from "../watch/payout_notice.ts";

const EVERY_MS = 10_000;

type Notice = Records["WalletNotice"];

/** A payout that waits, and its last notice, if there is one. */
type Waiting = Withdraw & { readonly notice: Notice | undefined };

const COLUMNS: readonly Column<Waiting>[] = [
  {
    title: o.money.id,
    isFigure: true,
    show: ({ id }) => <a href={linkTo(["withdrawals", String(id)])}>{id}</a>,
  },
  {
    title: o.wallets.why,
    show: ({ notice, ...withdraw }) => (
      <span class="wrapped">
        <WithdrawState withdraw={withdraw} />
        {notice === undefined ? null : (
          <Group>
            <span class="line">{o.wallets.notices[notice.kind]}</span>
            <span class="line soft">{reasonText(notice)}</span>
          </Group>
        )}
      </span>
    ),
  },
  {
    title: t.trade.amount,
    isFigure: true,
    show: (withdraw) => <WithdrawAmount withdraw={withdraw} />,
  },
  { title: o.money.member, show: ({ uid }) => <MemberLink uid={uid} /> },
  { title: o.money.created, show: ({ created_at }) => timeText(created_at) },
];

/** The list: those that need a decision, and those of the rail's that there is a notice of. */
export function WaitingPart({ notices }: { readonly notices: readonly Notice[] }): View {
  const { wallets } = o;
  const query = { waiting_for: ["rail", "decision"], limit: 1000 } as const;
  const { value, fault } = useReading(
    "waiting payouts",
    () => venue.get("/api/v2/admin/withdraws", { query }),
    EVERY_MS,
  );
  const waiting = value?.map((withdraw) => ({
    ...withdraw,
    notice: payoutNotice(withdraw, notices),
  })).filter(({ notice, waiting_for: waits }) => waits === "decision" || notice !== undefined);
  return (
    <Part title={wallets.waiting} note={wallets.waitingNote}>
      <WholeTable
        caption={wallets.waiting}
        columns={COLUMNS}
        reading={{ value: waiting ?? null, fault }}
        keyOf={({ id }) => id}
        empty={wallets.nothingWaits}
        isStacked
      />
    </Part>
  );
}
