/** A key's own cancel timer, as set by calls and over sockets. */
import type * as z from "zod";
import { expectedReceipt, type Receipt } from "../domain/command.ts";
import { type ApiKey, OWN_TIMER } from "../domain/people/member.ts";
import { ApiError } from "./errors.ts";
import type { Trader } from "./orders/order_entry.ts";
import type { CANCEL_TIMER_SET } from "./schemas/cancel_timer.ts";

/** Error identifier for a caller in a session: a timer belongs to a key. */
export const TIMER_WITHOUT_KEY = "market.order.timer_without_key";

/** Who may have a timer. */
export type TimerHolder = Pick<Trader, "submit"> & {
  readonly caller: { readonly key: ApiKey | null };
};

/**
 * Sets the timer of the holder's key; 0 clears it.
 *
 * @throws {ApiError} if there is no key, or the venue refuses
 */
export async function setOwnTimer(
  holder: TimerHolder,
  timeoutMs: number,
): Promise<z.infer<typeof CANCEL_TIMER_SET>> {
  const { key } = holder.caller;
  if (key === null) throw new ApiError(422, TIMER_WITHOUT_KEY);
  const receipt = await holder.submit({
    kind: "set_cancel_timer",
    key: key.index,
    timer: OWN_TIMER,
    timeoutMs,
  });
  return timerJson(receipt);
}

function timerJson(receipt: Receipt): z.infer<typeof CANCEL_TIMER_SET> {
  const { at, firesAt } = expectedReceipt(receipt, "cancel_timer_set");
  return {
    current_time: new Date(at).toISOString(),
    trigger_time: firesAt === 0 ? null : new Date(firesAt).toISOString(),
  };
}
