/** A stranger's whole life at the venue, by clicks. */
import type { Locator, Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Authenticator } from "../support/authenticator.ts";
import { seriousViolations } from "../support/axe.ts";
import { eventually } from "../support/eventually.ts";
import type { SignedClient } from "../support/http_clients.ts";
import { ownRow, TradePage } from "../support/trade_page.ts";
import { withPages } from "../support/with_pages.ts";

const EMAIL = "carol@example.org";
const PASSWORD = "Correct-horse-7";
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
/** Members of this level may do everything. */
const LEVEL = 3;

/** Returns the last code that the venue has sent. */
async function sentCode(operator: SignedClient, kind: string): Promise<string> {
  return await eventually(`a message of kind ${kind}`, async () => {
    const messages: { kind: string; code: string }[] = await operator.must(
      200,
      "GET",
      "/admin/outbox",
    );
    return messages.find((message) => message.kind === kind)?.code;
  });
}

async function signUp(page: Page, operator: SignedClient): Promise<void> {
  await page.getByRole("link", { name: "Sign up" }).first().click();
  await page.getByLabel("Email address").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Open the account" }).click();
  await page.getByRole("heading", { name: "Confirm your email address" }).waitFor();
  const code = await sentCode(operator, "email_confirmation");
  await page.getByLabel("Code from the message").fill(code);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}

/** Turns on the second factor; returns the member's id and authenticator. */
async function protect(page: Page): Promise<{ readonly uid: string; readonly app: Authenticator }> {
  await page.getByRole("link", { name: "Account" }).click();
  const uid = await page.getByText(/^ID[0-9A-F]+$/).innerText();
  await page.getByRole("button", { name: "Turn on the second factor" }).click();
  const app = new Authenticator(await page.getByLabel("Secret", { exact: true }).innerText());
  const form = page.getByRole("form", { name: "Turn on the second factor" });
  await form.getByLabel("Code of the authenticator").fill(await app.code());
  await form.getByLabel("Current password", { exact: true }).fill(PASSWORD);
  await form.getByRole("button", { name: "Turn on the second factor" }).click();
  await page.getByText("The second factor is on.").waitFor();
  assertEquals(await seriousViolations(page), []);
  await page.getByRole("button", { name: "I have kept them" }).click();
  return { uid, app };
}

/** Opens a tab of the wallet, and returns its view for a currency. */
async function openWallet(page: Page, tab: string, currency: string): Promise<Locator> {
  await page.getByRole("link", { name: "Wallet" }).first().click();
  await page.getByRole("tab", { name: tab }).click();
  const view = page.getByRole("tabpanel");
  await view.getByLabel("Currency", { exact: true }).selectOption(currency);
  return view;
}

async function deposit(page: Page, currency: string, amount: string): Promise<void> {
  const view = await openWallet(page, "Deposit", currency);
  await view.getByLabel(/from the faucet$/).fill(amount);
  await view.getByRole("button", { name: "Get coins" }).click();
  const rows = view.getByRole("table", { name: "Recent deposits" }).getByRole("row");
  await rows.filter({ hasText: currency.toUpperCase() }).getByText("Credited").waitFor();
  assertEquals(await seriousViolations(page), []);
}

/** Places orders and sees how they are filled. */
async function trade(page: Page, maker: SignedClient): Promise<void> {
  await maker.must(201, "POST", "/trading/market/orders", {
    market: "btcusdt",
    side: "sell",
    type: "limit",
    price: "20000",
    amount: "1",
  });
  await page.getByRole("link", { name: "Trade" }).first().click();
  const trading = new TradePage(page);
  await trading.live();
  await trading.place({ side: "Buy", price: "20000", amount: "0.2" });
  await ownRow(trading, "Fills", /Buy .*20000\.00 0\.2 /);
  await trading.place({ side: "Buy", type: "Market", amount: "0.1" });
  await ownRow(trading, "Fills", /Buy .*20000\.00 0\.1 /);
  await trading.place({ side: "Buy", price: "19000", amount: "0.05" });
  await ownRow(trading, "Open orders", /Buy .*19000\.00/);
}

async function withdraw(page: Page, operator: SignedClient, app: Authenticator): Promise<void> {
  const view = await openWallet(page, "Withdraw", "btc");
  await view.getByRole("button", { name: "Add an address" }).click();
  const adding = page.getByRole("dialog", { name: "Add an address" });
  await adding.getByLabel("Name of the address").fill("cold <b>wallet</b>");
  await adding.getByLabel("Address", { exact: true }).fill(ADDRESS);
  await adding.getByRole("button", { name: "Add", exact: true }).click();
  const confirming = page.getByRole("dialog", { name: /^Confirm/ });
  const pin = await sentCode(operator, "beneficiary_pin");
  await confirming.getByLabel("Pin from the message").fill(pin);
  assertEquals(await seriousViolations(page), []);
  await confirming.getByRole("button", { name: "Confirm" }).click();
  await confirming.waitFor({ state: "hidden" });
  await view.getByLabel("Amount of BTC").fill("0.1");
  await view.getByLabel("Code of the authenticator").fill(await app.code());
  await view.getByRole("button", { name: "Withdraw now" }).click();
  const rows = view.getByRole("table", { name: "Recent withdrawals" }).getByRole("row");
  await rows.filter({ hasText: "0.1 BTC" }).getByText("Paid").waitFor({ timeout: 60_000 });
  assertEquals(await seriousViolations(page), []);
}

describe("a stranger", () => {
  it("becomes a member, deposits, trades and withdraws, all by clicks", () =>
    withPages(async ({ browser, url, as }) => {
      const operator = as("operator");
      const page = await browser.open(`${url}/`, { width: 1680, height: 1050 });
      await signUp(page, operator);
      const { uid, app } = await protect(page);
      await operator.must(200, "PATCH", `/admin/members/${uid}`, {
        level: LEVEL,
        reason: "its papers are in order",
      });
      await page.reload();
      await deposit(page, "usdt", "10000");
      await trade(page, as("bob"));
      await withdraw(page, operator, app);
      const [btc] = await operator.must(200, "GET", `/admin/members/${uid}/balances`)
        .then((all) => all.filter((one: { currency: string }) => one.currency === "btc"));
      await page.getByRole("tab", { name: "Balances" }).click();
      const row = page.getByRole("table", { name: "Balances" }).getByRole("row", { name: "BTC" });
      await row.getByText(btc.balance.replace(/0+$/, "")).first().waitFor();
    }));
});
