/** The client order ids of a member's last 24 hours, gathered from rows and memory. */
import { type ClientOrderRecord, ClientOrders } from "../domain/client_orders.ts";
import type { Command } from "../domain/command.ts";
import { CLIENT_ORDER_ID_LIFE_MS } from "../domain/limits.ts";
import { type Order, termsDigest } from "../domain/order.ts";
import type { Store } from "../store/store.ts";
import { readBlock } from "../store/block_codec.ts";
import { rowKey } from "../store/keys.ts";
import { ORDER_CODEC } from "../store/order_codec.ts";
import { listRows } from "../store/stored_rows.ts";
import type { PublishedState } from "./published_state.ts";
import { inSlices } from "./yield_to_others.ts";

type NamingCommand = Extract<Command, { kind: "place_orders" | "cancel_orders" }>;
type OrderCommand = Extract<Command, { kind: "cancel_all_orders" }> | NamingCommand;

/** Returns whether a command places or cancels orders. */
export function isAboutOrders(command: Command): command is OrderCommand {
  const { kind } = command;
  return kind === "place_orders" || kind === "cancel_orders" || kind === "cancel_all_orders";
}

/** Returns whether a command's outcome depends on the member's client order ids. */
export function namesClientOrders(command: Command): command is NamingCommand {
  if (command.kind === "place_orders") {
    return command.orders.some((order) => order.clientOrderId !== "");
  }
  return command.kind === "cancel_orders" &&
    command.names.some((name) => "clientOrderId" in name);
}

/**
 * Reads a member's client order ids, both those in rows and those in memory, into the published
 * state. There may be a million, so it yields to others on the way.
 */
export async function loadClientOrders(
  store: Store,
  published: PublishedState,
  member: number,
): Promise<void> {
  const { tail, venue } = published;
  // By the log's time: a clock that runs ahead may be set right later, but what is read now stays.
  const since = venue.time - CLIENT_ORDER_ID_LIFE_MS;
  const clientOrders = new ClientOrders();
  const take = (records: readonly ClientOrderRecord[]) => {
    for (const { clientOrderId, id, digest, at } of records) {
      clientOrders.set(clientOrderId, { id, digest, at });
    }
  };
  let newest = 0;
  for (;;) {
    const { sequence } = published;
    const known = newest;
    newest = venue.counters.orders;
    // Taken before the rows: orders in memory may become rows during the read.
    const memory = ordersInMemory(published, member, known);
    const records = await readRecordsAfter(store, member, known, since);
    for await (const slice of inSlices(memory)) records.push(recordsOf(slice));
    for await (const slice of inSlices(inOrder(records.flat()))) take(slice);
    // Orders folded meanwhile may be in rows that were already passed.
    if (tail.releasedSequence > sequence) continue;
    take(inOrder(recordsOf(ordersInMemory(published, member, newest))));
    venue.holder(member).clientOrders = clientOrders;
    return;
  }
}

/** Returns the member's orders above an id that are in memory, open or ended. */
function ordersInMemory({ tail, venue }: PublishedState, member: number, id: number): Order[] {
  const orders = [...venue.holder(member).openOrders.values(), ...tail.endedOrders(member)];
  return orders.filter((order) => order.id > id);
}

/** Reads the rows back to an order id or to a time in ms; returns one list per row, oldest first. */
async function readRecordsAfter(
  store: Store,
  member: number,
  id: number,
  since: number,
): Promise<ClientOrderRecord[][]> {
  const records: ClientOrderRecord[][] = [];
  const start = rowKey("member_orders", member, 0);
  const end = rowKey("member_orders", member, Infinity);
  for await (const { value } of listRows(store, start, end, { reverse: true, batch: 16 })) {
    const orders = readBlock(value, ORDER_CODEC);
    records.push(recordsOf(orders.filter((order) => order.id > id)));
    const [oldest] = orders;
    // Ids grow with time, so every block before this one is older.
    if (oldest !== undefined && (oldest.createdAt < since || oldest.id <= id)) break;
  }
  // Sorting is fast on records that are nearly in order.
  return records.reverse();
}

function inOrder(records: ClientOrderRecord[]): ClientOrderRecord[] {
  return records.sort((a, b) => a.id - b.id);
}

function recordsOf(orders: readonly Order[]): ClientOrderRecord[] {
  return orders.filter((order) => order.clientOrderId !== "").map((order) => ({
    clientOrderId: order.clientOrderId,
    id: order.id,
    digest: termsDigest(order),
    at: order.createdAt,
  }));
}
