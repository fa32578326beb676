/** @jsxImportSource hono/jsx/dom */
/** Deposits, and what the wallet wants an operator to look at. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { Column } from "../../shared/table.tsx";
import { Group, type View } from "../../shared/view.ts";
import { ActButton, ActButtons } from "../acting/act_button.tsx";
import { Filter, TextFilter } from "../acting/filter.tsx";
import { usePages, useReading } from "../acting/reading.ts";
import { PagedTable, Part, timeText, WholeTable } from "../acting/record_views.tsx";
import { go, route } from "../acting/route.ts";
import { linkTo } from "../acting/view_route.ts";
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
    <Group>
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
      <Notices />
    </Group>
  );
}

type Notice = Records["WalletNotice"];

const NOTICE_COLUMNS: readonly Column<Notice>[] = [
  {
    title: o.audit.what,
    show: ({ kind, reason }) => (
      <span class="wrapped">
        {o.money.notices[kind]}
        <span class="line soft">{reason}</span>
      </span>
    ),
  },
  { title: t.trade.time, show: ({ created_at }) => timeText(created_at) },
  {
    title: t.trade.currency,
    show: ({ currency, network }) =>
      currency === null ? network ?? "–" : (
        <Group>
          {currency.toUpperCase()}
          {network === null ? null : <span class="line soft">{network}</span>}
        </Group>
      ),
  },
  {
    title: o.money.id,
    isFigure: true,
    show: ({ id, kind }) =>
      id === null
        ? "–"
        : kind.startsWith("payout")
        ? <a href={linkTo(["withdrawals", String(id)])}>{id}</a>
        : id,
  },
  {
    title: o.money.txid,
    show: ({ txid }) => <span class="figures name" title={txid ?? ""}>{txid ?? "–"}</span>,
  },
];

/** Deposits and payouts that need a look. */
function Notices(): View {
  const reading = useReading("notices", () => venue.get("/api/v2/admin/wallet/notices"));
  return (
    <Part title={o.money.noticesTitle} note={o.money.noticesNote}>
      <WholeTable
        caption={o.money.noticesTitle}
        columns={NOTICE_COLUMNS}
        reading={reading}
        keyOf={({ created_at, kind, id, network }) => `${created_at} ${kind} ${id} ${network}`}
        empty={o.money.noNotices}
      />
    </Part>
  );
}
