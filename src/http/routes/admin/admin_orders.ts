/** Cancelling members' open orders, for operators. */
import type { z } from "zod";
import {
  expectedReceipt,
  isRejection,
  type Outcome,
  type SweepMarket,
  type SweepMember,
} from "../../../domain/command.ts";
import { type Engine, OutcomeUnknownError, UnavailableError } from "../../../engine/engine.ts";
import type { AnyCall, BodyCall, Call } from "../../call.ts";
import { type Endpoint, endpoint } from "../../contract.ts";
import { NOT_FOUND, ofOperators, ok } from "../../endpoint_parts.ts";
import { ApiError, rejectionError } from "../../../edge/errors.ts";
import { NO_MARKET } from "../../../edge/filters.ts";
import { marketMeant } from "../../../edge/orders/order_entry.ts";
import { ORDERS_CANCELLED, SWEEP_FILTER } from "../../../edge/schemas/admin/admin_orders.ts";
import { holderOf } from "./admin_members.ts";

async function cancelMemberOrders(call: BodyCall<typeof SWEEP_FILTER>): Promise<Response> {
  const { uid } = holderOf(call).member;
  const { market, side } = call.body;
  const index = await marketMeant(call.engine, market);
  return await sweep(call, { kind: "sweep_member", uid, market: index, side: side ?? null });
}

async function cancelMarketOrders(call: Call): Promise<Response> {
  const id = call.param("id");
  if (!call.engine.venue.bookById.has(id)) throw new ApiError(404, "record.not_found");
  return await sweep(call, { kind: "sweep_market", id });
}

/** Cancels in portions of a commit each, of which the first is signed and noted as the act. */
async function sweep(call: AnyCall, command: SweepMember | SweepMarket): Promise<Response> {
  let portion = expectedReceipt(await call.submit(command), "orders_swept");
  let { cancelled } = portion;
  while (!portion.isDone) {
    const outcome = await submitNext(call.engine, command);
    if (isRejection(outcome)) throw rejectionError(outcome);
    portion = expectedReceipt(outcome, "orders_swept");
    cancelled += portion.cancelled;
  }
  const answer: z.infer<typeof ORDERS_CANCELLED> = { cancelled };
  return call.json(200, answer);
}

async function submitNext(engine: Engine, command: SweepMember | SweepMarket): Promise<Outcome> {
  try {
    return await engine.submit(command, null);
  } catch (error) {
    // Earlier portions are durable: "nothing has happened" would be wrong.
    if (error instanceof UnavailableError) throw new OutcomeUnknownError([]);
    throw error;
  }
}

const PORTIONS =
  "Many orders are cancelled in portions, between which the venue goes on. After a call that " +
  "failed or had no answer, some may be cancelled; repeating it cancels the rest.";

/** Endpoints that cancel members' open orders. */
export const ADMIN_ORDER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "cancelMemberOrders",
    method: "POST",
    paths: ["/api/v2/admin/members/{uid}/orders/cancel"],
    ...ofOperators("support", { needsCode: true }),
    needsReason: true,
    summary: "Cancel a member's open orders",
    description:
      "Cancels those of one market or side, if given, whatever the states of the member and of " +
      `its markets. ${PORTIONS}`,
    body: { schema: SWEEP_FILTER, example: { market: "btcusdt", side: "buy" } },
    answer: ok("How many orders were cancelled.", ORDERS_CANCELLED, { cancelled: 12 }),
    errors: { ...NOT_FOUND, 422: [NO_MARKET] },
    handle: cancelMemberOrders,
  }),
  endpoint({
    id: "cancelMarketOrders",
    method: "POST",
    paths: ["/api/v2/admin/markets/{id}/orders/cancel"],
    ...ofOperators("admin", { needsCode: true }),
    summary: "Cancel all open orders of a market",
    description:
      "Cancels those of all members, in whatever state the market is. Take it out of `enabled` " +
      `before, or new orders may follow. ${PORTIONS}`,
    needsReason: true,
    answer: ok("How many orders were cancelled.", ORDERS_CANCELLED, { cancelled: 4180 }),
    errors: NOT_FOUND,
    handle: cancelMarketOrders,
  }),
];
