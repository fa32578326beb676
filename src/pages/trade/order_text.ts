/** An order or fill in one line of words. */
import { fixed, plain } from "../shared/amounts.ts";
import { t } from "../shared/language.ts";
import type { Market } from "./markets.ts";
import type { OwnFill, OwnOrder } from "./own_trading.ts";

type Named = Pick<Market, "base_unit" | "price_precision">;

/** Returns what an order says, such as `Buy 0.5 BTC at 30 000.00`. */
export function orderText(
  order: Pick<OwnOrder, "side" | "origin_volume" | "price" | "trigger_price">,
  market: Named | undefined,
): string {
  const { side, origin_volume: amount, price, trigger_price: trigger } = order;
  const unit = market?.base_unit.toUpperCase() ?? "";
  const at = price ?? trigger;
  const digits = market?.price_precision ?? 8;
  const what = `${plain(amount)} ${unit}`.trim();
  return at === null
    ? `${t.trade.sides[side]} ${what} ${t.trade.atMarket}`
    : t.trade.fillNews(t.trade.sides[side], what, fixed(at, digits));
}

/** Returns what a fill says. */
export function fillText({ side, amount, price }: OwnFill, market: Named | undefined): string {
  const unit = market?.base_unit.toUpperCase() ?? "";
  const what = `${plain(amount)} ${unit}`.trim();
  const digits = market?.price_precision ?? 8;
  return `${t.trade.orderStates.done}: ${
    t.trade.fillNews(t.trade.sides[side], what, fixed(price, digits))
  }`;
}
