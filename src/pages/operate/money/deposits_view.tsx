/** @jsxImportSource hono/jsx/dom */
/** Deposits of all members. */
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { ActButton, ActButtons } from "../acting/act_button.tsx";
import { Filter, TextFilter } from "../acting/filter.tsx";
import { usePages, useReading } from "../acting/reading.ts";
import { PagedTable, Part } from "../acting/record_views.tsx";
import { go, route } from "../acting/route.ts";
import { depositActs, enterDepositAct } from "./deposit_acts.ts";
import { type Deposit, depositColumns } from "./deposit_columns.tsx";

const EVERY_MS = 5_000;
const STATES = [
  "submitted",
  "accepted",
  "processing",
  "collected",
  "rejected",
  "canceled",
] as const;

/** The list, and what narrows it. */
export function DepositsView(): View {
  const { query } = useShown(route);
  const { state = "", uid = "", currency = "", txid = "" } = query;
  const reading = usePages(
    `deposits ${state} ${uid} ${currency} ${txid}`,
    (paging) =>
      venue.get("/api/v2/admin/deposits", {
        query: {
          ...paging,
          ...(state === "" ? {} : { state: state as Deposit["state"] }),
          ...(uid === "" ? {} : { uid }),
          ...(currency === "" ? {} : { currency }),
          ...(txid === "" ? {} : { txid }),
        },
      }),
    EVERY_MS,
  );
  const currencies = useReading(
    "currencies",
    () => venue.get("/api/v2/admin/currencies", { query: { limit: 1000 } }),
  );
  const narrow = (changes: Readonly<Record<string, string>>) =>
    go(["deposits"], { ...query, page: "", ...changes });
  const { money, nav, members } = o;
  const columns: readonly Column<Deposit>[] = [
    ...depositColumns(false),
    {
      title: money.rowActs,
      isUntitled: true,
      show: (one) => <ActButtons acts={depositActs(one)} />,
    },
  ];
  const entering = currencies.value === null
    ? null
    : <ActButton act={enterDepositAct(currencies.value)} isMain />;
  return (
    <Part title={nav.deposits} tools={entering} isWhole>
      <div class="filters row">
        <Filter
          label={money.state}
          all={members.allStates}
          choices={STATES.map((one) => [one, money.depositStates[one]])}
          chosen={state}
          onChoose={(chosen) => narrow({ state: chosen })}
        />
        <TextFilter label={members.uid} chosen={uid} onChoose={(to) => narrow({ uid: to })} />
        <TextFilter
          label={t.trade.currency}
          chosen={currency}
          onChoose={(to) => narrow({ currency: to.toLowerCase() })}
        />
        <TextFilter label={money.txid} chosen={txid} onChoose={(to) => narrow({ txid: to })} />
      </div>
      <PagedTable
        caption={nav.deposits}
        columns={columns}
        reading={reading}
        keyOf={({ id }) => id}
        empty={money.noDeposits}
      />
    </Part>
  );
}
