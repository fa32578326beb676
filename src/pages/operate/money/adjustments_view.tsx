/** @jsxImportSource hono/jsx/dom */
/** Adjustments of balances: the last ones of all members, and a new one. */
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { View } from "../../shared/view.ts";
import { ActButton } from "../acting/act_button.tsx";
import { usePages, useReading } from "../acting/reading.ts";
import { PagedTable, Part } from "../acting/record_views.tsx";
import { actColumns } from "../trail/act_columns.tsx";
import { adjustAct } from "./adjust_act.ts";

/** The view. */
export function AdjustmentsView(): View {
  const { nav, money } = o;
  const currencies = useReading(
    "currencies",
    () => venue.get("/api/v2/admin/currencies", { query: { limit: 1000 } }),
  );
  const reading = usePages(
    "adjustments",
    (paging) =>
      venue.get("/api/v2/admin/acts", { query: { ...paging, action: "createAdjustment" } }),
  );
  const adjusting = currencies.value === null
    ? null
    : <ActButton act={adjustAct(null, "", currencies.value.map(({ id }) => id))} isMain />;
  return (
    <Part title={nav.adjustments} tools={adjusting} note={money.adjustmentsNote} isWhole>
      <PagedTable
        caption={nav.adjustments}
        columns={actColumns()}
        reading={reading}
        keyOf={({ id }) => id}
        empty={money.noAdjustments}
      />
    </Part>
  );
}
