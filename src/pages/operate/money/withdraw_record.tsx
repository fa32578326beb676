/** @jsxImportSource hono/jsx/dom */
/** A withdrawal with where it goes, and what can be done with it. */
import type { Records } from "../../../client/client.ts";
import { plain, toldUnits, unitsText } from "../../shared/amounts.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { Group, type View } from "../../shared/view.ts";
import { ActButtons } from "../acting/act_button.tsx";
import { useReading } from "../acting/reading.ts";
import { Fact, Facts, MemberLink, Part, Read, State, timeText } from "../acting/record_views.tsx";
import { linkTo } from "../acting/view_route.ts";
import { withdrawActs } from "./withdraw_acts.ts";
import { WhyNote } from "./waiting_note.tsx";
import { WithdrawState } from "./withdraw_columns.tsx";

type Detail = Records["AdminWithdrawDetail"];

const EVERY_MS = 5_000;

/** The withdrawal with this number. */
export function WithdrawRecord({ id }: { readonly id: string }): View {
  const reading = useReading(
    `withdrawal ${id}`,
    () => venue.get("/api/v2/admin/withdraws/{id}", { path: { id } }),
    EVERY_MS,
  );
  return (
    <Group>
      <p class="crumbs">
        <a href={linkTo(["withdrawals"])}>{o.nav.withdrawals}</a> / <span>{id}</span>
      </p>
      <Read reading={reading}>{(withdraw) => <Whole withdraw={withdraw} />}</Read>
    </Group>
  );
}

function Whole({ withdraw }: { readonly withdraw: Detail }): View {
  const { money, members } = o;
  const { amount, fee, currency, beneficiary, uid, member_state: state } = withdraw;
  const { waiting_for: waits } = withdraw;
  const code = currency.toUpperCase();
  const sent = plain(unitsText(toldUnits(amount) - toldUnits(fee)));
  return (
    <Part
      title={money.withdrawalTitle(String(withdraw.id), `${plain(amount)} ${code}`)}
      tools={<WithdrawState withdraw={withdraw} />}
    >
      {waits === "rail" || waits === "decision" ? <WhyNote withdraw={withdraw} /> : null}
      <Facts>
        <Fact name={money.member}>
          <MemberLink uid={uid} />{" "}
          <State tone={state === "active" ? "" : "bad"} words={members.states[state]} />
        </Fact>
        <Fact name={t.trade.amount}>
          <b class="figures">{plain(amount)} {code}</b>
        </Fact>
        <Fact name={t.trade.fees}>
          <span class="figures">{plain(fee)} {code}</span>
        </Fact>
        <Fact name={money.leaves}>
          <b class="figures">{sent} {code}</b>
        </Fact>
        <Fact name={money.to}>
          <span class="figures">{withdraw.rid === "" ? "–" : withdraw.rid}</span>
        </Fact>
        {withdraw.network === undefined
          ? null
          : <Fact name={t.wallet.network}>{withdraw.network}</Fact>}
        <Fact name={money.note}>{withdraw.note ?? "–"}</Fact>
        <Fact name={money.txid}>
          <span class="figures">{withdraw.blockchain_txid ?? "–"}</span>
        </Fact>
        <Fact name={money.confirmations}>{withdraw.confirmations ?? "–"}</Fact>
        <Fact name={money.approved}>{withdraw.is_approved ? o.yes : o.no}</Fact>
        <Fact name={money.byHand}>{withdraw.is_by_hand ? o.yes : o.no}</Fact>
        <Fact name={money.claims}>{withdraw.claims}</Fact>
        <Fact name={money.created}>{timeText(withdraw.created_at)}</Fact>
        <Fact name={money.changed}>{timeText(withdraw.updated_at)}</Fact>
        <Fact name={money.ended}>{timeText(withdraw.done_at)}</Fact>
      </Facts>
      {beneficiary === null ? <p class="part-note">{money.noDestination}</p> : (
        <Facts>
          <Fact name={money.destination}>{beneficiary.name}</Fact>
          <Fact name={members.state}>{money.destinationStates[beneficiary.state]}</Fact>
          {Object.entries(beneficiary.data).map(([name, value]) => (
            <Fact key={name} name={name}>
              <span class="figures">{String(value)}</span>
            </Fact>
          ))}
        </Facts>
      )}
      <ActButtons acts={withdrawActs(withdraw)} />
    </Part>
  );
}
