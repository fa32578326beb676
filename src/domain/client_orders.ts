/** The client order ids that one member has used in the last 24 hours. */
import { CLIENT_ORDER_ID_LIFE_MS, CLIENT_ORDER_IDS_PER_MEMBER_MAX } from "./limits.ts";

/** The order that took a client order id. */
export interface ClientOrder {
  readonly id: number;
  /** Digest of its terms: tells a repeat from another request. */
  readonly digest: number;
  /** When it was taken, in ms. */
  readonly at: number;
}

/** The same with the id. */
export interface ClientOrderRecord extends ClientOrder {
  readonly clientOrderId: string;
}

/** Client order id → order, in the order of acceptance. */
export class ClientOrders {
  /** Null until there is one: most members name none, and an empty map takes its room. */
  #orders: Map<string, ClientOrder> | null = null;

  /** @param idsMax how many of the last 24 hours there may be */
  constructor(readonly idsMax: number = CLIENT_ORDER_IDS_PER_MEMBER_MAX) {}

  /** The order under this id, if it was taken within the last 24 hours before `now`. */
  get(clientOrderId: string, now: number): ClientOrder | undefined {
    const order = this.#orders?.get(clientOrderId);
    return order === undefined || isExpired(order, now) ? undefined : order;
  }

  /** Whether there are as many of the last 24 hours before `now` as there may be. */
  isFull(now: number): boolean {
    if (this.#orders === null || this.#orders.size < this.idsMax) return false;
    const [oldest] = this.#orders.values();
    return oldest !== undefined && !isExpired(oldest, now);
  }

  /** Takes an id, and forgets those whose day is over. */
  set(clientOrderId: string, order: ClientOrder): void {
    this.#orders ??= new Map();
    this.#orders.delete(clientOrderId);
    this.#orders.set(clientOrderId, order);
    this.forget(order.at);
  }

  /** Forgets the ids whose day is over at time `now` (ms): a member may never come back. */
  forget(now: number): void {
    for (const [id, oldest] of this.#orders ?? []) {
      if (!isExpired(oldest, now)) break;
      this.#orders?.delete(id);
    }
  }

  /** Everything that is remembered, in the order of acceptance. */
  records(): ClientOrderRecord[] {
    return [...this.#orders ?? []].map(([clientOrderId, order]) => ({ clientOrderId, ...order }));
  }

  /** Frees an id. */
  delete(clientOrderId: string): void {
    this.#orders?.delete(clientOrderId);
  }
}

function isExpired(order: ClientOrder, now: number): boolean {
  return now - order.at >= CLIENT_ORDER_ID_LIFE_MS;
}
