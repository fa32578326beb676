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
 * Reads the client order ids of a member's orders, both those in rows and those in memory, which
 * may become rows during the read.
 */
export async function readClientOrders(
  store: Store,
  published: PublishedState,
  member: number,
): Promise<ClientOrderRecord[]> {
  const { tail, venue } = published;
  // By the log's time: a clock that runs ahead may be set right later, but what is read now stays.
  const since = venue.time - CLIENT_ORDER_ID_LIFE_MS;
  const records: ClientOrderRecord[][] = [];
  let newest = 0;
  for (;;) {
    const { sequence } = published;
    const known = newest;
    newest = venue.counters.orders;
    records.push(recordsOf([...venue.holder(member).openOrders.values()]));
    records.push(recordsOf(tail.finished(member)));
    records.push(await readRecordsAfter(store, member, known, since));
    // Orders folded meanwhile may be in rows that were already passed.
    if (tail.releasedSequence <= sequence) return records.flat();
  }
}

/** Reads the rows back to an order id or to a time in ms, whichever comes first. */
async function readRecordsAfter(
  store: Store,
  member: number,
  id: number,
  since: number,
): Promise<ClientOrderRecord[]> {
  // One list per row: a day's records may be more than a call takes as arguments.
  const records: ClientOrderRecord[][] = [];
  const start = rowKey("member_orders", member, 0);
  const end = rowKey("member_orders", member, Infinity);
  for await (const { value } of listRows(store, start, end, { reverse: true, batch: 16 })) {
    const orders = readBlock(value, ORDER_CODEC);
    records.push(recordsOf(orders));
    const [oldest] = orders;
    // Ids grow with time, so every block before this one is older.
    if (oldest !== undefined && (oldest.createdAt < since || oldest.id <= id)) break;
  }
  return records.flat();
}

/** Returns a member's client order ids as of the published state. */
export function gatherClientOrders(
  published: PublishedState,
  member: number,
  read: readonly ClientOrderRecord[],
): ClientOrders {
  const holder = published.venue.holder(member);
  const records = [
    ...read,
    ...recordsOf(published.tail.finished(member)),
    ...recordsOf([...holder.openOrders.values()]),
  ];
  records.sort((a, b) => a.id - b.id);
  const clientOrders = new ClientOrders();
  for (const { clientOrderId, id, digest, at } of records) {
    clientOrders.set(clientOrderId, { id, digest, at });
  }
  return clientOrders;
}

function recordsOf(orders: readonly Order[]): ClientOrderRecord[] {
  return orders.filter((order) => order.clientOrderId !== "").map((order) => ({
    clientOrderId: order.clientOrderId,
    id: order.id,
    digest: termsDigest(order),
    at: order.createdAt,
  }));
}
