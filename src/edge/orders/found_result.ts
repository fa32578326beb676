/** Finds what has become of an order that was just placed, for calls and sockets alike. */
import { present } from "../../domain/assert.ts";
import type { OrdersPlaced, PlacedOrder } from "../../domain/command.ts";
import type { Order } from "../../domain/trading/order.ts";
import { isQueued } from "../../domain/trading/order_result.ts";
import type { MemberTrade } from "../../domain/trading/trade_record.ts";
import type { Engine } from "../../engine/engine.ts";
import { inSlices } from "../../engine/yield_to_others.ts";

/** Whose order it is, and what reading it takes. */
export interface ResultReader {
  readonly engine: Pick<Engine, "order" | "orderTrades">;
  readonly member: number;
  /** Takes from the member what looking at so many records costs. */
  readonly chargeRecords: (count: number) => void;
}

/** How a result is written. */
export interface ResultForm<O, T, W> {
  /** Called first. */
  order(order: Order): O;
  trade(trade: MemberTrade): T;
  whole(order: O, trades: readonly T[]): W;
}

/**
 * Returns what has become of an order by the end of its own commit, whatever has happened since; for
 * a repeat, how the earlier order is by now.
 */
export async function findResult<O, T, W>(
  reader: ResultReader,
  placed: PlacedOrder,
  { results }: OrdersPlaced,
  form: ResultForm<O, T, W>,
): Promise<W> {
  if ("repeats" in placed) return await findRepeated(reader, placed.repeats, form);
  const { id } = placed.accepted;
  const { order, trades } = present(results?.get(id), `the entry of order ${id} tells its result`);
  const shown = form.order(order);
  const formed: T[] = [];
  for await (const slice of inSlices(trades)) {
    for (const trade of slice) formed.push(form.trade(trade));
  }
  return form.whole(shown, formed);
}

async function findRepeated<O, T, W>(
  { engine, member, chargeRecords }: ResultReader,
  id: number,
  form: ResultForm<O, T, W>,
): Promise<W> {
  const found = await engine.order(member, id);
  const order = present(found, `order ${id}, which a repeat names, exists`);
  chargeRecords(order.tradesCount);
  // Written before the trades are awaited, to match them: an open order may trade meanwhile.
  const shown = form.order(isQueued(order) ? { ...order, state: "pending" } : order);
  const trades = await engine.orderTrades(member, order, (trade) => form.trade(trade));
  return form.whole(shown, trades);
}
