/** @jsxImportSource hono/jsx/dom */
/** Members: found by uid or address, or listed by state, level and group. */
import { useState } from "hono/jsx/dom";
import type { Records } from "../../../client/client.ts";
import { o } from "../acting/operate_texts.ts";
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
    title: o.members.email,
    show: ({ uid, email }) => <MemberLink uid={uid} name={email} />,
  },
  { title: o.members.uid, show: ({ uid }) => <span class="figures">{uid}</span> },
  {
    title: o.members.state,
    show: ({ state }) => <State tone={memberTone(state)} words={o.members.states[state]} />,
  },
  { title: o.members.level, isFigure: true, show: ({ level }) => level },
  { title: o.members.group, show: ({ group }) => group },
  { title: o.members.otp, show: ({ otp }) => yesNo(otp) },
  { title: o.members.since, show: ({ created_at }) => timeText(created_at), isWide: true },
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
      title={o.nav.members}
      tools={<ActButton act={createMemberAct()} isMain />}
      isWhole
    >
      <MemberSearch />
      <PagedTable
        caption={o.nav.members}
        columns={COLUMNS}
        reading={reading}
        keyOf={({ uid }) => uid}
        empty={o.members.noneFound}
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
        aria-label={o.members.search}
        placeholder={o.members.search}
        maxlength={254}
        spellcheck={false}
        value={text}
        onInput={(event: Event) => setText((event.currentTarget as HTMLInputElement).value)}
      />
      <button type="submit" class="small">{o.members.find}</button>
      <Filter
        label={o.members.state}
        all={o.members.allStates}
        choices={MEMBER_STATES.map((state) => [state, o.members.states[state]])}
        chosen={query["state"] ?? ""}
        onChoose={(state) => narrow({ state })}
      />
      <Filter
        label={o.members.level}
        all={o.members.allLevels}
        choices={levels.map((level) => [level, o.members.levelIs(level)])}
        chosen={query["level"] ?? ""}
        onChoose={(level) => narrow({ level })}
      />
      <Filter
        label={o.members.group}
        all={o.members.allGroups}
        choices={groups.map((group) => [group, group])}
        chosen={query["group"] ?? ""}
        onChoose={(group) => narrow({ group })}
      />
    </form>
  );
}
