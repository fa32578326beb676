/** @jsxImportSource hono/jsx/dom */
/** Who operates the venue, and with which role. */
import type { Records } from "../../../client/client.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { Column } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { usePages } from "../acting/reading.ts";
import { MemberLink, PagedTable, Part, State } from "../acting/record_views.tsx";
import { linkTo } from "../acting/view_route.ts";

type Member = Records["Member"];

const COLUMNS: readonly Column<Member>[] = [
  {
    title: o.members.email,
    show: ({ uid, email }) => <MemberLink uid={uid} name={email} />,
  },
  { title: o.members.uid, show: ({ uid }) => <span class="figures">{uid}</span> },
  {
    title: o.members.role,
    show: ({ operator_role: role }) => role === null ? "–" : o.roles[role],
  },
  {
    title: o.members.state,
    show: ({ operator_role_active: isActive }) => (
      <State
        tone={isActive ? "good" : "bad"}
        words={isActive ? o.trail.inForce : o.trail.ended}
      />
    ),
  },
  {
    title: o.trail.acts,
    show: ({ uid }) => <a href={linkTo(["audit"], { uid })}>{o.trail.showActs}</a>,
  },
];

/** The list. */
export function OperatorsView(): View {
  const { nav, trail } = o;
  const reading = usePages(
    "operators",
    (paging) => venue.get("/api/v2/admin/operators", { query: paging }),
  );
  return (
    <Part title={nav.operators} note={trail.operatorsNote} isWhole>
      <PagedTable
        caption={nav.operators}
        columns={COLUMNS}
        reading={reading}
        keyOf={({ uid }) => uid}
        empty={trail.noOperators}
      />
    </Part>
  );
}
