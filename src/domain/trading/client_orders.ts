/** The client order ids that one member has used in the last 24 hours. */
import { type ClientOrder, ClientOrderTable } from "./client_order_table.ts";
import {
  CLIENT_ORDER_ID_LIFE_MS,
  CLIENT_ORDER_IDS_MAX,
  CLIENT_ORDER_IDS_PER_MEMBER_MAX,
} from "../limits.ts";
import { type DigestKey, PLAIN_DIGEST_KEY } from "../people/name_digest.ts";

/** What the client order ids of all members share. */
export interface ClientOrderPool {
  /** What the ids' digests depend on. */
  readonly key: DigestKey;
  /** How many ids all members together may have taken within 24 hours. */
  readonly idsMax: number;
  /** How many are remembered, of the members whose ids are known. */
  count: number;
}

/** Returns the pool of a state of its own. */
export function newPool(
  idsMax: number = CLIENT_ORDER_IDS_MAX,
  key: DigestKey = PLAIN_DIGEST_KEY,
): ClientOrderPool {
  return { key, idsMax, count: 0 };
}

/** The bound that one more id would break, and what it is. */
export interface ReachedBound {
  readonly of: "member" | "venue";
  readonly idsMax: number;
}

/** Expired ids that one step forgets at most: a million at once would hold everybody up. */
const FORGOTTEN_PER_STEP = 64;

/** Maps a member's client order ids to orders. */
export interface ClientOrders {
  /** Number of ids that are remembered; some of them may have expired. */
  readonly size: number;
  /** Returns the order under this id, if it was taken in the 24 hours before `now` (ms). */
  get(clientOrderId: string, now: number): ClientOrder | undefined;
  /** Returns the bound that one more id would break at `now` (ms); null if there is room. */
  reachedBound(now: number): ReachedBound | null;
  /** Takes an id that is free. */
  set(clientOrderId: string, order: ClientOrder): void;
  /** Frees the id that was taken last. */
  delete(clientOrderId: string): void;
  /** Forgets some of the ids that have expired at `now`, the time of a durable event in ms. */
  forget(now: number): void;
}

/** Client order ids in packed tables, in order of acceptance. */
export class PackedClientOrders implements ClientOrders {
  readonly #pool: ClientOrderPool;
  /** Null until the first id: most members use none. */
  #table: ClientOrderTable | null = null;
  #newestId = 0;

  /** @param idsMax how many ids the member may take within 24 hours */
  constructor(
    pool: ClientOrderPool = newPool(),
    readonly idsMax: number = CLIENT_ORDER_IDS_PER_MEMBER_MAX,
  ) {
    this.#pool = pool;
  }

  get size(): number {
    return this.#table?.size ?? 0;
  }

  /** Bytes that they take. */
  get bytes(): number {
    return this.#table?.bytes ?? 0;
  }

  /** Id of the newest order that took one; 0 if none has. */
  get newestId(): number {
    return this.#newestId;
  }

  get(clientOrderId: string, now: number): ClientOrder | undefined {
    const order = this.#table?.get(clientOrderId);
    return order === undefined || isExpired(order.at, now) ? undefined : order;
  }

  /** @param ahead how many ids are taken that are not here yet */
  reachedBound(now: number, ahead = 0): ReachedBound | null {
    const { idsMax } = this;
    const pool = this.#pool;
    if (!this.#hasRoom(this.size + ahead - idsMax, now)) return { of: "member", idsMax };
    if (this.#hasRoom(pool.count + ahead - pool.idsMax, now)) return null;
    return { of: "venue", idsMax: pool.idsMax };
  }

  set(clientOrderId: string, order: ClientOrder): void {
    this.#table ??= new ClientOrderTable(this.#pool.key);
    this.#table.add(clientOrderId, order);
    this.#pool.count += 1;
    this.#newestId = order.id;
  }

  /** Adds an order that was accepted before all that are here, unless its id was taken since. */
  addOldest(clientOrderId: string, order: ClientOrder): void {
    const { size } = this;
    this.#table ??= new ClientOrderTable(this.#pool.key);
    this.#table.addOldest(clientOrderId, order);
    this.#pool.count += this.size - size;
    this.#newestId = Math.max(this.#newestId, order.id);
  }

  /** Gives back the room that was kept for older ones. */
  trim(): void {
    this.#table?.trim();
  }

  /** Leaves the pool: nobody has got to know these. */
  discard(): void {
    this.#pool.count -= this.size;
  }

  delete(): void {
    this.#table?.removeNewest();
    this.#pool.count -= 1;
  }

  forget(now: number): void {
    for (let left = FORGOTTEN_PER_STEP; left > 0 && this.#hasExpired(now); left--) {
      this.#table?.removeOldest();
      this.#pool.count -= 1;
    }
  }

  /** Whether an id fits, in the place of an expired one if there are `above` more than allowed. */
  #hasRoom(above: number, now: number): boolean {
    return above < 0 || this.#hasExpired(now, above);
  }

  /** Whether the oldest has expired, or the one `after` it. */
  #hasExpired(now: number, after = 0): boolean {
    const at = this.#table?.oldestAt(after);
    return at !== undefined && isExpired(at, now);
  }
}

/**
 * Client order ids as a batch sees them that is not durable yet: those that it has taken itself,
 * and the durable ones, which are kept only once.
 */
export class ClientOrdersAhead implements ClientOrders {
  readonly #durable: PackedClientOrders;
  readonly #ahead = new Map<string, ClientOrder>();
  /** Ids of the orders that have taken them, ascending. */
  readonly #orderIds: number[] = [];

  constructor(durable: PackedClientOrders) {
    this.#durable = durable;
  }

  get size(): number {
    this.#settle();
    return this.#durable.size + this.#ahead.size;
  }

  /** Whether these are the durable ids that this one is ahead of. */
  isAheadOf(durable: ClientOrders): boolean {
    return this.#durable === durable;
  }

  get(clientOrderId: string, now: number): ClientOrder | undefined {
    this.#settle();
    const order = this.#ahead.size === 0 ? undefined : this.#ahead.get(clientOrderId);
    return order ?? this.#durable.get(clientOrderId, now);
  }

  reachedBound(now: number): ReachedBound | null {
    this.#settle();
    return this.#durable.reachedBound(now, this.#ahead.size);
  }

  set(clientOrderId: string, order: ClientOrder): void {
    this.#settle();
    // Another process's order, which is durable before this state takes it.
    if (order.id <= this.#durable.newestId) return;
    this.#ahead.set(clientOrderId, order);
    this.#orderIds.push(order.id);
  }

  delete(clientOrderId: string): void {
    if (this.#ahead.delete(clientOrderId)) this.#orderIds.pop();
  }

  forget(): void {
    this.#settle();
  }

  /** Drops what is durable by now: all of a batch at once, if it has not been undone before. */
  #settle(): void {
    const newestId = this.#orderIds.at(-1);
    if (newestId === undefined || newestId > this.#durable.newestId) return;
    this.#ahead.clear();
    this.#orderIds.length = 0;
  }
}

function isExpired(at: number, now: number): boolean {
  return now - at >= CLIENT_ORDER_ID_LIFE_MS;
}
