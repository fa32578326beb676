/** @jsxImportSource hono/jsx/dom */
/** Members: found by uid or address, or listed by state, level and group. */
import { useState } from "hono/jsx/dom";
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { ActButton } from "../acting/act_button.tsx";
import { Filter } from "../acting/filter.tsx";
import { usePages, useReading } from "../acting/reading.ts";
import { MemberLink, PagedTable, Part, State, timeText } from "../acting/record_views.tsx";
import { go, route } from "../acting/route.ts";
import { createMemberAct } from "./member_acts.ts";
import { memberTone, yesNo } from "./member_words.ts";

type Member = Records["Member"];

/** States that members can have. */
export const MEMBER_STATES = ["active", "pending", "locked", "banned"] as const;

const COLUMNS: readonly Column<Member>[] = [
  {
    title: t.operate.members.email,
    show: ({ uid, email }) => <MemberLink uid={uid} name={email} />,
  },
  { title: t.operate.members.uid, show: ({ uid }) => <span class="figures">{uid}</span> },
  {
    title: t.operate.members.state,
    show: ({ state }) => <State tone={memberTone(state)} words={t.operate.members.states[state]} />,
  },
  { title: t.operate.members.level, isFigure: true, show: ({ level }) => level },
  { title: t.operate.members.group, show: ({ group }) => group },
  { title: t.operate.members.otp, show: ({ otp }) => yesNo(otp) },
  { title: t.operate.members.since, show: ({ created_at }) => timeText(created_at), isWide: true },
];

/** The list, and what narrows it. */
export function MembersView(): View {
  const { query } = useShown(route);
  const { search = "", state = "", level = "", group = "" } = query;
  const email = search.includes("@") ? search : "";
  const reading = usePages(
    `members ${email} ${state} ${level} ${group}`,
    (paging) =>
      venue.get("/api/v2/admin/members", {
        query: {
          ...paging,
          ...(email === "" ? {} : { email }),
          ...(state === "" ? {} : { state: state as Member["state"] }),
          ...(/^\d+$/.test(level) ? { level: Number(level) } : {}),
          ...(group === "" ? {} : { group }),
        },
      }),
  );
  return (
    <Part
      title={t.operate.nav.members}
      tools={<ActButton act={createMemberAct()} isMain />}
      isWhole
    >
      <MemberSearch />
      <PagedTable
        caption={t.operate.nav.members}
        columns={COLUMNS}
        reading={reading}
        keyOf={({ uid }) => uid}
        empty={t.operate.members.noneFound}
      />
    </Part>
  );
}

/** What is searched: a whole address or a uid, which leads to the member's record at once. */
function MemberSearch(): View {
  const { query } = useShown(route);
  const [text, setText] = useState(query["search"] ?? "");
  const classes = useReading("classes", () => venue.get("/api/v2/admin/member_classes"));
  const narrow = (changes: Readonly<Record<string, string>>) =>
    go(["members"], { ...query, page: "", ...changes });
  const search = (event: Event) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === "" || wanted.includes("@")) narrow({ search: wanted });
    else go(["members", wanted.toUpperCase()]);
  };
  const levels = Array.from({ length: (classes.value?.level_max ?? 3) + 1 }, (_, at) => String(at));
  const groups = ["any", ...classes.value?.groups ?? []];
  return (
    <form class="filters row" role="search" onSubmit={search}>
      <input
        type="search"
        class="wide-input"
        aria-label={t.operate.members.search}
        placeholder={t.operate.members.search}
        maxlength={254}
        spellcheck={false}
        value={text}
        onInput={(event: Event) => setText((event.currentTarget as HTMLInputElement).value)}
      />
      <button type="submit" class="small">{t.operate.members.find}</button>
      <Filter
        label={t.operate.members.state}
        all={t.operate.members.allStates}
        choices={MEMBER_STATES.map((state) => [state, t.operate.members.states[state]])}
        chosen={query["state"] ?? ""}
        onChoose={(state) => narrow({ state })}
      />
      <Filter
        label={t.operate.members.level}
        all={t.operate.members.allLevels}
        choices={levels.map((level) => [level, t.operate.members.levelIs(level)])}
        chosen={query["level"] ?? ""}
        onChoose={(level) => narrow({ level })}
      />
      <Filter
        label={t.operate.members.group}
        all={t.operate.members.allGroups}
        choices={groups.map((group) => [group, group])}
        chosen={query["group"] ?? ""}
        onChoose={(group) => narrow({ group })}
      />
    </form>
  );
}
