/** Names of one's orders, by which the venue places each once. */
import type { OrderInput } from "../../client/client.ts";
import { namedOrder } from "../../client/orders/order_placing.ts";

/** An order with its name. */
export type NamedOrder = OrderInput & { readonly client_order_id: string };

/** Orders that are remembered; of old ones it is known what became of them. */
const KEPT_MAX = 100;

/**
 * Gives orders their names. An order that is sent again as it is keeps its name, unless it is known
 * to be placed: then it is another order. So none is placed twice, whatever is known of it.
 */
export class OrderNames {
  readonly #orders = new Map<string, NamedOrder>();
  readonly #unknown = new Set<string>();

  /** Returns an order with its name, and whether nobody knows what became of it before. */
  named(order: OrderInput): { readonly order: NamedOrder; readonly wasSent: boolean } {
    const content = JSON.stringify(order);
    const named = this.#orders.get(content) ?? namedOrder(order);
    this.#orders.delete(content);
    this.#orders.set(content, named);
    for (const [old, { client_order_id: name }] of this.#orders) {
      if (this.#orders.size <= KEPT_MAX) break;
      if (old !== content && !this.#unknown.has(name)) this.#orders.delete(old);
    }
    return { order: named, wasSent: this.#unknown.has(named.client_order_id) };
  }

  /** Notes that nobody knows what became of an order. */
  lost({ client_order_id: name }: NamedOrder): void {
    this.#unknown.add(name);
  }

  /** Notes that an order is placed; returns whether that was not known. */
  placed(name: string): boolean {
    for (const [content, order] of this.#orders) {
      if (order.client_order_id === name) this.#orders.delete(content);
    }
    return this.#unknown.delete(name);
  }

  /** Orders of which nobody knows what became of them. */
  get unknown(): readonly NamedOrder[] {
    return [...this.#orders.values()].filter(({ client_order_id }) =>
      this.#unknown.has(client_order_id)
    );
  }
}
