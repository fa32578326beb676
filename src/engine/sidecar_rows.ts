/** Walking over rows beside the log, of which there may be many. */
import type { Engine, SidecarRange, SidecarRow } from "./engine.ts";

/** How many rows one listing reads at a time. */
const PAGE_ROWS = 200;

/** All rows of a range, read a page at a time: those written meanwhile may be among them or not. */
export async function* sidecarRows(
  engine: Pick<Engine, "listSidecar">,
  range: Omit<SidecarRange, "limit">,
): AsyncGenerator<SidecarRow> {
  let rows = await engine.listSidecar({ ...range, limit: PAGE_ROWS });
  for (;;) {
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    rows = await engine.listSidecar({ ...range, limit: PAGE_ROWS, after: last.key });
  }
}
