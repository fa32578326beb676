/** Computes the cost of a market buy once the orders queued before it have matched. */
import type { OrderTerms } from "../../../src/domain/order.ts";
import type { OracleMarket } from "./market.ts";

/** A resting ask. */
interface Offer {
  readonly member: number;
  readonly price: number;
  lots: number;
}

/** A buy order; `money` is null if it has enough. */
interface Buy extends Pick<OrderTerms, "selfTrade"> {
  readonly member: number;
  /** The highest price it pays. */
  readonly limit: number;
  readonly lots: number;
  readonly money: bigint | null;
}

/**
 * Returns the cost of filling as many lots as possible, each at the price of its ask. The others
 * may be had from what sells in the queue leave behind, or from what buys after these sells don't
 * take then: they count at the highest of those prices.
 */
export function costOfMarketBuy(
  market: OracleMarket,
  order: OrderTerms & { readonly member: number },
): bigint {
  let offers: Offer[] = market.asks.orders
    .map(({ member, price, remaining }) => ({ member, price, lots: remaining }))
    .reverse();
  let highest = 0;
  for (const waiting of market.queue) {
    const { type, side, timeInForce, member, selfTrade, remaining, locked } = waiting;
    const isPriced = type !== "market" && type !== "stop";
    if (side === "sell" && isPriced && timeInForce === "gtc") {
      highest = Math.max(highest, waiting.price);
    }
    if (side === "sell" || type === "post_only") continue;
    const after = offers.map((offer) => ({ ...offer }));
    const { missing } = buy(market, after, {
      member,
      selfTrade,
      limit: highestPaid(waiting),
      lots: remaining,
      money: isPriced ? null : locked,
    });
    const isRefused = timeInForce === "fok" && missing > 0;
    if (isRefused) continue;
    const used = offers.filter(({ lots }, index) => after[index]?.lots !== lots);
    if (highest > 0) highest = Math.max(highest, ...used.map(({ price }) => price));
    offers = after.filter(({ lots }) => lots > 0);
  }
  const { member, selfTrade, volume: lots } = order;
  const { cost, missing } = buy(market, offers, {
    member,
    selfTrade,
    limit: highestPaid(order),
    lots,
    money: null,
  });
  return cost + market.cost(Math.min(highest, highestPaid(order)), missing);
}

/** Returns an order's limit price, or the bound of one without; there may be neither. */
function highestPaid({ price }: Pick<OrderTerms, "price">): number {
  return price > 0 ? price : Infinity;
}

/** Takes lots from the offers, best first; used-up offers keep zero lots. */
function buy(
  market: OracleMarket,
  offers: readonly Offer[],
  { member, selfTrade, limit, lots, money }: Buy,
): { readonly cost: bigint; readonly missing: number } {
  let missing = lots;
  let cost = 0n;
  for (const offer of offers) {
    if (missing === 0 || offer.price > limit) break;
    if (offer.member === member && selfTrade !== "none") {
      if (selfTrade !== "cancel_newest") offer.lots = 0;
      if (selfTrade !== "cancel_oldest") break;
      continue;
    }
    let part = Math.min(missing, offer.lots);
    if (money !== null) part = Math.min(part, Number((money - cost) / market.cost(offer.price, 1)));
    cost += market.cost(offer.price, part);
    missing -= part;
    offer.lots -= part;
    if (offer.lots > 0) break;
  }
  return { cost, missing };
}
