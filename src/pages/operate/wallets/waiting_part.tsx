/** @jsxImportSource hono/jsx/dom */
/** Payouts that can't be made now, or of which nobody knows, and why. */
import type { Records } from "../../../client/client.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { o } from "../acting/operate_texts.ts";
import { useReading } from "../acting/reading.ts";
import { Part, WholeTable } from "../acting/record_views.tsx";
import { type Withdraw, withdrawColumns } from "../money/withdraw_columns.tsx";
import { reasonText } from "./notice_text.ts";

const EVERY_MS = 10_000;

/** A payout that waits, and its last notice, if there is one. */
type Waiting = Withdraw & { readonly notice: Records["WalletNotice"] | undefined };

const COLUMNS: readonly Column<Waiting>[] = [
  ...withdrawColumns(false),
  {
    title: o.wallets.why,
    show: ({ notice }) =>
      notice === undefined ? "–" : (
        <span class="wrapped">
          {o.wallets.notices[notice.kind]}
          <span class="line soft">{reasonText(notice)}</span>
        </span>
      ),
  },
];

/** The list. */
export function WaitingPart(): View {
  const { wallets } = o;
  const reading = useReading("waiting payouts", readWaiting, EVERY_MS);
  return (
    <Part title={wallets.waiting} note={wallets.waitingNote}>
      <WholeTable
        caption={wallets.waiting}
        columns={COLUMNS}
        reading={reading}
        keyOf={({ id }) => id}
        empty={wallets.nothingWaits}
      />
    </Part>
  );
}

/** Reads those that need a decision, and those of the rail's that there is a notice of. */
async function readWaiting(): Promise<readonly Waiting[]> {
  const [withdraws, notices] = await Promise.all([
    venue.get("/api/v2/admin/withdraws", {
      query: { waiting_for: ["rail", "decision"], limit: 1000 },
    }),
    venue.get("/api/v2/admin/wallet/notices"),
  ]);
  return withdraws.map((withdraw) => ({
    ...withdraw,
    notice: notices.find(({ kind, id }) => id === withdraw.id && kind.startsWith("payout")),
  })).filter(({ notice, waiting_for: waits }) => waits === "decision" || notice !== undefined);
}
