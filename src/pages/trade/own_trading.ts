/** One's own orders, fills and balances, live. */
import type { OrderMessage, Records, TradeMessage } from "../../client/client.ts";
import { venue } from "../shared/session.ts";
import { Shown } from "../shared/shown.ts";

/** What pages show of an order; the stream's and the list's records agree in it. */
export type OwnOrder = Pick<
  OrderMessage,
  | "id"
  | "uuid"
  | "market"
  | "side"
  | "ord_type"
  | "state"
  | "price"
  | "trigger_price"
  | "avg_price"
  | "origin_volume"
  | "remaining_volume"
  | "executed_volume"
  | "time_in_force"
  | "client_order_id"
  | "reject_reason"
  | "created_at_ms"
  | "updated_at_ms"
>;

/** A fill of one's own. */
export type OwnFill = Pick<
  TradeMessage,
  | "id"
  | "market"
  | "price"
  | "amount"
  | "total"
  | "side"
  | "liquidity"
  | "order_id"
  | "fee_currency"
  | "fee_amount"
  | "created_at_ms"
>;

/** Something of one's own that has just happened, as the page tells it. */
export type OwnNews =
  | { readonly kind: "order"; readonly order: OwnOrder }
  | { readonly kind: "fill"; readonly fill: OwnFill };

/** Ended orders, and fills, that are kept. */
const PAST_MAX = 500;
const PAGE = 100;

/** Open orders, newest first. */
export const openOrders: Shown<readonly OwnOrder[]> = new Shown<readonly OwnOrder[]>([]);
/** Orders that have ended, newest first; null until they are asked for. */
export const endedOrders: Shown<readonly OwnOrder[] | null> = new Shown<
  readonly OwnOrder[] | null
>(null);
/** Fills, newest first; null until they are asked for. */
export const fills: Shown<readonly OwnFill[] | null> = new Shown<readonly OwnFill[] | null>(null);
/** Balances by currency. */
export const balances: Shown<ReadonlyMap<string, Records["Account"]>> = new Shown<
  ReadonlyMap<string, Records["Account"]>
>(new Map());
/** The last thing that has happened to one's orders. */
export const news: Shown<OwnNews | null> = new Shown<OwnNews | null>(null);
/** Whether all of it is what the venue has; not before it is read, nor while it is read anew. */
export const isOwnKnown: Shown<boolean> = new Shown(false);

/** Whether an order can still change by itself. */
export function isOpen({ state }: Pick<OwnOrder, "state">): boolean {
  return state === "wait" || state === "trigger_wait" || state === "pending";
}

/** Orders that a stream has told of since lists were asked for: the stream knows better. */
const told = new Map<number, OwnOrder>();
const toldBalances = new Set<string>();

/** Follows everything of one's own, for as long as the page is open. */
export function followOwn(): void {
  venue.listen("order", { onMessage: takeOrder, onGap: () => void loadOwn() });
  venue.listen("trade", { onMessage: takeFill, onGap: () => void loadFills() });
  venue.listen("balance", {
    onMessage: (account) => {
      toldBalances.add(account.currency);
      balances.set(new Map(balances.value).set(account.currency, account));
    },
    onGap: () => void loadOwn(),
  });
}

/**
 * Reads open orders and balances, once the streams are connected, so that nothing falls between;
 * what they tell meanwhile is newer.
 */
export async function loadOwn(): Promise<void> {
  told.clear();
  toldBalances.clear();
  isOwnKnown.set(false);
  const [orders, accounts] = await Promise.all([
    venue.openOrders(),
    venue.get("/api/v2/backend/account/balances", { query: { limit: 1000 } }),
  ]);
  const untold = orders.filter(({ id }) => !told.has(id));
  openOrders.set(newestFirst([...untold, ...[...told.values()].filter(isOpen)]));
  const kept = accounts.map((account) =>
    toldBalances.has(account.currency) ? balances.value.get(account.currency) ?? account : account
  );
  balances.set(new Map(kept.map((account) => [account.currency, account])));
  if (endedOrders.value !== null) void loadEnded();
  isOwnKnown.set(true);
}

/** Reads the orders that have ended. */
export async function loadEnded(): Promise<void> {
  const query = { state: ["done", "cancel", "reject"] as const, limit: PAGE };
  endedOrders.set(await venue.get("/api/v2/backend/market/orders", { query }));
}

/** Reads the orders that ended before those that are known; returns whether there may be more. */
export async function loadMoreEnded(): Promise<boolean> {
  const known = endedOrders.value ?? [];
  const oldest = known.at(-1);
  if (oldest === undefined) return false;
  const query = {
    state: ["done", "cancel", "reject"] as const,
    limit: PAGE,
    to_id: oldest.id - 1,
    order_by: "desc" as const,
  };
  const more = await venue.get("/api/v2/backend/market/orders", { query });
  endedOrders.set([...known, ...more]);
  return more.length === PAGE;
}

/** Reads the fills. */
export async function loadFills(): Promise<void> {
  if (fills.value === null) fills.set([]);
  const list = await venue.get("/api/v2/backend/market/trades", { query: { limit: PAGE } });
  addFills(list);
}

/** Reads the fills before those that are known; returns whether there may be more. */
export async function loadMoreFills(): Promise<boolean> {
  const oldest = fills.value?.at(-1);
  if (oldest === undefined) return false;
  const query = { limit: PAGE, to_id: oldest.id - 1, order_by: "desc" as const };
  const more = await venue.get("/api/v2/backend/market/trades", { query });
  addFills(more, Infinity);
  return more.length === PAGE;
}

function takeOrder(message: OrderMessage): void {
  told.set(message.id, message);
  const others = openOrders.value.filter(({ id }) => id !== message.id);
  openOrders.set(isOpen(message) ? newestFirst([message, ...others]) : others);
  const ended = endedOrders.value;
  if (!isOpen(message) && ended !== null) {
    const rest = ended.filter(({ id }) => id !== message.id);
    endedOrders.set(newestFirst([message, ...rest]).slice(0, Math.max(PAST_MAX, rest.length)));
  }
  news.set({ kind: "order", order: message });
}

function takeFill(fill: TradeMessage): void {
  if (fills.value !== null) addFills([fill]);
  news.set({ kind: "fill", fill });
}

function addFills(more: readonly OwnFill[], most = PAST_MAX): void {
  // A trade with oneself is two fills.
  const key = ({ id, side }: OwnFill) => `${id} ${side}`;
  const byKey = new Map([...more, ...fills.value ?? []].map((fill) => [key(fill), fill]));
  fills.set(newestFirst([...byKey.values()]).slice(0, Math.max(most, PAST_MAX)));
}

function newestFirst<T extends { readonly id: number }>(records: readonly T[]): readonly T[] {
  return [...records].sort((one, other) => other.id - one.id);
}
