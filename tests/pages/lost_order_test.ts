/** The trading page where the answer to an order is lost. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ownRow, TradePage } from "../support/trade_page.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const WIDE = { width: 1680, height: 1050 };
const ORDERS = /trading\/market\/orders$/;

describe("an order whose answer is lost", () => {
  it("is placed once, however often one clicks, and told of when it arrives late", () =>
    withPages(async ({ browser, url, as }) => {
      browser.expect(/status of (?:502|404)/);
      const page = await browser.open(`${url}/trade/btcusdt`, WIDE);
      await signInBeside(page, "alice");
      const shown = new TradePage(page);
      await shown.live();
      const names: string[] = [];
      const late: (() => Promise<number>)[] = [];
      let isCut = true;
      const cut = { status: 502, body: "<html>bad gateway" };
      await page.route(ORDERS, async (route) => {
        const request = route.request();
        if (request.method() !== "POST") return route.continue();
        const data = request.postData() ?? "";
        const headers = await request.allHeaders();
        names.push(JSON.parse(data).client_order_id);
        if (!isCut) return route.continue();
        late.push(async () => {
          const answer = await page.context().request.post(request.url(), { data, headers });
          return answer.status();
        });
        return route.fulfill(cut);
      });
      const LOOKING = /market\/orders\/client/;
      await page.route(LOOKING, (route) => isCut ? route.fulfill(cut) : route.continue());
      await shown.place({ side: "Buy", price: "15000", amount: "0.2" });
      const note = page.locator(".told .note");
      await note.getByText(/has not told/).waitFor({ timeout: 60_000 });
      assertEquals(await note.getAttribute("class"), "note warn");
      assertEquals(await page.locator("input[name=amount]").inputValue(), "0.2");
      isCut = false;
      assertEquals(await late[0]?.(), 201);
      await page.locator(".told .note.good").waitFor({ timeout: 15_000 });
      assertEquals(await page.locator("input[name=amount]").inputValue(), "");
      isCut = true;
      await shown.place({ side: "Buy", price: "16000", amount: "0.3" });
      await note.getByText(/has not told/).waitFor({ timeout: 60_000 });
      isCut = false;
      await page.getByRole("button", { name: /^Buy / }).click();
      await ownRow(shown, "Open orders", /16000\.00/);
      await late.at(-1)?.();
      await page.waitForTimeout(300);
      const open = await as("alice").must(200, "GET", "/backend/market/orders?state=wait");
      const volumes = open.map(({ origin_volume: volume }: { origin_volume: string }) => volume);
      assertEquals(volumes.map(Number).toSorted(), [0.2, 0.3]);
      assertEquals(new Set(names).size, 2);
    }));
});
