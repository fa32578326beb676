import type { Outcome, SweepMarket, SweepMember } from "../../../src/domain/command.ts";
import type { OracleOrder } from "./market.ts";
import { close, openOrder } from "./match.ts";
import type { OracleState } from "./state.ts";
import type { Transcript } from "./transcript.ts";
import { no } from "./verdict.ts";

/** Expects the closing of an operator's choice of orders, in any order, until the venue stops. */
export function sweep(
  state: OracleState,
  command: SweepMember | SweepMarket,
  transcript: Transcript,
): Outcome {
  const market = command.kind === "sweep_member"
    ? command.market
    : state.markets.findIndex(({ definition }) => definition.id === command.id);
  const member = command.kind === "sweep_member" ? state.memberByUid.get(command.uid) : null;
  if (member === undefined) return no("member_not_found", "uid").outcome;
  if (command.kind === "sweep_market" && market < 0) return no("market_not_found", "id").outcome;
  const side = command.kind === "sweep_member" ? command.side : null;
  // Operators clear halted markets, too.
  const isSwept = (order: OracleOrder) =>
    (market < 0 || order.market === market) && (side === null || order.side === side);
  const owners = member === null ? state.members : [state.member(member)];
  const left = new Set<OracleOrder>(
    owners.flatMap(({ open }) => open.filter(isSwept)),
  );
  let cancelled = 0;
  for (; left.size > 0; cancelled++) {
    const event = transcript.peek();
    if (event?.kind !== "order_closed") break;
    const order = openOrder(state.member(event.member), event.id);
    if (order === undefined || !left.delete(order)) {
      throw transcript.error(`order ${event.id} was not to be cancelled`);
    }
    close(state, order, { state: "cancel", reason: "requested" }, transcript);
  }
  return { kind: "orders_swept", cancelled, isDone: left.size === 0 };
}
