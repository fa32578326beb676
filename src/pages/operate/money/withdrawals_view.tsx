/** @jsxImportSource hono/jsx/dom */
/** Withdrawals: at first those that an operator has to do something about. */
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { ActButtons } from "../acting/act_button.tsx";
import { Filter, TextFilter } from "../acting/filter.tsx";
import { usePages } from "../acting/reading.ts";
import { PagedTable, Part } from "../acting/record_views.tsx";
import { go, route } from "../acting/route.ts";
import { quickActs } from "./withdraw_acts.ts";
import { waitingPayouts } from "../watch/waiting_payouts.ts";
import { type Withdraw, withdrawColumns } from "./withdraw_columns.tsx";
import { WaitingNote } from "./waiting_note.tsx";

/** What withdrawals can wait for; the first three need somebody. */
const WAITS = ["approval", "payment_by_hand", "decision", "rail", "hold"] as const;
type Waits = typeof WAITS[number];
const MINE: Waits[] = ["approval", "payment_by_hand", "decision"];
const EVERY_MS = 5_000;

/** The list, and what narrows it. */
export function WithdrawalsView(): View {
  const { query } = useShown(route);
  const { waits = "", uid = "", currency = "" } = query;
  const reading = usePages(
    `withdrawals ${waits} ${uid} ${currency}`,
    (paging) =>
      venue.get("/api/v2/admin/withdraws", {
        query: {
          ...paging,
          ...(waits === "all" ? {} : { waiting_for: waitsOf(waits) }),
          ...(uid === "" ? {} : { uid }),
          ...(currency === "" ? {} : { currency }),
        },
      }),
    EVERY_MS,
  );
  const narrow = (changes: Readonly<Record<string, string>>) =>
    go(["withdrawals"], { ...query, page: "", ...changes });
  const payouts = useShown(waitingPayouts);
  const { money, nav } = o;
  const columns: readonly Column<Withdraw>[] = [
    ...withdrawColumns(false),
    {
      title: money.rowActs,
      isUntitled: true,
      show: (withdraw) => <ActButtons acts={quickActs(withdraw)} />,
    },
  ];
  return (
    <Part title={nav.withdrawals} isWhole>
      <div class="filters row">
        <Filter
          label={money.waiting}
          all={money.waitingForUs}
          choices={[
            ...WAITS.map((one) => [one, money.waitsFor[one]] as const),
            ["all", money.allWithdrawals],
          ]}
          chosen={waits}
          onChoose={(chosen) => narrow({ waits: chosen })}
        />
        <TextFilter
          label={o.members.uid}
          chosen={uid}
          onChoose={(to) => narrow({ uid: to })}
        />
        <TextFilter
          label={t.trade.currency}
          chosen={currency}
          onChoose={(to) => narrow({ currency: to.toLowerCase() })}
        />
      </div>
      <WaitingNote />
      <PagedTable
        caption={nav.withdrawals}
        columns={columns}
        reading={reading}
        keyOf={({ id }) => id}
        empty={waits !== ""
          ? money.noWithdrawals
          : payouts === 0
          ? money.nothingWaits
          : money.nothingElseWaits}
      />
    </Part>
  );
}

function waitsOf(text: string): Waits[] {
  const one = WAITS.find((name) => name === text);
  return one === undefined ? MINE : [one];
}
