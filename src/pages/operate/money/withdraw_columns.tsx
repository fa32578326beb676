/** @jsxImportSource hono/jsx/dom */
/** How withdrawals are listed. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { MemberLink, State, timeText, type Tone } from "../acting/record_views.tsx";
import { linkTo } from "../acting/view_route.ts";

/** A withdrawal as operators see it. */
export type Withdraw = Records["AdminWithdraw"];

/** Returns the columns of withdrawals; those of one member need no column for it. */
export function withdrawColumns(isOfOne: boolean): readonly Column<Withdraw>[] {
  const { money } = o;
  return [
    {
      title: money.id,
      isFigure: true,
      show: ({ id }) => <a href={linkTo(["withdrawals", String(id)])}>{id}</a>,
    },
    {
      title: t.trade.amount,
      isFigure: true,
      show: (withdraw) => <WithdrawAmount withdraw={withdraw} />,
    },
    ...(isOfOne
      ? []
      : [{ title: money.member, show: ({ uid }: Withdraw) => <MemberLink uid={uid} /> }]),
    { title: money.state, show: (withdraw) => <WithdrawState withdraw={withdraw} /> },
    { title: money.created, show: ({ created_at }) => timeText(created_at) },
    { title: t.trade.fees, isFigure: true, show: ({ fee }) => plain(fee), isWide: true },
    {
      title: money.to,
      show: ({ rid }) => <span class="figures name" title={rid}>{rid === "" ? "–" : rid}</span>,
      isWide: true,
    },
  ];
}

/** How much a withdrawal is, and by which network it goes. */
export function WithdrawAmount({ withdraw }: {
  readonly withdraw: Pick<Withdraw, "amount" | "currency" | "network">;
}): View {
  const { amount, currency, network } = withdraw;
  return (
    <span>
      {plain(amount)} {currency.toUpperCase()}
      {network === undefined ? null : <span class="line soft">{network}</span>}
    </span>
  );
}

/** A withdrawal's state, and what it waits for. */
export function WithdrawState({ withdraw }: {
  readonly withdraw: Pick<Withdraw, "state" | "waiting_for" | "approval_reason">;
}): View {
  const { state, waiting_for: waits, approval_reason: why } = withdraw;
  const { money } = o;
  return (
    <span>
      <State tone={withdrawTone(state)} words={money.withdrawStates[state]} />
      {waits === null ? null : <span class="line soft">{money.waitsFor[waits]}</span>}
      {why === null ? null : <span class="line soft">{money.approvalReasons[why]}</span>}
    </span>
  );
}

function withdrawTone(state: Withdraw["state"]): Tone {
  if (state === "succeed") return "good";
  return ["rejected", "canceled", "failed", "errored"].includes(state) ? "bad" : "warn";
}
