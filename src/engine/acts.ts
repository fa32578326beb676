/** The audit trail: what operators did, and why, in rows beside the log that numbers their acts. */
import type { Engine, Page, PageRequest, SidecarRow } from "./engine.ts";
import { isUnfiltered } from "./history_queries.ts";

/** One act of an operator, as it is kept. */
export interface Act {
  /** Uid of the operator, and the key that signed. */
  readonly uid: string;
  readonly kid: string;
  /** Id of the endpoint. */
  readonly action: string;
  /** Parameters of the path, by name: what was acted on. */
  readonly target: Readonly<Record<string, string>>;
  /** Fields of the body, without secrets and personal data. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Empty where none was given. */
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A numbered act; null where the log has numbered it and no row tells of it. */
export interface NumberedAct {
  readonly id: number;
  readonly act: Act | null;
}

/** Which acts are meant. */
export interface ActFilter {
  /** Uid of the operator. */
  readonly uid?: string;
  readonly action?: string;
}

/** Acts that one read with a filter looks at before it says that there may be more. */
export const ACT_SCAN_MAX = 20_000;

const ACTS = "acts";
const ROWS_PER_READ = 500;

/** The row to commit beside an act. */
export function actRow(id: number, act: Act): SidecarRow {
  return { key: [ACTS, id], value: act };
}

/** What of the engine the trail is read from. */
export type ActsEngine = Pick<Engine, "venue" | "listSidecar">;

/** Reads a page of the trail, newest first. */
export async function readActs(
  engine: ActsEngine,
  filter: ActFilter,
  { offset, limit }: Pick<PageRequest, "offset" | "limit">,
): Promise<Page<NumberedAct>> {
  const total = engine.venue.counters.acts;
  if (isUnfiltered(filter)) {
    const items = await actsBelow(engine, total - offset + 1, limit);
    return { items, total, isScanLimited: false };
  }
  return await search(engine, filter, offset, limit);
}

async function search(
  engine: ActsEngine,
  filter: ActFilter,
  offset: number,
  limit: number,
): Promise<Page<NumberedAct>> {
  const found: NumberedAct[] = [];
  let above = engine.venue.counters.acts + 1;
  const lowest = Math.max(1, above - ACT_SCAN_MAX);
  while (above > lowest && found.length < offset + limit) {
    const acts = await actsBelow(engine, above, Math.min(ROWS_PER_READ, above - lowest));
    found.push(...acts.filter((numbered) => isMeant(numbered, filter)));
    above -= acts.length;
  }
  const isEnough = found.length >= offset + limit;
  return {
    items: found.slice(offset, offset + limit),
    total: null,
    isScanLimited: !isEnough && lowest > 1,
  };
}

function isMeant({ act }: NumberedAct, { uid, action }: ActFilter): boolean {
  return act !== null && (uid === undefined || act.uid === uid) &&
    (action === undefined || act.action === action);
}

/** The acts with the highest numbers below one, newest first; every number once. */
async function actsBelow(
  engine: ActsEngine,
  above: number,
  count: number,
): Promise<NumberedAct[]> {
  const first = Math.max(1, above - count);
  if (first >= above) return [];
  const rows = await engine.listSidecar({
    prefix: [ACTS],
    limit: above - first,
    isReverse: true,
    after: [ACTS, above],
  });
  const acts = new Map(rows.map(({ key, value }) => [key[key.length - 1], value as Act]));
  return Array.from({ length: above - first }, (_, place) => {
    const id = above - 1 - place;
    return { id, act: acts.get(id) ?? null };
  });
}
