/** The pages of members while answers of the venue are held on their way. */
import type { Page, Route } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { eventually } from "../support/eventually.ts";
import type { SignedClient } from "../support/http_clients.ts";
import { ownRow, showsOwn, TradePage } from "../support/trade_page.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const WIDE = { width: 1680, height: 1050 };
const PATH = "/trade/btcusdt";

/** Holds answers of some paths once they are the venue's, for as long as a test wants. */
class HeldAnswers {
  isHolding = false;
  #held: (() => void)[] = [];

  static async of(page: Page, path: RegExp): Promise<HeldAnswers> {
    const held = new HeldAnswers();
    await page.route(path, (route) => held.#pass(route));
    return held;
  }

  get count(): number {
    return this.#held.length;
  }

  /** Returns what lets those go that are held now. */
  take(): () => void {
    const taken = this.#held.splice(0);
    return () => taken.forEach((go) => go());
  }

  async #pass(route: Route): Promise<void> {
    const response = await route.fetch().catch(() => null);
    if (response === null) return;
    if (this.isHolding) await new Promise<void>((go) => this.#held.push(go));
    await route.fulfill({ response }).catch(() => {});
  }
}

function buy(client: SignedClient, price: string): Promise<{ id: number }> {
  const order = { market: "btcusdt", side: "buy", type: "limit", amount: "0.1", price };
  return client.must(201, "POST", "/trading/market/orders", order);
}

describe("a page whose answers are held on their way", () => {
  it("shows no order that has ended since, nor balances of before", () =>
    withPages(async ({ browser, url, as }) => {
      const alice = as("alice");
      const page = await browser.open(`${url}${PATH}`, WIDE);
      const shown = new TradePage(page);
      let lost = 0;
      await page.routeWebSocket(/stream\/private/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          if (lost > 0 && String(message).startsWith('{"balance"')) lost -= 1;
          else socket.send(message);
        });
      });
      const answers = await HeldAnswers.of(page, /backend\/(market\/orders|account\/balances)/);
      await signInBeside(page, "alice");
      await shown.live();
      const first = await buy(alice, "15000");
      await ownRow(shown, "Open orders", /15000\.00/);
      [answers.isHolding, lost] = [true, 1];
      await buy(alice, "14000");
      await buy(alice, "13000");
      await eventually("readings that are held", () => answers.count >= 2);
      const release = answers.take();
      await alice.must(201, "POST", `/trading/market/orders/cancel/${first.id}`, {});
      [answers.isHolding, lost] = [false, 1];
      await buy(alice, "12000");
      await buy(alice, "11000");
      await showsOwn(shown, alice);
      release();
      await page.waitForTimeout(500);
      await showsOwn(shown, alice);
      assertEquals((await shown.own("Open orders")).length, 4);
    }));

  it("shows in the wallet what was told while the first answer was held", () =>
    withPages(async ({ browser, url, as }) => {
      const alice = as("alice");
      const page = await browser.open(`${url}/wallet`, WIDE);
      const answers = await HeldAnswers.of(page, /account\/balances/);
      answers.isHolding = true;
      const streams = page.waitForEvent("websocket");
      await signInBeside(page, "alice");
      await (await streams).waitForEvent("framereceived");
      await eventually("a reading that is held", () => answers.count > 0);
      await alice.must(201, "POST", "/trading/market/orders", {
        market: "btcusdt",
        side: "sell",
        type: "limit",
        amount: "1.5",
        price: "90000",
      });
      await page.waitForTimeout(500);
      answers.isHolding = false;
      answers.take()();
      const row = page.getByRole("row", { name: /^BTC/ });
      await row.getByText(/^1\.50/).waitFor({ timeout: 5_000 });
    }));

  it("misses nothing that happened after an answer and before its streams were there", () =>
    withPages(async ({ browser, url, as }) => {
      const page = await browser.open(`${url}/wallet`, WIDE);
      let connect: (() => void) | null = null;
      await page.routeWebSocket(/\/stream\//, (socket) => {
        connect = () => void socket.connectToServer();
      });
      const answered = page.waitForResponse(/account\/deposits/);
      await signInBeside(page, "bob");
      await answered;
      await eventually("a socket that is held", () => connect !== null);
      await as("bob").must(201, "POST", "/backend/account/faucet", {
        currency: "eth",
        amount: "1.25",
      });
      // Until nothing more happens to it that streams would tell.
      await eventually("the deposit credited", async () => {
        const [deposit] = await as("bob").must(200, "GET", "/backend/account/deposits");
        return deposit.state === "collected";
      });
      (connect as (() => void) | null)?.();
      await page.getByRole("tab", { name: "Deposit" }).click();
      await page.getByRole("cell", { name: /^1\.25.* ETH/ }).waitFor({ timeout: 5_000 });
    }));

  it("shows operators what is read for longer than until it is read again", () =>
    withPages(async ({ browser, url }) => {
      const page = await browser.open(`${url}/operate#withdrawals`, WIDE);
      const answers = await HeldAnswers.of(page, /admin\/withdraws\?.*page=/);
      answers.isHolding = true;
      await signInBeside(page, "operator");
      await eventually("a reading that is held", () => answers.count > 0);
      const first = answers.take();
      // It is read every five seconds.
      await page.waitForTimeout(6_000);
      first();
      await page.getByRole("main").getByText("No withdrawal waits for us.").waitFor({
        timeout: 3_000,
      });
    }));

  it("reads again what could not be read", () =>
    withPages(async ({ browser, url, as }) => {
      browser.expect(/status of 403/);
      const alice = as("alice");
      await buy(alice, "15000");
      const page = await browser.open(`${url}${PATH}`, WIDE);
      let refusals = 2;
      await page.route(/account\/balances/, (route) => {
        if (refusals-- <= 0) return route.continue();
        return route.fulfill({
          status: 403,
          contentType: "application/json",
          body: '{"errors":["waf.blocked"]}',
        });
      });
      await signInBeside(page, "alice");
      const shown = new TradePage(page);
      await shown.live();
      await showsOwn(shown, alice);
    }));
});
