/** Computes the cost of a market buy once the orders queued before it have matched. */
import type { OrderTerms } from "../../../src/domain/trading/order.ts";
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
 * Returns the cost of filling as many lots as possible, each at the price of its ask, and of the
 * others. These may be had from what sells in the queue leave behind, or from what buys after these
 * sells don't take then: they count at the highest of those prices.
 *
 * @param free what its member, whose orders the queue holds, has free to buy with
 */
export function costOfMarketBuy(
  market: OracleMarket,
  order: OrderTerms & { readonly member: number },
  free: bigint,
): { readonly sure: bigint; readonly possible: bigint } {
  let offers = offersOf(market);
  let highest = 0;
  let left = free;
  for (const waiting of market.queue) {
    const { type, side, timeInForce, member, selfTrade, remaining, locked } = waiting;
    const isPriced = type !== "market" && type !== "stop";
    if (side === "sell" && isPriced && timeInForce === "gtc") {
      highest = Math.max(highest, waiting.price);
    }
    if (side === "sell" || type === "post_only") continue;
    const after = offers.map((offer) => ({ ...offer }));
    const { cost, missing } = buy(market, after, {
      member,
      selfTrade,
      limit: highestPaid(waiting),
      lots: remaining,
      money: isPriced ? null : type === "stop" ? locked + left : locked,
    });
    const isRefused = timeInForce === "fok" && missing > 0;
    if (isRefused) continue;
    const used = offers.filter(({ lots }, index) => after[index]?.lots !== lots);
    if (highest > 0) highest = Math.max(highest, ...used.map(({ price }) => price));
    if (type === "stop" && cost > locked) left -= cost - locked;
    offers = after.filter(({ lots }) => lots > 0);
  }
  const { cost, missing } = costOfAsks(market, order, offers);
  const possible = market.cost(Math.min(highest, highestPaid(order)), missing);
  return { sure: cost, possible };
}

/** Returns what a buy takes of the offers with enough money, and how many lots it misses then. */
export function costOfAsks(
  market: OracleMarket,
  order: Pick<OrderTerms, "selfTrade" | "price" | "volume"> & { readonly member: number },
  offers: readonly Offer[] = offersOf(market),
): { readonly cost: bigint; readonly missing: number } {
  const { member, selfTrade, volume: lots } = order;
  return buy(market, offers, { member, selfTrade, limit: highestPaid(order), lots, money: null });
}

/** Returns what rests in the book, best first. */
function offersOf({ asks }: OracleMarket): Offer[] {
  return asks.orders
    .map(({ member, price, remaining }) => ({ member, price, lots: remaining }))
    .reverse();
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
