/** The trading page in Chromium, beside what the venue answers. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { eventually } from "../support/eventually.ts";
import { Prng } from "../support/prng.ts";
import { RandomTrading } from "../support/random_trading.ts";
import { ownRow, showsBook, showsOwn, TradePage } from "../support/trade_page.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const WIDE = { width: 1680, height: 1050 };
const PATH = "/trade/btcusdt";

describe("the trading page", () => {
  it("shows the venue's book and one's own orders after a random life", () =>
    withPages(async ({ browser, url, as }) => {
      const [alice, bob] = [as("alice"), as("bob")];
      const trading = new RandomTrading([alice, bob], new Prng(45));
      await trading.calls(40);
      const stranger = new TradePage(await browser.open(`${url}${PATH}`, WIDE));
      const member = new TradePage(await browser.open(`${url}${PATH}`, WIDE));
      await signInBeside(member.page, "alice");
      await member.live();
      for (let round = 0; round < 5; round++) {
        await trading.calls(40);
        await showsBook(stranger, alice);
        await showsBook(member, alice);
        await showsOwn(member, alice);
      }
    }));

  it("reads older candles as one scrolls to them, and none twice", () =>
    withPages(async ({ browser, url }) => {
      const page = await browser.open(url, WIDE);
      const asked: number[] = [];
      const newest = Math.floor(Date.now() / 60_000) * 60;
      await page.route("**/k-line*", async (route) => {
        const { searchParams } = new URL(route.request().url());
        const last = Math.floor(Number(searchParams.get("time_to") ?? newest) / 60) * 60;
        const count = Number(searchParams.get("limit"));
        asked.push(last);
        // Two pages of candles, and a few more.
        const left = Math.min(count, 1_010 - (newest - last) / 60);
        const candle = (at: number) => [last - 60 * (left - 1 - at), 100, 102, 99, 101, 5];
        await route.fulfill({ json: Array.from({ length: left }, (_, at) => candle(at)) });
      });
      await page.goto(`${url}${PATH}`);
      const chart = page.getByRole("img", { name: /^Candles of BTC\/USDT/ });
      await chart.hover();
      await eventually("all pages asked for", async () => {
        await page.mouse.wheel(-2_000, 0);
        return asked.some((last) => last <= newest - 1_000 * 60);
      });
      for (let i = 0; i < 5; i++) await page.mouse.wheel(-2_000, 0);
      const older = asked.filter((last) => last < newest);
      assertEquals(older, [newest - 500 * 60, newest - 1_000 * 60]);
    }));

  it("lets two people trade with each other by clicks", () =>
    withPages(async ({ browser, url, as }) => {
      const pageOf = async (name: "alice" | "bob") => {
        const page = new TradePage(await browser.open(`${url}${PATH}`, WIDE));
        await signInBeside(page.page, name);
        await page.live();
        return page;
      };
      const [alice, bob] = [await pageOf("alice"), await pageOf("bob")];
      await alice.place({ side: "Buy", price: "20123.5", amount: "0.5" });
      await ownRow(alice, "Open orders", /Buy .*20123\.50/);
      assertEquals(await alice.ownPrices(), ["20123.5"]);
      await showsBook(bob, as("bob"));
      await bob.takePrice("20\u202f123.50");
      await bob.place({ side: "Sell", amount: "0.2" });
      await ownRow(bob, "Fills", /Sell .*20123\.50/);
      await bob.place({ side: "Sell", type: "Market", amount: "0.1" });
      await ownRow(alice, "Fills", /Buy .*20123\.50 0\.1/);
      assertEquals(await alice.trades(), [["20123.5", "0.1"], ["20123.5", "0.2"]]);
      assertEquals(await bob.trades(), await alice.trades());
      await showsOwn(alice, as("alice"));
      await showsOwn(bob, as("bob"));
      await alice.own("Open orders");
      await alice.cancel(/^Cancel Buy/);
      await showsBook(bob, as("bob"));
      assertEquals(await bob.book(), { asks: [], bids: [] });
      await showsOwn(alice, as("alice"));
    }));

  it("shows the venue's state again after the venue was killed", () =>
    withPages(async ({ browser, venue, url, as }) => {
      browser.expect(/WebSocket connection to|net::ERR_/);
      const [alice, bob] = [as("alice"), as("bob")];
      const trading = new RandomTrading([alice, bob], new Prng(46));
      const page = new TradePage(await browser.open(`${url}${PATH}`, WIDE));
      await signInBeside(page.page, "alice");
      await page.live();
      for (let round = 0; round < 2; round++) {
        await trading.calls(40);
        await showsBook(page, alice);
        await venue.kill();
        await page.page.getByText(/^Connection lost/).waitFor();
        await venue.restart();
        await trading.calls(40);
        await page.live();
        await showsBook(page, alice);
        await showsOwn(page, alice);
      }
    }));
});
