/** The audit trail: what operators did and why, in sidecar rows; the log numbers the acts. */
import { present } from "../domain/assert.ts";
import type { Receipt } from "../domain/command.ts";
import type { Engine, Page, PageRequest, SidecarRow } from "../engine/engine.ts";
import { isUnfiltered } from "../engine/read/history_queries.ts";
import {
  ACT_ROWS,
  actKey,
  memberActKey,
  memberActRowsOf,
  sidecarRows,
} from "../engine/sidecar_rows.ts";

/** An operator's act, as stored. */
export interface Act {
  /** Uid of the operator; null if a command of the venue acted. */
  readonly uid: string | null;
  /** Id of the key that signed; null if the operator acted in a session, or a command did. */
  readonly kid: string | null;
  /** Id of the endpoint. */
  readonly action: string;
  /** Path parameters by name: what was acted on. */
  readonly target: Readonly<Record<string, string>>;
  /** Fields of the body, without secrets and personal data. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Empty if none was given. */
  readonly reason: string;
  /** Uid of the member that it touched; absent if none, or if an older version noted the act. */
  readonly member?: string;
  /** Id of what it made. */
  readonly made?: string;
  /** What it changed, as it was and as it is since: only fields that differ. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What the log told its caller, if the call has a name and may be repeated. */
  readonly receipt?: Receipt;
  /** Present if it took two operators. */
  readonly approval?: ActApproval;
}

/** Who has acted: the uid, and the key that signed; null in a session. */
export interface ActAuthor {
  readonly uid: string;
  readonly kid: string | null;
}

/** What an act was to one that takes two operators. */
export interface ActApproval {
  /** Number of the act that asked for it. */
  readonly id: number;
  /** What the act did: it asked for it, had it happen, or refused it. */
  readonly state: "pending" | "approved" | "refused";
  /** What was asked for: id of the endpoint, fields of the body, and why. */
  readonly action: string;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** Who asked. */
  readonly first: ActAuthor;
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
  /** Id of the key that signed. */
  readonly kid?: string;
  readonly action?: string;
  /** Uid of the member that they touched. */
  readonly member?: string;
  /** Since, and before, in ms. */
  readonly from?: number;
  readonly to?: number;
}

/** The most acts that a filtered read scans before it reports that there may be more. */
export const ACT_SCAN_MAX = 20_000;

/** The kind of act that a process makes which adds the operator's key of its settings. */
export const OPERATOR_KEY_ACT = "addOperatorKey";

/** The kind of act that a restore is. */
export const RESTORE_ACT = "restoreVenue";

const ROWS_PER_READ = 500;
/** How much later than the next one an act may say that it was, in ms: clocks differ. */
const CLOCKS_DIFFER_MS = 60_000;

/** Acts about a member of which it is not told: what operators write down for each other. */
const UNTOLD: ReadonlySet<string> = new Set(["addMemberNote"]);

/** Returns the rows to commit with an act. */
export function actRows(id: number, act: Act): SidecarRow[] {
  const row = { key: actKey(id), value: act };
  // What was only asked for, or refused, has not happened.
  const isNothing = act.approval !== undefined && act.approval.state !== "approved";
  return act.member === undefined || isNothing || UNTOLD.has(act.action)
    ? [row]
    : [row, { key: memberActKey(act.member, id), value: 1 }];
}

/** Reads a page of the acts that a member is told of, newest first. */
export async function readMemberActs(
  engine: Pick<Engine, "listSidecar" | "readSidecars">,
  uid: string,
  { offset, limit }: Pick<PageRequest, "offset" | "limit">,
): Promise<Page<NumberedAct>> {
  const ids: number[] = [];
  for await (const { key } of sidecarRows(engine, { prefix: memberActRowsOf(uid) })) {
    ids.push(Number(key.at(-1)));
  }
  const page = ids.reverse().slice(offset, offset + limit);
  const acts = await readNumberedActs(engine, page);
  const items = page.map((id, place) => ({ id, act: acts[place] ?? null }));
  return { items, total: ids.length, isScanLimited: false, scanned: ids.length };
}

/** Returns the acts with these numbers; null where no row holds one. */
export async function readNumberedActs(
  engine: Pick<Engine, "readSidecars">,
  ids: readonly number[],
): Promise<readonly (Act | null)[]> {
  return await engine.readSidecars(ids.map(actKey)) as readonly (Act | null)[];
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
  const act = await engine.readSidecar(actKey(id)) as Act | null;
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
  const first = await firstAbove(engine, filter.to ?? Infinity);
  let above = first;
  const lowest = Math.max(1, above - ACT_SCAN_MAX);
  while (above > lowest && found.length < offset + limit) {
    const acts = await actsBelow(engine, above, Math.min(ROWS_PER_READ, above - lowest));
    found.push(...acts.filter((numbered) => isMeant(numbered, filter)));
    above -= acts.length;
    if (acts.some((numbered) => isBefore(numbered, filter.from ?? -Infinity))) break;
  }
  const isEnough = found.length >= offset + limit;
  return {
    items: found.slice(offset, offset + limit),
    total: null,
    isScanLimited: !isEnough && lowest > 1,
    scanned: first - above,
  };
}

function isMeant({ act }: NumberedAct, filter: ActFilter): boolean {
  const { uid, kid, action, member, from, to } = filter;
  return act !== null && (uid === undefined || act.uid === uid) &&
    (kid === undefined || act.kid === kid) &&
    (action === undefined || act.action === action) &&
    (member === undefined || memberOf(act) === member) &&
    act.at >= (from ?? -Infinity) && act.at < (to ?? Infinity);
}

/** Returns the uid of the member that an act touched; of older acts, what their path says. */
function memberOf({ member, target }: Act): string | undefined {
  return member ?? target["uid"];
}

/** Whether this act and all before it were earlier, whatever the clocks said. */
function isBefore({ act }: NumberedAct, time: number): boolean {
  return act !== null && act.at < time - CLOCKS_DIFFER_MS;
}

/** Returns a number from which on all acts are of this time or later, however many there are. */
async function firstAbove(engine: ActsEngine, time: number): Promise<number> {
  let [low, high] = [1, engine.venue.counters.acts + 1];
  if (time === Infinity) return high;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const after = actKey(middle - 1);
    const [row] = await engine.listSidecar({ prefix: ACT_ROWS, after, limit: 1 });
    const act = row?.value as Act | undefined;
    if (act === undefined || act.at >= time + CLOCKS_DIFFER_MS) high = middle;
    else low = middle + 1;
  }
  return low;
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
    prefix: ACT_ROWS,
    limit: above - first,
    isReverse: true,
    after: actKey(above),
  });
  const acts = new Map(rows.map(({ key, value }) => [key[key.length - 1], value as Act]));
  return Array.from({ length: above - first }, (_, place) => {
    const id = above - 1 - place;
    return { id, act: acts.get(id) ?? null };
  });
}
