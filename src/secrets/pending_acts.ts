/** Acts that take two operators: what one has asked for, and what the other has made of it. */
import type { Engine, HeldRow, Page, PageRequest } from "../engine/engine.ts";
import {
  DECIDED_ACT_ROWS,
  decidedActKey,
  PENDING_ACT_ROWS,
  pendingActKey,
  sidecarRows,
} from "../engine/sidecar_rows.ts";
import type { ActAuthor } from "./acts.ts";

/** What can take two operators. */
export type AskedAct =
  | {
    readonly kind: "adjustment";
    readonly uid: string;
    readonly currency: string;
    /** In ledger units. */
    readonly amount: bigint;
  }
  | { readonly kind: "withdraw"; readonly id: number };

/** An act that takes two operators, as stored. Times in ms. */
export interface PendingAct {
  readonly asked: AskedAct;
  /** Id of the endpoint, path parameters, fields of the body, and why. */
  readonly action: string;
  readonly target: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly reason: string;
  /** Uid of the member that it touches. */
  readonly member: string;
  readonly first: ActAuthor;
  readonly at: number;
  /** Present once it is decided. */
  readonly decision?: Decision;
}

/** What a second operator has decided. */
export interface Decision {
  readonly isApproved: boolean;
  readonly second: ActAuthor;
  /** Number of the act. */
  readonly act: number;
  /** Empty if none was given. */
  readonly reason: string;
  /** In ms. */
  readonly at: number;
}

/** An act with the number of the act that asked for it. */
export interface NumberedPendingAct {
  readonly id: number;
  readonly pending: PendingAct;
}

type PendingEngine = Pick<Engine, "holdSidecar" | "listSidecar" | "readSidecar">;

/** Returns an act that takes two operators, decided or not; null if there is none. */
export async function readPendingAct(
  engine: PendingEngine,
  id: number,
): Promise<PendingAct | null> {
  const pending = await engine.readSidecar(pendingActKey(id));
  return (pending ?? await engine.readSidecar(decidedActKey(id))) as PendingAct | null;
}

/** Returns the row of an act that waits, to be held by the commit that decides on it. */
export async function holdPendingAct(engine: PendingEngine, id: number): Promise<HeldRow | null> {
  const held = await engine.holdSidecar(pendingActKey(id));
  return held.versionstamp === null ? null : held;
}

/** Lists the acts that wait, or those that are decided, newest first. */
export async function listPendingActs(
  engine: PendingEngine,
  isDecided: boolean,
  { offset, limit }: Pick<PageRequest, "offset" | "limit">,
): Promise<Page<NumberedPendingAct>> {
  const prefix = isDecided ? DECIDED_ACT_ROWS : PENDING_ACT_ROWS;
  const items: NumberedPendingAct[] = [];
  let scanned = 0;
  for await (const { key, value } of sidecarRows(engine, { prefix, isReverse: true })) {
    if (items.length === limit) break;
    if (scanned++ >= offset) items.push({ id: Number(key.at(-1)), pending: value as PendingAct });
  }
  return { items, total: null, isScanLimited: false, scanned };
}

/** Whether two authors may be one person: then neither can be the other's second. */
export function isSameOperator(one: ActAuthor, other: ActAuthor): boolean {
  // Operators may share a uid, whose keys tell them apart; a person may have a key of its own.
  return one.kid === null || other.kid === null ? one.uid === other.uid : one.kid === other.kid;
}
