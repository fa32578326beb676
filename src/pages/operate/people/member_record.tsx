/** @jsxImportSource hono/jsx/dom */
/** The whole record of a member, and what can be done with it. */
import type { Records } from "../../../client/client.ts";
import { CopyButton } from "../../shared/copy_button.tsx";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import { type Tab, Tabs } from "../../shared/tabs.tsx";
import type { Child, View } from "../../shared/view.ts";
import { ActButtons } from "../acting/act_button.tsx";
import { useReading } from "../acting/reading.ts";
import { Fact, Facts, Read, State, timeText } from "../acting/record_views.tsx";
import { go, route } from "../acting/route.ts";
import { linkTo } from "../acting/view_route.ts";
import { endSessionsAct } from "./access_acts.ts";
import {
  addNoteAct,
  changeEmailAct,
  changeMemberAct,
  giveRoleAct,
  nameOf,
  takeRoleAct,
  unlockAct,
} from "./member_acts.ts";
import { touching } from "./touching.ts";
import { memberTone, yesNo } from "./member_words.ts";
import { ActivityList, BeneficiaryList, KeyList, SessionList } from "./record_access.tsx";
import {
  AdjustmentList,
  BalanceList,
  DepositList,
  LedgerList,
  WithdrawList,
} from "./record_money.tsx";
import { ActList, NoteList } from "./record_notes.tsx";
import { OrderList, TradeList } from "./record_trading.tsx";

type Member = Records["Member"];

const VIEWS = {
  balances: BalanceList,
  orders: OrderList,
  trades: TradeList,
  deposits: DepositList,
  withdrawals: WithdrawList,
  adjustments: AdjustmentList,
  ledger: LedgerList,
  keys: KeyList,
  sessions: SessionList,
  addresses: BeneficiaryList,
  notes: NoteList,
  activity: ActivityList,
  acts: ActList,
} satisfies Record<string, (props: { readonly member: Member }) => Child>;
type RecordView = keyof typeof VIEWS;

/** Statements that can be downloaded. */
const STATEMENTS = ["account", "ledger", "trades", "orders", "transactions"] as const;

function statementPath(uid: string, name: typeof STATEMENTS[number]): string {
  return `/api/v2/admin/members/${encodeURIComponent(uid)}/statements/${name}.csv`;
}

/** The record of the member with this uid. */
export function MemberRecord({ uid }: { readonly uid: string }): View {
  const reading = useReading(
    `member ${uid}`,
    () => venue.get("/api/v2/admin/members/{uid}", { path: { uid } }),
  );
  const { parts } = useShown(route);
  const chosen = Object.hasOwn(VIEWS, parts[2] ?? "") ? parts[2] as RecordView : "balances";
  const tabs: readonly Tab<RecordView>[] = (Object.keys(VIEWS) as RecordView[])
    .map((name) => ({ name, title: o.members.tabs[name] }));
  const List = VIEWS[chosen];
  return (
    <div class="member">
      <p class="crumbs">
        <a href={linkTo(["members"])}>{o.nav.members}</a> / <span>{uid}</span>
      </p>
      <Read reading={reading}>
        {(member) => (
          <div class="stack">
            <MemberHead member={member} />
            <section class="sheet part" aria-label={o.members.record}>
              <Tabs
                label={o.members.record}
                tabs={tabs}
                chosen={chosen}
                onChoose={(name) => go(["members", uid, name])}
              >
                <List key={chosen} member={member} />
              </Tabs>
              <p class="part-foot statements">
                {o.members.statements}{" "}
                {STATEMENTS.map((name) => (
                  <a key={name} href={statementPath(uid, name)} download={`${uid}_${name}.csv`}>
                    {o.members.statementNames[name]}
                  </a>
                ))}
              </p>
            </section>
          </div>
        )}
      </Read>
    </div>
  );
}

function MemberHead({ member }: { readonly member: Member }): View {
  const { members, roles } = o;
  const { operator_role: role } = member;
  const limit = (most: number) => most === 0 ? members.venueSetting : String(most);
  return (
    <section class="sheet part" aria-label={nameOf(member)}>
      <div class="part-head">
        <h2 class="member-name">{nameOf(member)}</h2>
        <State tone={memberTone(member.state)} words={members.states[member.state]} />
      </div>
      <Facts>
        <Fact name={members.uid}>
          <span class="figures">{member.uid}</span>{" "}
          <CopyButton text={member.uid} label={members.copyUid} />
        </Fact>
        <Fact name={members.level}>{member.level}</Fact>
        <Fact name={members.group}>{member.group}</Fact>
        <Fact name={members.otp}>{yesNo(member.otp)}</Fact>
        <Fact name={members.role}>
          {role === null
            ? members.noRole
            : member.operator_role_active
            ? roles[role]
            : members.roleEnded(roles[role])}
        </Fact>
        <Fact name={members.since}>{timeText(member.created_at)}</Fact>
        <Fact name={members.openOrdersMax}>{limit(member.open_orders_max)}</Fact>
        <Fact name={members.bulkOrdersMax}>{limit(member.bulk_orders_max)}</Fact>
        <Fact name={members.untradedOrdersMax}>{limit(member.untraded_orders_max)}</Fact>
        <Fact name={members.marketOrders}>{yesNo(member.market_orders_enabled)}</Fact>
      </Facts>
      <ActButtons
        acts={[
          changeMemberAct(member),
          unlockAct(member),
          endSessionsAct(member),
          addNoteAct(member),
          changeEmailAct(member),
          ...(role === null ? [giveRoleAct(member)] : [giveRoleAct(member), takeRoleAct(member)]),
        ].map((act) => touching(member, act))}
      />
    </section>
  );
}
