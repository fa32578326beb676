/** @jsxImportSource hono/jsx/dom */
/** What has happened to the account, by its member and by operators. */
import { useState } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import { t } from "../shared/language.ts";
import { Pages, usePaged } from "../shared/paged.tsx";
import { venue } from "../shared/session.ts";
import { type Column, Table } from "../shared/table.tsx";
import { Group, type View } from "../shared/view.ts";
import { When } from "../shared/when.tsx";
import { deviceName } from "./device_name.ts";

type Happened = Records["Activity"];
type Act = Records["OwnAct"];
type Topic = Happened["topic"] | "all";

const SIZE = 25;
const TOPICS: readonly Topic[] = [
  "all",
  "session",
  "password",
  "otp",
  "api_key",
  "beneficiary",
  "withdraw",
  "account",
];

/** Both lists. */
export function ActivityLists(): View {
  return (
    <Group>
      <Own />
      <Operators />
    </Group>
  );
}

function Own(): View {
  const [topic, setTopic] = useState<Topic>("all");
  const list = usePaged(
    topic,
    SIZE,
    (page) =>
      venue.get("/api/v2/auth/resource/users/activity/{topic}", {
        path: { topic },
        query: { page, limit: SIZE },
      }),
  );
  return (
    <section class="sheet" aria-labelledby="activity">
      <div class="head">
        <h2 id="activity">{t.account.activity}</h2>
        <select
          aria-label={t.account.topic}
          onChange={(event: Event) =>
            setTopic((event.currentTarget as HTMLSelectElement).value as Topic)}
        >
          {TOPICS.map((name) => (
            <option key={name} value={name} selected={name === topic}>
              {t.account.topics[name]}
            </option>
          ))}
        </select>
      </div>
      <Pages list={list} label={t.account.activity}>
        {(rows) => (
          <Table
            caption={t.account.activity}
            columns={OWN_COLUMNS}
            rows={rows.map((row, index) => ({ ...row, index }))}
            keyOf={({ index }) => index}
            empty={t.account.noActivity}
          />
        )}
      </Pages>
    </section>
  );
}

const OWN_COLUMNS: readonly Column<Happened & { readonly index: number }>[] = [
  { title: t.wallet.when, show: ({ created_at: at }) => <When at={at} /> },
  {
    title: t.account.event,
    show: ({ topic, action }) => `${t.account.topics[topic]}: ${actionText(action)}`,
  },
  {
    title: t.account.result,
    show: ({ result }) => (
      <span class={result === "succeed" ? "state good" : "state bad"}>
        {t.account.results[result]}
      </span>
    ),
  },
  {
    title: t.account.address,
    isWide: true,
    show: ({ user_ip: ip }) => <span class="figures">{ip}</span>,
  },
  {
    title: t.account.device,
    isWide: true,
    show: ({ user_agent: agent }) => <span class="cut" title={agent}>{deviceName(agent)}</span>,
  },
];

/** Returns what an action is called; those without a word of their own are shown as they are. */
function actionText(action: string): string {
  const words = t.account.actions;
  return Object.hasOwn(words, action)
    ? words[action as keyof typeof words]
    : action.replaceAll("_", " ");
}

function Operators(): View {
  const list = usePaged(
    "acts",
    SIZE,
    (page) => venue.get("/api/v2/auth/resource/users/acts", { query: { page, limit: SIZE } }),
  );
  return (
    <section class="sheet" aria-labelledby="acts">
      <h2 id="acts">{t.account.acts}</h2>
      <p class="soft">{t.account.actsWhat}</p>
      <Pages list={list} label={t.account.acts}>
        {(rows) => (
          <Table
            caption={t.account.acts}
            columns={ACT_COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            empty={t.account.noActs}
          />
        )}
      </Pages>
    </section>
  );
}

const ACT_COLUMNS: readonly Column<Act>[] = [
  { title: t.wallet.when, show: ({ at }) => <When at={at} /> },
  { title: t.account.act, show: ({ action }) => inWords(action) },
  {
    title: t.account.reason,
    show: ({ reason }) => <span class="wrapping">{reason ?? "–"}</span>,
  },
];

/** Returns the name of an operator's call as words: `changeMember` as `change member`. */
function inWords(action: string): string {
  return action.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
