/** @jsxImportSource hono/jsx/dom */
/** A member's money: balances, deposits, withdrawals, adjustments, and every movement. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { Column } from "../../shared/table.tsx";
import { Group, type View } from "../../shared/view.ts";
import { ActButton } from "../acting/act_button.tsx";
import { adjustAct } from "../money/adjust_act.ts";
import { depositColumns } from "../money/deposit_columns.tsx";
import { dayRange } from "../acting/day_range.ts";
import { DayFilter } from "../acting/filter.tsx";
import { usePages, useReading } from "../acting/reading.ts";
import { PagedTable, Read, timeText, WholeTable } from "../acting/record_views.tsx";
import { go, route } from "../acting/route.ts";
import { withdrawColumns } from "../money/withdraw_columns.tsx";
import { nameOf } from "./member_acts.ts";
import { touching } from "./touching.ts";

interface ListProps {
  readonly member: Records["Member"];
}

const BALANCE_COLUMNS: readonly Column<Records["Account"]>[] = [
  { title: t.trade.currency, show: ({ currency }) => currency.toUpperCase() },
  { title: t.trade.free, isFigure: true, show: ({ balance }) => plain(balance) },
  { title: o.money.locked, isFigure: true, show: ({ locked }) => plain(locked) },
];

/** Balances that are not zero. */
export function BalanceList({ member }: ListProps): View {
  const { uid } = member;
  const reading = useReading(
    `balances ${uid}`,
    () =>
      venue.get("/api/v2/admin/members/{uid}/balances", {
        path: { uid },
        query: { nonzero: true, limit: 1000 },
      }),
  );
  return (
    <Group>
      <WholeTable
        caption={t.trade.balances}
        columns={BALANCE_COLUMNS}
        reading={reading}
        keyOf={({ currency }) => currency}
        empty={o.members.noBalances}
      />
      <Adjusting member={member} />
    </Group>
  );
}

/** The button that adjusts a balance, once it is known which currencies there are. */
function Adjusting({ member }: ListProps): View {
  const { uid } = member;
  const reading = useReading(
    "currencies",
    () => venue.get("/api/v2/admin/currencies", { query: { limit: 1000 } }),
  );
  return (
    <Read reading={reading}>
      {(all) => (
        <p class="part-foot">
          <ActButton
            act={touching(member, adjustAct(uid, nameOf(member), all.map(({ id }) => id)))}
          />
        </p>
      )}
    </Read>
  );
}

/** Deposits, newest first. */
export function DepositList({ member: { uid } }: ListProps): View {
  const reading = usePages(
    `deposits ${uid}`,
    (paging) => venue.get("/api/v2/admin/deposits", { query: { ...paging, uid } }),
  );
  return (
    <PagedTable
      caption={o.nav.deposits}
      columns={depositColumns(true)}
      reading={reading}
      keyOf={({ id }) => id}
      empty={o.money.noDeposits}
    />
  );
}

/** Withdrawals, newest first. */
export function WithdrawList({ member: { uid } }: ListProps): View {
  const reading = usePages(
    `withdraws ${uid}`,
    (paging) => venue.get("/api/v2/admin/withdraws", { query: { ...paging, uid } }),
  );
  return (
    <PagedTable
      caption={o.nav.withdrawals}
      columns={withdrawColumns(true)}
      reading={reading}
      keyOf={({ id }) => id}
      empty={o.money.noWithdrawals}
    />
  );
}

const ADJUSTMENT_COLUMNS: readonly Column<Records["MemberAdjustment"]>[] = [
  { title: o.money.id, isFigure: true, show: ({ id }) => id },
  { title: o.money.created, show: ({ created_at }) => timeText(created_at) },
  { title: t.trade.currency, show: ({ currency }) => currency.toUpperCase() },
  { title: t.trade.amount, isFigure: true, show: ({ amount }) => plain(amount) },
  {
    title: o.reason,
    show: ({ reason }) => <span class="wrapped">{reason}</span>,
  },
];

/** Adjustments, newest first. */
export function AdjustmentList({ member }: ListProps): View {
  const { uid } = member;
  const reading = usePages(
    `adjustments ${uid}`,
    (paging) =>
      venue.get("/api/v2/admin/members/{uid}/adjustments", {
        path: { uid },
        query: { ...paging, order_by: "desc" },
      }),
  );
  return (
    <Group>
      <PagedTable
        caption={o.nav.adjustments}
        columns={ADJUSTMENT_COLUMNS}
        reading={reading}
        keyOf={({ id }) => id}
        empty={o.money.noAdjustments}
      />
      <Adjusting member={member} />
    </Group>
  );
}

const LEDGER_COLUMNS: readonly Column<Records["LedgerLine"]>[] = [
  { title: o.money.created, show: ({ created_at }) => timeText(created_at) },
  { title: t.trade.type, show: ({ type }) => o.money.movements[type] },
  { title: o.money.reference, isFigure: true, show: ({ reference }) => reference },
  { title: t.trade.currency, show: ({ currency }) => currency.toUpperCase() },
  { title: o.money.gross, isFigure: true, show: ({ gross }) => plain(gross), isWide: true },
  { title: t.trade.fees, isFigure: true, show: ({ fee }) => plain(fee), isWide: true },
  { title: o.money.moved, isFigure: true, show: ({ amount }) => plain(amount) },
  { title: o.money.balance, isFigure: true, show: ({ balance }) => plain(balance) },
];

/** Lines of the ledger at a time. */
const LINES = 200;

/** Every movement of money, oldest first, as the statement has it. */
export function LedgerList({ member: { uid } }: ListProps): View {
  const { parts, query } = useShown(route);
  const { from = "", to = "", after = "" } = query;
  const reading = useReading(
    `ledger ${uid} ${from} ${to} ${after}`,
    () =>
      venue.get("/api/v2/admin/members/{uid}/ledger", {
        path: { uid },
        query: { limit: LINES, ...dayRange(from, to), ...(after === "" ? {} : { after }) },
      }),
  );
  const { audit, money } = o;
  const last = reading.value?.length === LINES ? reading.value.at(-1)?.id : undefined;
  return (
    <Group>
      <div class="filters row">
        <DayFilter
          label={audit.from}
          chosen={from}
          onChoose={(day) => go(parts, { from: day, to })}
        />
        <DayFilter label={audit.to} chosen={to} onChoose={(day) => go(parts, { from, to: day })} />
      </div>
      <WholeTable
        caption={o.members.tabs.ledger}
        columns={LEDGER_COLUMNS}
        reading={reading}
        keyOf={({ id }) => id}
        empty={money.noMovements}
      />
      {after === "" && last === undefined ? null : (
        <div class="pager row">
          <button
            type="button"
            class="quiet small"
            disabled={after === ""}
            onClick={() => go(parts, { from, to })}
          >
            {money.fromBegin}
          </button>
          <button
            type="button"
            class="quiet small"
            disabled={last === undefined}
            onClick={() => go(parts, { from, to, after: last ?? "" })}
          >
            {money.goOn}
          </button>
        </div>
      )}
    </Group>
  );
}
