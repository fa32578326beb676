/** The cancel timers of the RPC dialect, by the same rules as calls over HTTP. */
import { setOwnTimer } from "../../edge/cancel_timer.ts";
import { CANCEL_TIMER } from "../../edge/schemas/cancel_timer.ts";
import { parseWith } from "../../edge/reading/validation.ts";
import type { RpcRequest } from "./rpc_frame.ts";
import type { RpcAnswer } from "./rpc_orders.ts";
import type { RpcTrader } from "./rpc_trader.ts";

/** `[timeout]` → `[current time, time that everything is cancelled at or null]` */
export async function cancelAllAfter(
  trader: RpcTrader,
  { args: [timeout] }: RpcRequest,
): Promise<RpcAnswer> {
  const set = await setOwnTimer(trader, parseWith(CANCEL_TIMER, { timeout }).timeout);
  return { args: [set.current_time, set.trigger_time] };
}
