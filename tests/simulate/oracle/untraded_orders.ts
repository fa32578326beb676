/** A member's orders that end without a trade, which are bounded by day. */
import type { Member } from "../../../src/domain/people/member.ts";
import type { Rejection } from "../../../src/domain/rejection.ts";
import type { Settings } from "../../../src/domain/settings.ts";

/** Counts them, and refuses what is too much. */
export class UntradedOrders {
  /** The last day (UTC) on which any ended, such as `2020-03-02`; empty before the first. */
  day = "";
  count = 0;

  /** Counts an order that ends at `at` (ms); returns how many of that day it makes. */
  add(at: number): number {
    this.count = this.#countOn(at) + 1;
    this.day = dateOf(at);
    return this.count;
  }

  /** Refuses a new order at `at` (ms) if there have been too many since midnight. */
  refuse(
    { untradedOrdersMax: own = 0 }: Member,
    { untradedOrdersMax }: Settings,
    at: number,
  ): Rejection | null {
    const most = own === 0 ? untradedOrdersMax : own;
    if (most === 0 || this.#countOn(at) < most) return null;
    const resetsAt = new Date(at).setUTCHours(24, 0, 0, 0);
    return { rejected: "untraded_orders_exceeded", field: "market", limit: `${most}`, resetsAt };
  }

  #countOn(at: number): number {
    return this.day === dateOf(at) ? this.count : 0;
  }
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
