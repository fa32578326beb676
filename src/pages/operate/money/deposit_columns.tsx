/** @jsxImportSource hono/jsx/dom */
/** How deposits are listed. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import type { Column } from "../../shared/table.tsx";
import { MemberLink, State, timeText, type Tone } from "../acting/record_views.tsx";

/** A deposit as operators see it. */
export type Deposit = Records["AdminDeposit"];

/** Returns the columns of deposits; those of one member need no column for it. */
export function depositColumns(isOfOne: boolean): readonly Column<Deposit>[] {
  const { money } = o;
  return [
    { title: money.id, isFigure: true, show: ({ id }) => id },
    {
      title: money.credited,
      isFigure: true,
      show: ({ amount, currency, network }) => (
        <span>
          {plain(amount)} {currency.toUpperCase()}
          {network === undefined ? null : <span class="line soft">{network}</span>}
        </span>
      ),
    },
    ...(isOfOne
      ? []
      : [{ title: money.member, show: ({ uid }: Deposit) => <MemberLink uid={uid} /> }]),
    {
      title: money.state,
      show: ({ state, reverses }) => (
        <span>
          <State tone={depositTone(state)} words={money.depositStates[state]} />
          {reverses === null ? null : (
            <span class="line soft">
              {money.takesBack(money.reversedTypes[reverses.type], String(reverses.id))}
            </span>
          )}
        </span>
      ),
    },
    { title: money.created, show: ({ created_at }) => timeText(created_at) },
    { title: t.trade.fees, isFigure: true, show: ({ fee }) => plain(fee), isWide: true },
    {
      title: money.txid,
      show: ({ txid, tid }) => <span class="figures name" title={txid ?? tid}>{txid ?? "–"}</span>,
      isWide: true,
    },
  ];
}

function depositTone(state: Deposit["state"]): Tone {
  if (state === "accepted" || state === "collected") return "good";
  return ["rejected", "canceled", "errored", "aml_suspicious"].includes(state) ? "bad" : "warn";
}
