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

/** Client orders by id, and in order of acceptance. */
class AgingOrders {
  readonly #byId: Map<string, ClientOrder>;
  /**
   * The ids, oldest first, from {@linkcode AgingOrders.#first} on. The map has the same order, but
   * each walk from its front would pass all the holes that forgotten ids have left there.
   */
  #ids: string[];
  #first = 0;

  constructor(byId: Map<string, ClientOrder> = new Map(), ids: string[] = []) {
    this.#byId = byId;
    this.#ids = ids;
  }

  get size(): number {
    return this.#byId.size;
  }

  get(clientOrderId: string): ClientOrder | undefined {
    return this.#byId.get(clientOrderId);
  }

  /** Adds the youngest order, under an id that is free. */
  add(clientOrderId: string, order: ClientOrder): void {
    this.#byId.set(clientOrderId, order);
    this.#ids.push(clientOrderId);
  }

  /** Frees an id, whose place is skipped when its turn comes. */
  delete(clientOrderId: string): void {
    this.#byId.delete(clientOrderId);
    if (this.#ids[this.#ids.length - 1] === clientOrderId) this.#ids.pop();
  }

  /** Returns the oldest order. */
  oldest(): ClientOrder | undefined {
    for (; this.#first < this.#ids.length; this.#first++) {
      const order = this.#byId.get(this.#ids[this.#first] as string);
      if (order !== undefined) return order;
    }
    return undefined;
  }

  /** Forgets the orders that have expired by `now` (ms). */
  forget(now: number): void {
    for (let oldest = this.oldest(); oldest !== undefined; oldest = this.oldest()) {
      if (!isExpired(oldest, now)) break;
      this.#byId.delete(this.#ids[this.#first] as string);
    }
    if (this.#first * 2 <= this.#ids.length) return;
    this.#ids = this.#ids.slice(this.#first);
    this.#first = 0;
  }

  copy(): AgingOrders {
    return new AgingOrders(new Map(this.#byId), this.#ids.slice(this.#first));
  }
}

/** Maps client order ids to orders, in order of acceptance. */
export class ClientOrders {
  /**
   * Orders from before a fork, shared by both sides, since copying a million of them would block
   * the event loop. Expired ones are removed, and none are added.
   */
  #past: AgingOrders | null = null;
  /** Null until the first id: most members use none, and an empty map takes memory. */
  #orders: AgingOrders | null = null;

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
    const oldest = this.#past?.oldest() ?? this.#orders?.oldest();
    return oldest !== undefined && !isExpired(oldest, now);
  }

  /** Takes an id that is free, and forgets those that have expired. */
  set(clientOrderId: string, order: ClientOrder): void {
    // First, so that an id that is taken again has one place.
    this.forget(order.at);
    this.#orders ??= new AgingOrders();
    this.#orders.add(clientOrderId, order);
  }

  /** Forgets the ids that have expired by `now` (ms), even if their member never comes back. */
  forget(now: number): void {
    this.#past?.forget(now);
    this.#orders?.forget(now);
  }

  /** Returns a second object with the same ids. Ids taken or freed later affect only one of them. */
  fork(): ClientOrders {
    if (this.#past === null) [this.#past, this.#orders] = [this.#orders, null];
    const fork = new ClientOrders(this.idsMax);
    fork.#past = this.#past;
    fork.#orders = this.#orders?.copy() ?? null;
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
