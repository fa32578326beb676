/** The audit trail: what operators did and why, in sidecar rows; the log numbers the acts. */
import { present } from "../domain/assert.ts";
import type { Receipt } from "../domain/command.ts";
import type { Engine, Page, PageRequest, SidecarRow } from "./engine.ts";
import { isUnfiltered } from "./history_queries.ts";

/** An operator's act, as stored. */
export interface Act {
  /** Uid of the operator, and id of the key that signed. */
  readonly uid: string;
  readonly kid: string;
  /** Id of the endpoint. */
  readonly action: string;
  /** Path parameters by name: what was acted on. */
  readonly target: Readonly<Record<string, string>>;
  /** Fields of the body, without secrets and personal data. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Empty if none was given. */
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What the log told its caller, if the call has a name and may be repeated. */
  readonly receipt?: Receipt;
}

/** A numbered act; `act` is null if the log has numbered it but no row holds it. */
export interface NumberedAct {
  readonly id: number;
  readonly act: Act | null;
}

/** Selects acts. */
export interface ActFilter {
  /** Uid of the operator. */
  readonly uid?: string;
  readonly action?: string;
}

/** The most acts that a filtered read scans before it reports that there may be more. */
export const ACT_SCAN_MAX = 20_000;

const ACTS = "acts";
const ROWS_PER_READ = 500;

/** Returns the row to commit with an act. */
export function actRow(id: number, act: Act): SidecarRow {
  return { key: [ACTS, id], value: act };
}

/**
 * Returns what the log told the caller of an act that has a name.
 *
 * @throws {InvariantError} if no row holds it, although both are written in one commit
 */
export async function readReceipt(
  engine: Pick<Engine, "readSidecar">,
  id: number,
): Promise<Receipt> {
  const act = await engine.readSidecar([ACTS, id]) as Act | null;
  return present(act?.receipt, `act ${id} has its receipt`);
}

/** The part of the engine that the audit trail needs. */
export type ActsEngine = Pick<Engine, "venue" | "listSidecar">;

/** Reads a page of the audit trail, newest first. */
export async function readActs(
  engine: ActsEngine,
  filter: ActFilter,
  { offset, limit }: Pick<PageRequest, "offset" | "limit">,
): Promise<Page<NumberedAct>> {
  const total = engine.venue.counters.acts;
  if (isUnfiltered(filter)) {
    const items = await actsBelow(engine, total - offset + 1, limit);
    return { items, total, isScanLimited: false, scanned: items.length };
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
    scanned: engine.venue.counters.acts + 1 - above,
  };
}

function isMeant({ act }: NumberedAct, { uid, action }: ActFilter): boolean {
  return act !== null && (uid === undefined || act.uid === uid) &&
    (action === undefined || act.action === action);
}

/** Returns `count` acts with the highest numbers below `above`, newest first, none left out. */
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
