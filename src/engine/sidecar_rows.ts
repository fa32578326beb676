/** Sidecar rows for the layers that do not know the store: their keys, and how to walk over many. */
import type { Engine, SidecarRange, SidecarRow } from "./engine.ts";

export * from "../store/sidecar_keys.ts";

/** Rows that one listing reads. */
const PAGE_ROWS = 200;
/** Rows that are created together. */
const CREATED_AT_ONCE = 100;

/** Creates those of some rows that are not there yet; all of them together where none is. */
export async function createSidecars(
  engine: Pick<Engine, "createSidecar" | "replaceSidecars">,
  rows: readonly SidecarRow[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += CREATED_AT_ONCE) {
    const some = rows.slice(i, i + CREATED_AT_ONCE);
    const isDone = await engine.replaceSidecars(
      some.map((row) => [{ ...row, versionstamp: null }]),
    );
    const left = some.filter((_, at) => isDone[at] !== true);
    await Promise.all(left.map((row) => engine.createSidecar(row)));
  }
}

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
