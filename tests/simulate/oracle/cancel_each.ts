import type { CloseReason } from "../../../src/domain/trading/order.ts";
import type { OracleOrder } from "./market.ts";
import { close, openOrder } from "./match.ts";
import type { OracleState } from "./state.ts";
import type { Transcript } from "./transcript.ts";

/**
 * Expects the closing of all a member's orders that are meant, in any order.
 *
 * @param ids gets the ids of those that are closed
 * @param max how many may be closed in this entry
 * @returns whether none are left
 */
export function cancelEach(
  state: OracleState,
  index: number,
  isMeant: (order: OracleOrder) => boolean,
  reason: CloseReason,
  transcript: Transcript,
  ids: number[],
  max = Infinity,
): boolean {
  const member = state.member(index);
  for (;;) {
    const left = member.open.find(isMeant);
    if (left === undefined) return true;
    if (transcript.isAtEnd || ids.length >= max) return false;
    const event = transcript.peek();
    const named = event?.kind === "order_closed" ? openOrder(member, event.id) : undefined;
    const order = named !== undefined && isMeant(named) ? named : left;
    close(state, order, { state: "cancel", reason }, transcript);
    ids.push(order.id);
  }
}
