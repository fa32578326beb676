/** All that members see of their money and account, in Chromium: each tab, and each dialog. */
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { seriousViolations } from "../support/axe.ts";
import { THEMES } from "../support/chromium.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const TABS: readonly (readonly [path: string, tab: string])[] = [
  ["/wallet", "balances"],
  ["/wallet", "deposit"],
  ["/wallet", "withdraw"],
  ["/wallet", "history"],
  ["/wallet", "ledger"],
  ["/wallet", "pnl"],
  ["/account", "security"],
  ["/account", "keys"],
  ["/account", "activity"],
  ["/account", "limits"],
];
/** Buttons that open dialogs, by where they are. */
const DIALOGS: readonly (readonly [place: string, button: string])[] = [
  ["/wallet?tab=withdraw", "Add an address"],
  ["/account?tab=keys", "Make a key"],
];
const PHONE = { width: 360, height: 780 };
const SCREEN = { width: 1680, height: 1050 };

async function looks(page: Page, name: string): Promise<string[]> {
  const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  return [
    ...await seriousViolations(page),
    ...(tooWide > 0 ? [`${tooWide} px too wide`] : []),
  ].map((fault) => `${name}: ${fault}`);
}

describe("what members see", () => {
  it("can be used by everybody on every tab, in both themes", () =>
    withPages(async ({ browser, url, as }) => {
      await as("alice").must(201, "POST", "/backend/account/faucet", {
        currency: "btc",
        amount: "0.5",
      });
      const page = await browser.open(`${url}/wallet`);
      await signInBeside(page, "alice");
      const found: string[] = [];
      for (const [path, tab] of TABS) {
        await page.goto(`${url}${path}?tab=${tab}`);
        await page.locator("[role=tabpanel] .sheet").first().waitFor();
        await page.waitForLoadState("networkidle");
        for (const theme of THEMES) {
          await page.emulateMedia({ colorScheme: theme });
          await page.setViewportSize(theme === "dark" ? PHONE : SCREEN);
          found.push(...await looks(page, `${theme} ${tab}`));
        }
      }
      assertEquals(found, []);
    }));

  it("begins at its top on a phone, however far down its tabs are", () =>
    withPages(async ({ browser, url }) => {
      const page = await browser.open(`${url}/wallet`, PHONE);
      await signInBeside(page, "alice");
      await page.goto(`${url}/`);
      await page.getByRole("tab", { name: "Open orders" }).waitFor();
      await page.getByText("No open orders.").waitFor();
      assertEquals(await page.evaluate("scrollY"), 0);
    }));

  it("has dialogs that take the focus, keep it, and give it back", () =>
    withPages(async ({ browser, url }) => {
      const page = await browser.open(`${url}/wallet`, { theme: "dark" });
      await signInBeside(page, "alice");
      for (const [place, button] of DIALOGS) {
        await page.goto(`${url}${place}`);
        await page.getByRole("button", { name: button }).click();
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        assertEquals(await looks(page, button), []);
        assertEquals(await dialog.locator(":focus").count(), 1);
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await page.locator("main :focus").waitFor();
        assertEquals(await page.locator("main :focus").textContent(), button);
      }
    }));
});
