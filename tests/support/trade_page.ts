/** What somebody sees and does on the trading page. */
import type { Locator, Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { decimalOf, unitsOf } from "../../src/client/decimals.ts";
import { eventually } from "./eventually.ts";
import type { SignedClient } from "./http_clients.ts";

const DIGITS = 16;
/** All orders and currencies of a test. */
const LIMIT = 1000;

type Side = "asks" | "bids";

/** Price and amount as a book shows them, without what sets thousands apart. */
export type ShownLevel = readonly [price: string, amount: string, sum: string];

/** The rows of a book, best prices first. */
export type ShownBook = Readonly<Record<Side, readonly ShownLevel[]>>;

/** The page of a market. */
export class TradePage {
  constructor(readonly page: Page) {}

  /** Waits until the page shows what the venue has now. */
  async live(): Promise<void> {
    await this.#region("Market").getByText("Live", { exact: true }).waitFor();
  }

  /** The book as it is shown. */
  async book(): Promise<ShownBook> {
    const [asks, bids] = [await this.#levels("Asks"), await this.#levels("Bids")];
    return { asks: asks.reverse(), bids };
  }

  /** Prices of the book that are marked as one's own. */
  async ownPrices(): Promise<readonly string[]> {
    const marked = this.#region("Order book").getByRole("row").filter({ hasText: "●" });
    return (await marked.allInnerTexts()).map((text) => decimals(text)[0] ?? "");
  }

  /** Places an order by the form. */
  async place(
    { side, type = "Limit", price, amount }: {
      readonly side: "Buy" | "Sell";
      readonly type?: "Limit" | "Market";
      readonly price?: string;
      readonly amount: string;
    },
  ): Promise<void> {
    const form = this.#region("New order");
    await form.getByRole("radiogroup", { name: "Side" }).getByText(side, { exact: true }).click();
    await form.getByRole("radiogroup", { name: "Type" }).getByText(type, { exact: true }).click();
    if (price !== undefined) await form.getByLabel(/^Price/).fill(price);
    await form.getByLabel(/^Amount/).fill(amount);
    await form.getByRole("button", { name: new RegExp(`^${side} `) }).click();
  }

  /** Takes a price of the book by a click. */
  async takePrice(price: string): Promise<void> {
    await this.#region("Order book").getByRole("button", { name: price }).click();
  }

  /** The rows of one's own lists, a text of each cell. */
  async own(
    tab: "Open orders" | "Order history" | "Fills" | "Balances",
  ): Promise<readonly (readonly string[])[]> {
    const own = this.#region("Your orders and balances");
    await own.getByRole("tab", { name: tab }).click();
    return cellsOf(own.getByRole("table", { name: tab }).locator("tbody tr"));
  }

  /** Cancels the only order that a text of the button names. */
  async cancel(what: RegExp): Promise<void> {
    await this.page.getByRole("button", { name: what }).click();
  }

  /** The market's last trades as they are shown: price and amount, newest first. */
  async trades(): Promise<readonly (readonly [price: string, amount: string])[]> {
    const rows = this.page.getByRole("table", { name: "Trades" }).locator("tbody tr");
    return (await rows.allInnerTexts()).map((text) => {
      const [price = "", amount = ""] = decimals(text);
      return [price, amount];
    });
  }

  async #levels(caption: string): Promise<ShownLevel[]> {
    const table = this.#region("Order book").getByRole("table", { name: caption });
    return (await table.locator("tbody tr").allInnerTexts()).map((text) => {
      const [price = "", amount = "", sum = ""] = decimals(text);
      return [price, amount, sum];
    });
  }

  #region(name: string): Locator {
    return this.page.getByRole("region", { name, exact: true });
  }
}

/** Waits until a page shows the book that the venue has, at least its nearest levels. */
export async function showsBook(page: TradePage, client: SignedClient): Promise<void> {
  await until("the venue's book in the page", async () => {
    const shown = await page.book();
    const path = "/backend/public/markets/btcusdt/depth?limit=100";
    const depth = await client.must(200, "GET", path);
    return (["asks", "bids"] as const).map((side) => {
      const levels = bestFirst(side, depth[side]);
      const rows = Math.min(levels.length, Math.max(shown[side].length, 5));
      return [shown[side], summed(levels).slice(0, rows)] as const;
    });
  });
}

/** Waits until a page shows the open orders and balances that the venue has for a member. */
export async function showsOwn(page: TradePage, client: SignedClient): Promise<void> {
  await until("the member's open orders in the page", async () => {
    const shown = (await page.own("Open orders")).map(([, , side, , price, amount]) => [
      side?.toLowerCase(),
      ...decimals(`${price} ${amount}`),
    ]);
    const query = `market=btcusdt&state=wait&limit=${LIMIT}`;
    const orders = await client.must(200, "GET", `/backend/market/orders?${query}`);
    // deno-lint-ignore no-explicit-any
    const own = orders.map((order: any) => [
      order.side,
      plain(order.price),
      plain(order.origin_volume),
    ]);
    return [[shown.toSorted(), own.toSorted()]];
  });
  await until("the member's balances in the page", async () => {
    const shown = (await page.own("Balances")).map(([currency = "", ...amounts]) => [
      currency.toLowerCase(),
      ...amounts.flatMap(decimals),
    ]);
    const accounts = await client.must(200, "GET", `/backend/account/balances?limit=${LIMIT}`);
    const own = accounts
      // deno-lint-ignore no-explicit-any
      .map((account: any) => [account.currency, plain(account.balance), plain(account.locked)])
      .filter(([, balance, locked]: readonly string[]) => `${balance}${locked}` !== "00");
    return [[shown.toSorted(), own.toSorted()]];
  });
}

/** Waits until pairs of what is shown and what is there are equal; then they are compared. */
async function until(
  what: string,
  look: () => Promise<readonly (readonly [shown: unknown, there: unknown])[]>,
): Promise<void> {
  const end = performance.now() + 20_000;
  for (;;) {
    const pairs = await look();
    const isSame = pairs.every(([shown, there]) => JSON.stringify(shown) === JSON.stringify(there));
    if (isSame) return;
    if (performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    for (const [shown, there] of pairs) assertEquals(shown, there, what);
  }
}

/** The cells of rows that are there by now. */
async function cellsOf(rows: Locator): Promise<readonly (readonly string[])[]> {
  return (await rows.allInnerTexts()).map((text) => text.split("\t").map((cell) => cell.trim()));
}

function bestFirst(
  side: Side,
  levels: readonly (readonly [string, string])[],
): readonly (readonly [string, string])[] {
  const rising = levels.toSorted(([one], [other]) => Number(one) - Number(other));
  return side === "asks" ? rising : rising.reverse();
}

function summed(levels: readonly (readonly [string, string])[]): readonly ShownLevel[] {
  let sum = 0n;
  return levels.map(([price, amount]) => {
    sum += unitsOf(amount, DIGITS);
    return [plain(price), plain(amount), decimalOf(sum, DIGITS)];
  });
}

/** The decimals in a text, as short as they can be written. */
function decimals(text: string): string[] {
  return (text.replaceAll("\u202f", "").match(/\d+(?:\.\d+)?/g) ?? []).map(plain);
}

function plain(decimal: string): string {
  return decimalOf(unitsOf(decimal, DIGITS), DIGITS);
}

/** Waits until a list of one's own has a row in which a text stands. */
export async function ownRow(
  page: TradePage,
  tab: Parameters<TradePage["own"]>[0],
  pattern: RegExp,
): Promise<readonly string[]> {
  return await eventually(`${pattern} in ${tab}`, async () => {
    const rows = await page.own(tab);
    return rows.find((row) => pattern.test(row.join(" ").replaceAll("\u202f", "")));
  });
}
