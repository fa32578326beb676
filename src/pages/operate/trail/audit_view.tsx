/** @jsxImportSource hono/jsx/dom */
/** The audit trail: what operators did, newest first. */
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import type { View } from "../../shared/view.ts";
import { dayRange } from "../acting/day_range.ts";
import { DayFilter, Filter, TextFilter } from "../acting/filter.tsx";
import { usePages } from "../acting/reading.ts";
import { PagedTable, Part } from "../acting/record_views.tsx";
import { go, route } from "../acting/route.ts";
import { actColumns } from "./act_columns.tsx";

/** The list, and what narrows it. */
export function AuditView(): View {
  const { query } = useShown(route);
  const { action = "", uid = "", member = "", from = "", to = "" } = query;
  const reading = usePages(
    `acts ${action} ${uid} ${member} ${from} ${to}`,
    (paging) =>
      venue.get("/api/v2/admin/acts", {
        query: {
          ...paging,
          ...(action === "" ? {} : { action }),
          ...(uid === "" ? {} : { uid }),
          ...(member === "" ? {} : { member }),
          ...dayRange(from, to),
        },
      }),
  );
  const narrow = (changes: Readonly<Record<string, string>>) =>
    go(["audit"], { ...query, page: "", ...changes });
  const { audit, nav } = o;
  return (
    <Part title={nav.audit} note={audit.note} isWhole>
      <div class="filters row">
        <Filter
          label={audit.what}
          all={audit.allActions}
          choices={Object.entries(audit.actions)}
          chosen={action}
          onChoose={(chosen) => narrow({ action: chosen })}
        />
        <TextFilter label={audit.operatorUid} chosen={uid} onChoose={(to) => narrow({ uid: to })} />
        <TextFilter
          label={audit.memberUid}
          chosen={member}
          onChoose={(to) => narrow({ member: to })}
        />
        <DayFilter label={audit.from} chosen={from} onChoose={(day) => narrow({ from: day })} />
        <DayFilter label={audit.to} chosen={to} onChoose={(day) => narrow({ to: day })} />
      </div>
      <PagedTable
        caption={nav.audit}
        columns={actColumns()}
        reading={reading}
        keyOf={({ id }) => id}
        empty={audit.none}
      />
    </Part>
  );
}
