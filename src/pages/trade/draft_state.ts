/** The order that is being typed. */
import type { Records } from "../../client/client.ts";
import { LiveList } from "../live/live_list.ts";
import { venue } from "../shared/session.ts";
import { Shown } from "../shared/shown.ts";
import { currentBook } from "./live_market.ts";
import type { Market } from "./markets.ts";
import { type Draft, type DraftMeans, hasPrice, hasTrigger } from "./order_draft.ts";
import { freeOf } from "./own_trading.ts";

type OwnRates = Records["OwnFees"]["markets"][number];

const BLANK: Draft = {
  side: "buy",
  type: "limit",
  price: "",
  trigger: "",
  amount: "",
  timeInForce: "gtc",
  isPostOnly: false,
  selfTrade: "cancel_newest",
  clientOrderId: "",
};

/** What is typed. */
export const draft: Shown<Draft> = new Shown<Draft>(BLANK);
/** The total as it is typed; null while it follows from price and amount. */
export const typedTotal: Shown<string | null> = new Shown<string | null>(null);
/** The rates of one's next order, by market. */
export const ownRates: LiveList<OwnRates> = new LiveList<OwnRates>({
  keyOf: ({ market_id }) => market_id,
  read: async () => (await venue.get("/api/v2/backend/account/trading_fees")).markets,
});

/** Changes parts of the draft. */
export function changeDraft(part: Partial<Draft>): void {
  draft.set({ ...draft.value, ...part });
}

/** Empties the amounts, once an order is placed. */
export function emptyDraft(): void {
  changeDraft({ amount: "", clientOrderId: "" });
  typedTotal.set(null);
}

/** Begins an order in another market, whose prices are others. */
export function beginDraft(price: string): void {
  const { side, type } = draft.value;
  draft.set({ ...BLANK, side, type, price });
  typedTotal.set(null);
}

/** Takes a price of the book, for whichever price the order has. */
export function takePrice(price: string): void {
  const { type } = draft.value;
  if (hasPrice(type)) changeDraft({ price });
  else if (hasTrigger(type)) changeDraft({ trigger: price });
  else changeDraft({ type: "limit", price });
  typedTotal.set(null);
}

/** Returns what an order of one's own could be paid with, and meet, now. */
export function meansOf(market: Market, isSignedIn: boolean): DraftMeans {
  const { asks, bids } = currentBook();
  const free = (currency: string) => isSignedIn ? freeOf(currency) : null;
  return { base: free(market.base_unit), quote: free(market.quote_unit), asks, bids };
}
