/** The client order ids of a member's last 24 hours, gathered from rows and memory. */
import { PackedClientOrders } from "../../domain/trading/client_orders.ts";
import { CLIENT_ORDER_ID_LIFE_MS } from "../../domain/limits.ts";
import { type Order, termsDigest } from "../../domain/trading/order.ts";
import type { Store } from "../../store/store.ts";
import { readBlock } from "../../store/rows/block_codec.ts";
import { rowKey } from "../../store/keys.ts";
import { ORDER_CODEC } from "../../store/rows/order_codec.ts";
import { listRows } from "../../store/rows/stored_rows.ts";
import type { PublishedState } from "../published_state.ts";
import { yieldToOthers } from "../yield_to_others.ts";
import type { ClientOrder } from "../../domain/trading/client_order_table.ts";

/** Ids that are taken in before others get a turn: reading an order from a row takes longest. */
export const IDS_PER_TURN = 256;

/**
 * Reads a member's client order ids, both those in rows and those in memory, into the published
 * state. There may be a million, so it yields to others on the way.
 */
export async function loadClientOrders(
  store: Store,
  published: PublishedState,
  member: number,
): Promise<void> {
  const { venue } = published;
  const clientOrders = new PackedClientOrders(venue.clientOrderPool);
  try {
    await readInto(clientOrders, store, published, member);
  } catch (error) {
    clientOrders.discard();
    throw error;
  }
  venue.holder(member).clientOrders = clientOrders;
}

async function readInto(
  clientOrders: PackedClientOrders,
  store: Store,
  published: PublishedState,
  member: number,
): Promise<void> {
  const { tail, venue } = published;
  // By the log's time: a clock that runs ahead may be set right later, but what is read now stays.
  const since = venue.time - CLIENT_ORDER_ID_LIFE_MS;
  let { sequence } = published;
  let newest = venue.counters.orders;
  // Taken before the rows: orders in memory may become rows during the read.
  const memory = named(ordersInMemory(published, member, 0), since).sort((a, b) => b.id - a.id);
  await addPast(clientOrders, memory, namedInRows(store, member, 0, since));
  // Orders folded meanwhile may be in rows that were already passed.
  while (tail.releasedSequence > sequence) {
    const known = newest;
    ({ sequence } = published);
    newest = venue.counters.orders;
    const orders = named(ordersInMemory(published, member, known), since);
    for await (const older of namedInRows(store, member, known, since)) orders.push(...older);
    addNewer(clientOrders, orders);
  }
  addNewer(clientOrders, named(ordersInMemory(published, member, newest), since));
  clientOrders.trim();
}

/** Adds orders that are in memory and in rows, both from the newest down. */
async function addPast(
  clientOrders: PackedClientOrders,
  memory: readonly Order[],
  rows: AsyncIterable<readonly Order[]>,
): Promise<void> {
  let taken = 0;
  let added = 0;
  const addAll = async (orders: readonly Order[]) => {
    for (const order of orders) {
      clientOrders.addOldest(order.clientOrderId, clientOrderOf(order));
      added += 1;
      if (added % IDS_PER_TURN === 0) await yieldToOthers();
    }
  };
  for await (const orders of rows) {
    const from = taken;
    const lowest = orders.at(-1)?.id ?? Infinity;
    while (taken < memory.length && (memory[taken] as Order).id > lowest) taken += 1;
    // Open orders are older than some that have ended.
    const open = memory.slice(from, taken);
    await addAll(open.length === 0 ? orders : [...open, ...orders].sort((a, b) => b.id - a.id));
  }
  await addAll(memory.slice(taken));
}

/** Adds orders that are newer than those that are known; each may be there twice. */
function addNewer(clientOrders: PackedClientOrders, orders: Order[]): void {
  for (const order of orders.sort((a, b) => a.id - b.id)) {
    if (order.id <= clientOrders.newestId) continue;
    clientOrders.set(order.clientOrderId, clientOrderOf(order));
  }
}

/** Returns the member's orders above an id that are in memory, open or ended. */
function ordersInMemory({ tail, venue }: PublishedState, member: number, id: number): Order[] {
  const orders = [...venue.holder(member).openOrders.values(), ...tail.endedOrders(member)];
  return orders.filter((order) => order.id > id);
}

/** Reads the rows back to an order id or to a time in ms; yields what each has, newest first. */
async function* namedInRows(
  store: Store,
  member: number,
  id: number,
  since: number,
): AsyncGenerator<Order[]> {
  const start = rowKey("member_orders", member, 0);
  const end = rowKey("member_orders", member, Infinity);
  for await (const { value } of listRows(store, start, end, { reverse: true, batch: 16 })) {
    const orders = readBlock(value, ORDER_CODEC);
    yield named(orders, since).filter((order) => order.id > id).reverse();
    const [oldest] = orders;
    // Ids grow with time, so every block before this one is older.
    if (oldest !== undefined && (oldest.createdAt <= since || oldest.id <= id)) break;
  }
}

/** Returns the orders whose client order ids may still be taken after a time in ms. */
function named(orders: readonly Order[], since: number): Order[] {
  return orders.filter((order) => order.clientOrderId !== "" && order.createdAt > since);
}

function clientOrderOf(order: Order): ClientOrder {
  return { id: order.id, digest: termsDigest(order), at: order.createdAt };
}
