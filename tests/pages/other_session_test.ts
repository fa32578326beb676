/** The pages while the browser's session becomes another person's, or ends. */
import type { BrowserContext, Page, WebSocketRoute } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { otpAt } from "../support/otp_at.ts";
import { ownRow, showsOwn, TradePage } from "../support/trade_page.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const WIDE = { width: 1680, height: 1050 };
const SESSIONS = "/api/v2/auth/identity/sessions";

/** Signs somebody in as another tab does, without a word to the page. */
async function takeOver(context: BrowserContext, url: string, name: string): Promise<void> {
  const answer = await context.request.post(`${url}${SESSIONS}`, {
    data: {
      email: `${name}@demo.invalid`,
      password: `Demo-${name}-1`,
      otp_code: otpAt(DEMO_OTP_SECRET, Date.now()),
    },
  });
  assertEquals(answer.status(), 200);
}

/** Cuts the page's private streams off when a test wants. */
async function cuttable(page: Page): Promise<() => Promise<void>> {
  const sockets: WebSocketRoute[] = [];
  await page.routeWebSocket(/stream\/private/, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  return async () => {
    for (const socket of sockets.splice(0)) await socket.close({ code: 4000 }).catch(() => {});
  };
}

describe("a page whose browser is signed in as another person", () => {
  it("begins anew before its streams go on, and when it writes, and shows nothing of two", () =>
    withPages(async ({ browser, url, as }) => {
      browser.expect(/status of 401/);
      const page = await browser.open(`${url}/trade/btcusdt`, WIDE);
      const cut = await cuttable(page);
      await signInBeside(page, "alice");
      const shown = new TradePage(page);
      await shown.live();
      const price = (at: string) => ({
        market: "btcusdt",
        side: "buy",
        type: "limit",
        amount: "0.7",
        price: at,
      });
      await as("alice").must(201, "POST", "/trading/market/orders", price("6666"));
      await ownRow(shown, "Open orders", /6666\.00/);
      await as("bob").must(201, "POST", "/trading/market/orders", price("7777"));
      await takeOver(page.context(), url, "bob");
      const anew = page.waitForEvent("load");
      await cut();
      await anew;
      await page.locator("#session").getByText("bob@demo.invalid").waitFor();
      await shown.live();
      await ownRow(shown, "Open orders", /7777\.00/);
      await showsOwn(shown, as("bob"));
      assertEquals((await shown.own("Open orders")).length, 1);
      await takeOver(page.context(), url, "operator");
      await shown.place({ side: "Buy", price: "5555", amount: "0.1" });
      await page.locator("#session").getByText("operator@demo.invalid").waitFor();
      await shown.live();
      assertEquals(await shown.own("Open orders"), []);
    }));

  it("begins anew when it is looked at again, and when another page tells", () =>
    withPages(async ({ browser, url }) => {
      const wallet = await browser.open(`${url}/wallet`, WIDE);
      const context = wallet.context();
      const who = (page: Page, name: string) =>
        page.locator("#session").getByText(`${name}@demo.invalid`).waitFor({ timeout: 10_000 });
      await signInBeside(wallet, "alice");
      await who(wallet, "alice");
      const account = await context.newPage();
      await account.goto(`${url}/account`);
      await who(account, "alice");
      await takeOver(context, url, "bob");
      // The page that is loaded tells the other one.
      await account.reload();
      await who(account, "bob");
      await who(wallet, "bob");
      await takeOver(context, url, "operator");
      await wallet.evaluate(() => dispatchEvent(new Event("focus")));
      await who(wallet, "operator");
      await who(account, "operator");
    }));

  it("says that its session has ended, and leads to signing in", () =>
    withPages(async ({ browser, url, as }) => {
      browser.expect(/status of 401|WebSocket connection to/);
      const page = await browser.open(`${url}/trade/btcusdt`, WIDE);
      await signInBeside(page, "bob");
      const shown = new TradePage(page);
      await shown.live();
      const order = { market: "btcusdt", side: "buy", type: "limit", amount: "0.5", price: "9999" };
      await as("bob").must(201, "POST", "/trading/market/orders", order);
      await ownRow(shown, "Open orders", /9999\.00/);
      const wallet = await page.context().newPage();
      await wallet.goto(`${url}/wallet`);
      await wallet.getByRole("button", { name: "Sign out" }).click();
      await page.locator("#session").getByText(/session is over/).waitFor({ timeout: 10_000 });
      await page.locator("#session").getByRole("link", { name: "Sign in" }).waitFor();
      await page.getByText("Sign in to see your orders and balances").waitFor();
      await shown.live();
      assertEquals(await shown.ownPrices(), []);
    }));
});

describe("a page's path with a slash at its end", () => {
  it("is the page", () =>
    withPages(async ({ browser, url }) => {
      for (
        const [path, text] of [
          ["/signin/", "Password"],
          ["/wallet/", "Sign in to see this page."],
          ["/trade/btcusdt/", "Order book"],
          ["/operate/", "Sign in"],
        ] as const
      ) {
        const page = await browser.open(`${url}${path}`, WIDE);
        await page.locator("main").getByText(text).first().waitFor({ timeout: 5_000 });
        await page.close();
      }
    }));
});
