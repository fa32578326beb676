/** What has become of an order by the end of its commit, as an order socket answers it. */
import type { Records } from "../contract_calls.ts";
import type { ResultOrder } from "./order_placing.ts";

/** Places of the elements that are told, by the names that calls have for them. */
const ORDER = {
  id: 1,
  state: 4,
  avg_price: 7,
  remaining_volume: 8,
  executed_volume: 10,
  trades_count: 11,
  reject_reason: 13,
} as const;
const TRADE = {
  market: 0,
  id: 1,
  price: 2,
  amount: 3,
  total: 4,
  order_id: 5,
  side: 7,
  taker_type: 8,
  fee_amount: 9,
  fee_currency: 10,
  liquidity: 13,
  created_at_ms: 14,
} as const;

const STATES: Readonly<Record<string, ResultOrder["state"]>> = {
  p: "pending",
  w: "wait",
  d: "done",
  c: "cancel",
  r: "reject",
  t: "trigger_wait",
};

/** Its state, sums and trades, in the words of the answer to a call. */
export type SocketResult = Pick<ResultOrder, keyof typeof ORDER> & {
  readonly trades: readonly Pick<Records["Trade"], keyof typeof TRADE>[];
};

/** Reads the answer to an order; undefined if it did not ask for its result. */
export function socketResult(args: unknown): SocketResult | undefined {
  const [, order, trades] = args as readonly unknown[];
  if (!Array.isArray(order) || !Array.isArray(trades)) return undefined;
  const result = named(ORDER, order) as Omit<SocketResult, "trades">;
  const all = trades.map((trade) => named(TRADE, trade)) as SocketResult["trades"];
  return { ...result, state: STATES[result.state] ?? result.state, trades: all };
}

function named(places: Readonly<Record<string, number>>, tuple: readonly unknown[]): unknown {
  return Object.fromEntries(Object.entries(places).map(([name, place]) => [name, tuple[place]]));
}
