/** @jsxImportSource hono/jsx/dom */
/** What the venue owes its members, and what it has earned. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import { Group, type View } from "../../shared/view.ts";
import { useReading } from "../acting/reading.ts";
import { Part, WholeTable } from "../acting/record_views.tsx";

const EVERY_MS = 10_000;
const ALL = { query: { limit: 1000 } } as const;

const LIABILITY_COLUMNS: readonly Column<Records["Liability"]>[] = [
  { title: t.trade.currency, show: ({ currency }) => currency.toUpperCase() },
  { title: o.money.owed, isFigure: true, show: ({ members }) => plain(members) },
  { title: o.money.ofItLocked, isFigure: true, show: ({ locked }) => plain(locked) },
  { title: o.money.earned, isFigure: true, show: ({ fees }) => plain(fees) },
  { title: o.money.holders, isFigure: true, show: ({ holders }) => holders },
];

const INCOME_COLUMNS: readonly Column<Records["FeeIncome"]>[] = [
  { title: t.trade.currency, show: ({ currency }) => currency.toUpperCase() },
  { title: o.money.income, isFigure: true, show: ({ amount }) => plain(amount) },
];

/** The view. */
export function TotalsView(): View {
  const { money } = o;
  const owed = useReading(
    "liabilities",
    () => venue.get("/api/v2/admin/liabilities", ALL),
    EVERY_MS,
  );
  const earned = useReading("income", () => venue.get("/api/v2/admin/fee_income", ALL), EVERY_MS);
  return (
    <Group>
      <Part
        title={money.liabilities}
        note={money.liabilitiesNote}
        tools={
          <a href="/api/v2/admin/statements/transactions.csv" download="transactions.csv">
            {money.allTransactions}
          </a>
        }
      >
        <WholeTable
          caption={money.liabilities}
          columns={LIABILITY_COLUMNS}
          reading={owed}
          keyOf={({ currency }) => currency}
          empty={money.noLiabilities}
        />
      </Part>
      <Part title={money.feeIncome} note={money.feeIncomeNote}>
        <WholeTable
          caption={money.feeIncome}
          columns={INCOME_COLUMNS}
          reading={earned}
          keyOf={({ currency }) => currency}
          empty={money.noIncome}
        />
      </Part>
    </Group>
  );
}
