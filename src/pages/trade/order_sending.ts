/** Sends orders, and finds out what became of those that nothing was answered to. */
import { OutcomeUnknownError, type PlacedOrder, VenueError } from "../../client/client.ts";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import { Shown } from "../shared/shown.ts";
import { draft, emptyDraft } from "./draft_state.ts";
import { connection, type Market, markets } from "./markets.ts";
import { type Draft, orderOf } from "./order_draft.ts";
import { type NamedOrder, OrderNames } from "./order_names.ts";
import { orderText } from "./order_text.ts";
import { openOrders } from "./own_trading.ts";

/** What is told of the last order. */
export interface ToldOrder {
  readonly text: string;
  readonly tone: "good" | "warn";
}

/** What is told of the last order; null for nothing. */
export const told: Shown<ToldOrder | null> = new Shown<ToldOrder | null>(null);

/** What is told of an order. */
type Found = Parameters<typeof orderText>[0] & Pick<PlacedOrder, "state" | "market">;

/** How often the venue is asked for orders of which nothing is known, in ms. */
const LOOK_MS = 5_000;
const names = new OrderNames();
let isLooking = false;

/** Sends an order. @throws {VenueError} if it is refused */
export async function sendOrder(typed: Draft, market: Market): Promise<void> {
  const { order, wasSent } = names.named(orderOf(typed, market.id));
  told.set(null);
  try {
    const placed = await venue.placeOrder({ ...order, response: "result" }, { wasSent });
    names.placed(order.client_order_id);
    tellPlaced(placed);
    emptyDraft();
  } catch (error) {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    names.lost(order);
    told.set({ text: t.trade.unknownOutcome, tone: "warn" });
    void lookUntilKnown();
  }
}

/** Notices orders that arrive late, and asks for them as soon as the venue is there again. */
export function followSent(): void {
  connection.subscribe(() => {
    if (connection.value === "live") void lookForAll();
  });
  openOrders.rows.subscribe(() => {
    for (const { client_order_id: name } of names.unknown) {
      const found = openOrders.rows.value?.find(({ client_order_id }) => client_order_id === name);
      if (found !== undefined) tellFound(found, name);
    }
  });
}

async function lookUntilKnown(): Promise<void> {
  if (isLooking) return;
  isLooking = true;
  while (names.unknown.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    await lookForAll();
  }
  isLooking = false;
}

async function lookForAll(): Promise<void> {
  for (const order of names.unknown) await lookFor(order);
}

async function lookFor({ client_order_id: name }: NamedOrder): Promise<void> {
  const id = `client:${name}`;
  try {
    const found = await venue.get("/api/v2/backend/market/orders/{id}", { path: { id } });
    if (found.client_order_id === name) tellFound(found, name);
  } catch (error) {
    const isMissing = error instanceof VenueError && error.code === "record.not_found";
    const isUnknown = names.unknown.some((order) => order.client_order_id === name);
    if (isMissing && isUnknown && told.value?.tone === "warn") {
      told.set({ text: t.trade.notPlacedYet, tone: "warn" });
    }
  }
}

/** Tells that an order is placed after all, unless that has been told. */
function tellFound(found: Found, name: string): void {
  const [sent] = names.unknown.filter(({ client_order_id }) => client_order_id === name);
  if (!names.placed(name) || sent === undefined) return;
  tellPlaced(found);
  const typed = orderOf(draft.value, sent.market);
  if (JSON.stringify({ ...typed, client_order_id: name }) === JSON.stringify(sent)) emptyDraft();
}

function tellPlaced(placed: Found): void {
  const market = markets.value.find(({ id }) => id === placed.market);
  told.set({
    text: t.trade.orderNews(orderText(placed, market), t.trade.orderStates[placed.state]),
    tone: "good",
  });
}
