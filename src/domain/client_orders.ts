/** The client order ids that one member has used in the last 24 hours. */
import { CLIENT_ORDER_ID_LIFE_MS, CLIENT_ORDER_IDS_PER_MEMBER_MAX } from "./limits.ts";

/** The order placed under a client order id. */
export interface ClientOrder {
  readonly id: number;
  /** Digest of its terms, which tells a repeat from another request. */
  readonly digest: number;
  /** When it was accepted, in ms. */
  readonly at: number;
}

/** A client order with its id. */
export interface ClientOrderRecord extends ClientOrder {
  readonly clientOrderId: string;
}

/** Maps client order ids to orders, in order of acceptance. */
export class ClientOrders {
  /**
   * Orders from before a fork, shared by both sides, since copying a million of them would block
   * the event loop. Expired ones are removed, and none are added.
   */
  #past: Map<string, ClientOrder> | null = null;
  /** Null until the first id: most members use none, and an empty map takes memory. */
  #orders: Map<string, ClientOrder> | null = null;

  /** @param idsMax how many ids may be taken within 24 hours */
  constructor(readonly idsMax: number = CLIENT_ORDER_IDS_PER_MEMBER_MAX) {}

  /** Number of ids that are remembered. */
  get size(): number {
    return (this.#past?.size ?? 0) + (this.#orders?.size ?? 0);
  }

  /** Returns the order under this id, if it was taken in the 24 hours before `now` (ms). */
  get(clientOrderId: string, now: number): ClientOrder | undefined {
    const order = this.#orders?.get(clientOrderId) ?? this.#past?.get(clientOrderId);
    return order === undefined || isExpired(order, now) ? undefined : order;
  }

  /** Whether as many ids as allowed were taken in the 24 hours before `now` (ms). */
  isFull(now: number): boolean {
    if (this.size < this.idsMax) return false;
    const [oldest] = (this.#past?.size ? this.#past : this.#orders)?.values() ?? [];
    return oldest !== undefined && !isExpired(oldest, now);
  }

  /** Takes an id, and forgets those that have expired. */
  set(clientOrderId: string, order: ClientOrder): void {
    this.#orders ??= new Map();
    this.#orders.delete(clientOrderId);
    this.#orders.set(clientOrderId, order);
    this.forget(order.at);
  }

  /** Forgets the ids that have expired by `now` (ms), even if their member never comes back. */
  forget(now: number): void {
    for (const orders of [this.#past, this.#orders]) {
      for (const [id, oldest] of orders ?? []) {
        if (!isExpired(oldest, now)) break;
        orders?.delete(id);
      }
    }
  }

  /** Returns a second object with the same ids. Ids taken or freed later affect only one of them. */
  fork(): ClientOrders {
    if (this.#past === null) [this.#past, this.#orders] = [this.#orders, null];
    const fork = new ClientOrders(this.idsMax);
    fork.#past = this.#past;
    if (this.#orders !== null) fork.#orders = new Map(this.#orders);
    return fork;
  }

  /** Frees an id that was taken since the last fork. */
  delete(clientOrderId: string): void {
    this.#orders?.delete(clientOrderId);
  }
}

function isExpired(order: ClientOrder, now: number): boolean {
  return now - order.at >= CLIENT_ORDER_ID_LIFE_MS;
}
