/** A key's cancel timer, for clients that may lose their connection. */
import { CANCELS_PER_PORTION_MAX } from "../../domain/limits.ts";
import { setOwnTimer, TIMER_WITHOUT_KEY } from "../../edge/cancel_timer.ts";
import type { BodyCall } from "../call.ts";
import { type Endpoint, endpoint } from "../contract.ts";
import { ok } from "../endpoint_parts.ts";
import { CANCEL_TIMER, CANCEL_TIMER_SET } from "../../edge/schemas/cancel_timer.ts";

async function setTimer(call: BodyCall<typeof CANCEL_TIMER>): Promise<Response> {
  return call.json(200, await setOwnTimer(call, call.body.timeout));
}

/** Endpoints of cancel timers. */
export const CANCEL_TIMER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "cancelAllAfter",
    method: "POST",
    paths: ["/api/v2/trading/market/orders/cancel_all_after"],
    tag: "Trading",
    summary: "Cancel all orders after a timeout",
    description:
      "Sets the cancel timer of the key; repeating the request postpones it, a timeout of 0 " +
      "clears it. When it fires, all orders that the member has open are cancelled (reject_reason " +
      "`timer`) before any new order is accepted, those on halted markets included, and the " +
      `timer is cleared; of more than ${CANCELS_PER_PORTION_MAX}, a portion is cancelled at a time, ` +
      "and others' orders may come between. The timer ends with its key. Sessions have none.",
    access: { kind: "member", scope: "trade", isForKeysOnly: true },
    isCancel: true,
    body: { schema: CANCEL_TIMER, example: { timeout: 60 } },
    answer: ok("The timer after the request.", CANCEL_TIMER_SET, {
      current_time: "2020-03-02T10:51:00.250Z",
      trigger_time: "2020-03-02T10:52:00.250Z",
    }),
    errors: { 422: [TIMER_WITHOUT_KEY] },
    handle: setTimer,
  }),
];
