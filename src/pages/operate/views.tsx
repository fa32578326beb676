/** @jsxImportSource hono/jsx/dom */
/** The page's views, by the names that its address has for them. */
import type { View } from "../shared/view.ts";
import { AdjustmentsView } from "./money/adjustments_view.tsx";
import { DepositsView } from "./money/deposits_view.tsx";
import { TotalsView } from "./money/totals_view.tsx";
import { WithdrawRecord } from "./money/withdraw_record.tsx";
import { WithdrawalsView } from "./money/withdrawals_view.tsx";
import { MemberRecord } from "./people/member_record.tsx";
import { MembersView } from "./people/members_view.tsx";
import { CurrenciesView } from "./rules/currencies_view.tsx";
import { FeesView } from "./rules/fees_view.tsx";
import { MarketsView } from "./rules/markets_view.tsx";
import { SettingsView } from "./rules/settings_view.tsx";
import { ApprovalsView } from "./trail/approvals_view.tsx";
import { AuditView } from "./trail/audit_view.tsx";
import { OperatorsView } from "./trail/operators_view.tsx";
import { OutboxView } from "./trail/outbox_view.tsx";
import { WalletsView } from "./wallets/wallets_view.tsx";
import { OverviewView } from "./watch/overview_view.tsx";

interface OneView {
  /** @param of what the view is of, such as a member's uid */
  readonly show: (of: string | undefined) => View;
}

/** All views, in the order of the list. */
export const VIEWS = {
  overview: { show: () => <OverviewView /> },
  members: { show: (uid) => uid === undefined ? <MembersView /> : <MemberRecord uid={uid} /> },
  withdrawals: {
    show: (id) => id === undefined ? <WithdrawalsView /> : <WithdrawRecord id={id} />,
  },
  deposits: { show: () => <DepositsView /> },
  adjustments: { show: () => <AdjustmentsView /> },
  approvals: { show: () => <ApprovalsView /> },
  totals: { show: () => <TotalsView /> },
  wallets: { show: () => <WalletsView /> },
  markets: { show: () => <MarketsView /> },
  currencies: { show: () => <CurrenciesView /> },
  fees: { show: () => <FeesView /> },
  settings: { show: () => <SettingsView /> },
  operators: { show: () => <OperatorsView /> },
  audit: { show: () => <AuditView /> },
  outbox: { show: () => <OutboxView /> },
} satisfies Readonly<Record<string, OneView>>;

/** Name of a view. */
export type ViewName = keyof typeof VIEWS;

/** Returns the view of a name; the first of all if there is none. */
export function viewOf(name: string | undefined): ViewName {
  return name !== undefined && Object.hasOwn(VIEWS, name) ? name as ViewName : "overview";
}
