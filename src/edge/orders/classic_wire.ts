/**
 * Records as the oldest members of the family show them, whose clients parse a creation time as ISO
 * 8601, and call a trade's amount and total `volume` and `funds`.
 */
import type { Order, OrderState } from "../../domain/trading/order.ts";
import type { Engine } from "../../engine/engine.ts";
import { inSlices } from "../../engine/yield_to_others.ts";
import { isoSeconds, type OrderJson } from "../wire/wire.ts";

/** An order of the oldest members; only its creation is ISO 8601. */
export type ClassicOrderJson = Omit<OrderJson, "created_at"> & { readonly created_at: string };

/** Returns an order with its creation time, and the older name of its own id. */
export function classicOrder(json: OrderJson, order: Order): ClassicOrderJson {
  const created_at = isoSeconds(order.createdAt);
  return { ...json, created_at, client_id: json.client_order_id };
}

/** Returns a trade with the older names of its amount and total beside the usual ones. */
export function classicTrade<T extends { readonly amount: string; readonly total: string }>(
  json: T,
): T & { readonly volume: string; readonly funds: string } {
  return { ...json, volume: json.amount, funds: json.total };
}

/** How an open order was before a cancel. */
type Earlier = Readonly<Pick<Order, "state" | "remaining" | "updatedAt">>;

/** A member's open orders before a cancel, which is answered with them as they were. */
export class OrdersBefore {
  readonly #orders = new Map<number, Earlier>();

  /** Notes an order if it is open. */
  note(order: Order | undefined): void {
    if (order === undefined) return;
    const { id, state, remaining, updatedAt } = order;
    this.#orders.set(id, { state, remaining, updatedAt });
  }

  /** Notes all that a member has open. */
  async noteAll(engine: Engine, member: number): Promise<void> {
    const open = [...engine.venue.holder(member).openOrders.values()];
    for await (const slice of inSlices(open)) slice.forEach((order) => this.note(order));
  }

  /** Returns a cancelled order as it was, or unchanged if it was not open or has not been cancelled. */
  asItWas(order: Order): Order {
    const earlier = this.#orders.get(order.id);
    if (earlier === undefined || order.state !== "cancel") return order;
    const state: OrderState = earlier.state;
    // Fills since then are part of what was cancelled.
    const updatedAt = earlier.remaining === order.remaining ? earlier.updatedAt : order.updatedAt;
    return { ...order, state, updatedAt, reason: "" };
  }
}
