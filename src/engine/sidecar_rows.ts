/** Sidecar rows for the layers that do not know the store: their keys, and how to walk over many. */
import type { Engine, SidecarRange, SidecarRow } from "./engine.ts";

export * from "../store/sidecar_keys.ts";

/** Rows that one listing reads. */
const PAGE_ROWS = 200;

/** Yields the rows of a range, a page at a time; those written meanwhile may be among them. */
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
