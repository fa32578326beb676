/** One's own orders, fills and balances, live. */
import type { OrderMessage, Records, TradeMessage } from "../../client/client.ts";
import { LiveList, newestFirst } from "../live/live_list.ts";
import { PastList } from "../live/past_list.ts";
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
const ENDED = ["done", "cancel", "reject"] as const;

/** Open orders, newest first. */
export const openOrders: LiveList<OwnOrder> = new LiveList<OwnOrder>({
  keyOf: ({ id }) => id,
  read: () => venue.openOrders(),
  rowOf: (order) => isOpen(order) ? order : null,
  arrange: newestFirst,
});
/** Orders that have ended, newest first. */
export const endedOrders: PastList<OwnOrder> = new PastList<OwnOrder>({
  readPage: (toId) =>
    venue.get("/api/v2/backend/market/orders", {
      query: { state: ENDED, limit: PAGE, ...downFrom(toId) },
    }),
  pageSize: PAGE,
  most: PAST_MAX,
});
/** Fills, newest first. */
export const fills: PastList<OwnFill> = new PastList<OwnFill>({
  // A trade with oneself is two fills.
  keyOf: ({ id, side }) => `${id} ${side}`,
  readPage: (toId) =>
    venue.get("/api/v2/backend/market/trades", { query: { limit: PAGE, ...downFrom(toId) } }),
  pageSize: PAGE,
  most: PAST_MAX,
});
/** Balances by currency. */
export const balances: LiveList<Records["Account"]> = new LiveList<Records["Account"]>({
  keyOf: ({ currency }) => currency,
  read: () => venue.get("/api/v2/backend/account/balances", { query: { limit: 1000 } }),
});
/** The last thing that has happened to one's orders. */
export const news: Shown<OwnNews | null> = new Shown<OwnNews | null>(null);

/** Whether an order can still change by itself. */
export function isOpen({ state }: Pick<OwnOrder, "state">): boolean {
  return state === "wait" || state === "trigger_wait" || state === "pending";
}

/** Follows everything of one's own, for as long as the page is open. */
export function followOwn(): void {
  venue.listen("order", { onMessage: takeOrder, onGap: () => void loadOwn() });
  venue.listen("trade", {
    onMessage: (fill) => {
      fills.list.tell(fill);
      news.set({ kind: "fill", fill });
    },
    onGap: () => void fills.list.reload(),
  });
  venue.listen("balance", {
    onMessage: (account) => balances.tell(account),
    onGap: () => void loadOwn(),
  });
}

/**
 * Reads open orders and balances, once the streams are connected, so that nothing falls between;
 * what they tell meanwhile is newer.
 */
export async function loadOwn(): Promise<void> {
  await Promise.all([openOrders.load(), balances.load(), endedOrders.list.reload()]);
}

/** Forgets all of it, once the session has ended. */
export function forgetOwn(): void {
  for (const list of [openOrders, endedOrders.list, fills.list, balances]) list.clear();
  news.set(null);
}

/** Returns what one has free of a currency; null while that is not known. */
export function freeOf(currency: string): string | null {
  if (!balances.isKnown) return null;
  return balances.rows.value?.find((one) => one.currency === currency)?.balance ?? "0";
}

function takeOrder(message: OrderMessage): void {
  openOrders.tell(message);
  if (!isOpen(message)) endedOrders.list.tell(message);
  news.set({ kind: "order", order: message });
}

function downFrom(toId: number | undefined): { to_id?: number; order_by: "desc" } {
  return { order_by: "desc", ...(toId === undefined ? {} : { to_id: toId }) };
}
