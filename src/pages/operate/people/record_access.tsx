/** @jsxImportSource hono/jsx/dom */
/** How a member gets in, where its money may go, and what has happened to the account. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import { Group, type View } from "../../shared/view.ts";
import { ActButton, ActButtons } from "../acting/act_button.tsx";
import { usePages, useReading } from "../acting/reading.ts";
import { PagedTable, State, timeText, WholeTable, wordOf } from "../acting/record_views.tsx";
import {
  createKeyAct,
  deleteKeyAct,
  disableBeneficiaryAct,
  disableKeyAct,
  endSessionAct,
} from "./access_acts.ts";
import { touching } from "./touching.ts";

type Member = Records["Member"];

interface ListProps {
  readonly member: Member;
}

function keyColumns(member: Member): readonly Column<Records["ApiKey"]>[] {
  const { members } = o;
  const { uid } = member;
  return [
    { title: members.key, show: ({ kid }) => <span class="figures">{kid}</span> },
    {
      title: members.state,
      show: ({ state }) => (
        <State tone={state === "active" ? "good" : "bad"} words={members.keyStates[state]} />
      ),
    },
    { title: members.keyRole, show: ({ role }) => members.keyRoles[role] },
    {
      title: members.mayDo,
      show: ({ scopes }) => scopes.map((scope) => members.scopes[scope]).join(", "),
    },
    {
      title: members.ipList,
      show: ({ ip_allow_list: list }) => (
        <span class="wrapped">{list.length === 0 ? members.anywhere : list.join(", ")}</span>
      ),
    },
    { title: members.since, show: ({ created_at }) => timeText(created_at) },
    {
      title: members.change,
      isUntitled: true,
      show: (key) => (
        <ActButtons
          acts={[
            ...(key.state === "active" ? [disableKeyAct(uid, key)] : []),
            ...(key.state === "deleted" ? [] : [deleteKeyAct(uid, key)]),
          ].map((act) => touching(member, act))}
        />
      ),
    },
  ];
}

/** API keys. */
export function KeyList({ member }: ListProps): View {
  const { uid } = member;
  const reading = useReading(
    `keys ${uid}`,
    () => venue.get("/api/v2/admin/members/{uid}/api_keys", { path: { uid } }),
  );
  return (
    <Group>
      <WholeTable
        caption={o.members.tabs.keys}
        columns={keyColumns(member)}
        reading={reading}
        keyOf={({ kid }) => kid}
        empty={o.members.noKeys}
      />
      <p class="part-foot">
        <ActButton act={touching(member, createKeyAct(member))} />
      </p>
    </Group>
  );
}

/** Sessions that have not ended. */
export function SessionList({ member }: ListProps): View {
  const { uid } = member;
  const { members } = o;
  const reading = useReading(
    `sessions ${uid}`,
    () => venue.get("/api/v2/admin/members/{uid}/sessions", { path: { uid } }),
  );
  const columns: readonly Column<Records["Session"]>[] = [
    { title: members.address, show: ({ user_ip }) => <span class="figures">{user_ip}</span> },
    {
      title: members.device,
      show: ({ user_agent }) => <span class="name" title={user_agent}>{user_agent}</span>,
    },
    { title: members.since, show: ({ created_at }) => timeText(created_at) },
    { title: members.lastSeen, show: ({ last_seen_at }) => timeText(last_seen_at) },
    { title: members.until, show: ({ expires_at }) => timeText(expires_at) },
    {
      title: members.end,
      isUntitled: true,
      show: (session) => <ActButton act={touching(member, endSessionAct(uid, session))} />,
    },
  ];
  return (
    <WholeTable
      caption={members.tabs.sessions}
      columns={columns}
      reading={reading}
      keyOf={({ id }) => id}
      empty={members.noSessions}
    />
  );
}

/** Addresses and accounts that the member may withdraw to. */
export function BeneficiaryList({ member }: ListProps): View {
  const { uid } = member;
  const { members } = o;
  const reading = usePages(
    `beneficiaries ${uid}`,
    (paging) =>
      venue.get("/api/v2/admin/members/{uid}/beneficiaries", { path: { uid }, query: paging }),
  );
  const columns: readonly Column<Records["Beneficiary"]>[] = [
    { title: members.name, show: ({ name }) => <span class="name" title={name}>{name}</span> },
    { title: t.trade.currency, show: ({ currency }) => currency.toUpperCase() },
    {
      title: members.state,
      show: ({ state }) => (
        <State tone={state === "active" ? "good" : "warn"} words={members.addressStates[state]} />
      ),
    },
    {
      title: members.data,
      show: ({ data }) => (
        <span class="wrapped figures">
          {Object.entries(data).map(([name, value]) => `${name}: ${String(value)}`).join(", ")}
        </span>
      ),
    },
    { title: members.heldUntil, show: ({ held_until }) => timeText(held_until), isWide: true },
    {
      title: members.disable,
      isUntitled: true,
      show: (one) => <ActButton act={touching(member, disableBeneficiaryAct(uid, one))} />,
    },
  ];
  return (
    <PagedTable
      caption={members.tabs.addresses}
      columns={columns}
      reading={reading}
      keyOf={({ id }) => id}
      empty={members.noAddresses}
    />
  );
}

const ACTIVITY_COLUMNS: readonly Column<Records["Activity"]>[] = [
  { title: t.trade.time, show: ({ created_at }) => timeText(created_at) },
  {
    title: o.members.topic,
    show: ({ topic }) => wordOf(o.members.topics, topic),
  },
  { title: o.members.event, show: ({ action }) => action },
  {
    title: o.members.result,
    show: ({ result }) => (
      <State
        tone={result === "succeed" ? "good" : "bad"}
        words={o.members.results[result]}
      />
    ),
  },
  {
    title: o.members.address,
    show: ({ user_ip }) => <span class="figures">{user_ip}</span>,
  },
  {
    title: o.members.device,
    show: ({ user_agent }) => <span class="name" title={user_agent}>{user_agent}</span>,
  },
];

/** What has happened to the account, newest first. */
export function ActivityList({ member: { uid } }: ListProps): View {
  const reading = usePages(
    `activity ${uid}`,
    (paging) =>
      venue.get("/api/v2/admin/members/{uid}/activity/{topic}", {
        path: { uid, topic: "all" },
        query: paging,
      }),
  );
  return (
    <PagedTable
      caption={o.members.tabs.activity}
      columns={ACTIVITY_COLUMNS}
      reading={reading}
      keyOf={({ created_at, topic, action }) => `${created_at} ${topic} ${action}`}
      empty={o.members.noActivity}
    />
  );
}
