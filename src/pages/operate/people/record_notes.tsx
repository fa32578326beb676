/** @jsxImportSource hono/jsx/dom */
/** What operators have written of a member, and done with it. */
import type { Records } from "../../../client/client.ts";
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import { Group, type View } from "../../shared/view.ts";
import { ActButton } from "../acting/act_button.tsx";
import { actColumns } from "../trail/act_columns.tsx";
import { usePages } from "../acting/reading.ts";
import { MemberLink, PagedTable, timeText } from "../acting/record_views.tsx";
import { addNoteAct } from "./member_acts.ts";
import { touching } from "./touching.ts";

interface ListProps {
  readonly member: Records["Member"];
}

const NOTE_COLUMNS: readonly Column<Records["MemberNote"]>[] = [
  { title: t.trade.time, show: ({ created_at }) => timeText(created_at) },
  { title: o.audit.who, show: ({ uid }) => <MemberLink uid={uid} /> },
  {
    title: o.members.note,
    show: ({ text }) => <span class="wrapped long">{text}</span>,
  },
];

/** Notes, newest first. */
export function NoteList({ member }: ListProps): View {
  const { uid } = member;
  const reading = usePages(
    `notes ${uid}`,
    (paging) => venue.get("/api/v2/admin/members/{uid}/notes", { path: { uid }, query: paging }),
  );
  return (
    <Group>
      <PagedTable
        caption={o.members.tabs.notes}
        columns={NOTE_COLUMNS}
        reading={reading}
        keyOf={({ id }) => id}
        empty={o.members.noNotes}
      />
      <p class="part-foot">
        <ActButton act={touching(member, addNoteAct(member))} />
      </p>
    </Group>
  );
}

/** What operators have done with the member, newest first. */
export function ActList({ member: { uid } }: ListProps): View {
  const reading = usePages(
    `acts of ${uid}`,
    (paging) => venue.get("/api/v2/admin/acts", { query: { ...paging, member: uid } }),
  );
  return (
    <PagedTable
      caption={o.members.tabs.acts}
      columns={actColumns()}
      reading={reading}
      keyOf={({ id }) => id}
      empty={o.members.noActs}
    />
  );
}
