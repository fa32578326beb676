/** The operators' page in Chromium: all its views, what roles may do, and what is refused. */
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { Authenticator } from "../support/authenticator.ts";
import { seriousViolations } from "../support/axe.ts";
import { THEMES } from "../support/chromium.ts";
import type { SignedClient } from "../support/http_clients.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const ALICE = "IDA11CE00001";
const BOB = "IDB0B0000001";
const WIDE = { width: 1680, height: 1050 };
const PHONE = { width: 360, height: 780 };

const VIEWS = [
  "overview",
  "members",
  `members/${BOB}`,
  ...[
    "orders?state=all",
    "trades",
    "deposits",
    "withdrawals",
    "adjustments",
    "ledger",
    "keys",
    "sessions",
    "addresses",
    "notes",
    "activity",
    "acts",
  ].map((tab) => `members/${BOB}/${tab}`),
  "withdrawals?waits=all",
  "deposits",
  "adjustments",
  "approvals",
  "totals",
  "wallets",
  "markets",
  "currencies",
  "fees",
  "settings",
  "operators",
  "audit",
  "outbox",
];

/** Gives alice a role, and shows the page to her. */
async function operateAs(page: Page, role: string, operator: SignedClient): Promise<void> {
  await operator.must(200, "PUT", `/admin/members/${ALICE}/operator_role`, {
    role,
    reason: "she is one of us now",
  });
  await page.reload();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}

/** Has bob be somebody of whom there is something to see. */
async function fillRecord(operator: SignedClient, bob: SignedClient): Promise<void> {
  const reason = "for the record";
  await operator.must(201, "POST", `/admin/members/${BOB}/notes`, { text: "line one\nline two" });
  await operator.must(201, "POST", "/admin/adjustments", {
    uid: BOB,
    currency: "btc",
    amount: "-0.25",
    reason,
  });
  await operator.must(201, "POST", "/admin/deposits", {
    uid: BOB,
    currency: "btc",
    amount: "1.5",
    txid: "ab".repeat(32),
    reason,
  });
  await operator.must(200, "PATCH", "/admin/markets/ethbtc", { state: "cancel_only", reason });
  await bob.must(201, "POST", "/trading/market/orders", {
    market: "btcusdt",
    side: "buy",
    type: "limit",
    price: "15000",
    amount: "0.5",
  });
}

/** Returns what is wrong with any view, light on a screen and dark on a phone. */
async function lookAtAll(page: Page, url: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of VIEWS) {
    await page.goto(`${url}/operate#${name}`);
    await page.waitForLoadState("networkidle");
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(theme === "dark" ? PHONE : WIDE);
      const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      const faults = [
        ...await seriousViolations(page),
        ...(wide > 0 ? [`${wide} px too wide`] : []),
      ];
      found.push(...faults.map((fault) => `${theme} ${name}: ${fault}`));
    }
  }
  return found;
}

describe("the operators' page", () => {
  it("can be used in all its views, in both themes, on a phone and on a screen", () =>
    withPages(async ({ browser, url, as }) => {
      const page = await browser.open(`${url}/operate`, WIDE);
      await fillRecord(as("operator"), as("bob"));
      await signInBeside(page, "alice");
      await operateAs(page, "viewer", as("operator"));
      assertEquals(await lookAtAll(page, url), []);
    }));

  it("says what is missing, and turns off what a role does not allow", () =>
    withPages(async ({ browser, url, as }) => {
      const page = await browser.open(`${url}/operate#members/${BOB}`, WIDE);
      await page.getByText("Sign in as an operator.").waitFor();
      const link = page.getByRole("main").getByRole("link", { name: "Sign in" });
      assertEquals(
        await link.getAttribute("href"),
        `/signin?to=${encodeURIComponent(`/operate?view=members/${BOB}`)}`,
      );
      await signInBeside(page, "alice");
      await page.getByRole("heading", { name: "You are no operator" }).waitFor();
      assertEquals(await seriousViolations(page), []);
      await page.goto(`${url}/operate?view=overview`);
      await operateAs(page, "support", as("operator"));
      const main = page.getByRole("main");
      const stop = main.getByRole("button", { name: "Stop trading" });
      assertEquals(await stop.isDisabled(), true);
      assertEquals(await stop.getAttribute("title"), "This needs the role “Admin”.");
      await page.goto(`${url}/operate#members/${BOB}`);
      const unlocking = main.getByRole("button", { name: "Unlock" });
      await unlocking.waitFor();
      assertEquals(await unlocking.isDisabled(), false);
      const adjusting = main.getByRole("button", { name: "Adjust a balance" });
      await adjusting.waitFor();
      assertEquals(await adjusting.isDisabled(), true);
      await page.goto(`${url}/operate#outbox`);
      await main.getByText("This needs the role “Admin”.").waitFor();
    }));

  it("asks for a code once, takes none for an answer, and shows refusals at their fields", () =>
    withPages(async ({ browser, url, as }) => {
      browser.expect(/the server responded with a status of (?:403|422)/);
      const app = new Authenticator(DEMO_OTP_SECRET);
      const page = await browser.open(`${url}/operate`, WIDE);
      await signInBeside(page, "alice");
      await operateAs(page, "finance", as("operator"));
      await page.goto(`${url}/operate#adjustments`);
      await page.getByRole("main").getByRole("button", { name: "Adjust a balance" }).click();
      const dialog = page.getByRole("dialog", { name: "Adjust a balance" });
      await dialog.getByLabel("Uid").fill(BOB);
      await dialog.getByLabel("Currency").selectOption("eth");
      await dialog.getByLabel("Amount").fill("-100000");
      await dialog.getByText(`100\u202f000 ETH is taken from ${BOB}.`).waitFor();
      await dialog.getByLabel("Reason").fill("a mistake of ours");
      const send = dialog.getByRole("button", { name: "Adjust a balance" });
      await send.click();
      const asking = page.getByRole("dialog", { name: "Confirm with a code" });
      await asking.getByRole("button", { name: "Cancel" }).click();
      await asking.waitFor({ state: "hidden" });
      await send.click();
      await asking.getByLabel("Code of your authenticator").fill("000000");
      await asking.getByRole("button", { name: "Confirm" }).click();
      await asking.locator(".field").getByText("This code is wrong, or was used before.").waitFor();
      await app.code();
      await asking.getByLabel("Code of your authenticator").fill(await app.code());
      await asking.getByRole("button", { name: "Confirm" }).click();
      await dialog.locator(".field", { hasText: "Amount" }).locator(".fault").waitFor();
      assertEquals(await seriousViolations(page), []);
      await dialog.getByLabel("Amount").fill("-0.25");
      await send.click();
      await page.getByText("Done. The balance is now 999.75 ETH.").waitFor();
      await page.keyboard.press("Escape");
      const row = page.getByRole("table", { name: "Adjustments" }).getByRole("row");
      await row.filter({ hasText: "a mistake of ours" }).getByText("amount: -0.25").waitFor();
      assertEquals((await as("operator").must(200, "GET", "/admin/acts")).length, 2);
    }));
});
