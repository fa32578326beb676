/** A coin on two networks, by an operator's clicks: what is entered and paid says by which. */
import { assertEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { Authenticator } from "../support/authenticator.ts";
import { makeDollars } from "../support/dollars.ts";
import { eventually } from "../support/eventually.ts";
import type { SignedClient } from "../support/http_clients.ts";
import { askForMuch } from "../support/lived_in.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const BOB = "IDB0B0000001";

/** Fills in what a button opens, by label. */
async function fill(dialog: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog.getByLabel(label, { exact: true });
    const isChoice = await field.evaluate((element) => element.tagName === "SELECT");
    await (isChoice ? field.selectOption(value) : field.fill(value));
  }
}

/** Opens an act, sees that it waits for a network, and chooses the second. */
async function open(
  page: Page,
  word: string,
  fields: Readonly<Record<string, string>>,
): Promise<Locator> {
  await page.getByRole("main").getByRole("button", { name: word }).click();
  const dialog = page.getByRole("dialog").first();
  await fill(dialog, { ...fields, Currency: "btc" });
  const network = dialog.getByLabel("Network", { exact: true });
  const send = dialog.getByRole("button", { name: word, exact: true });
  assertEquals(await send.isDisabled(), false, word);
  assertEquals(await network.count(), 0, "bitcoin has no choice");
  await fill(dialog, { Currency: "usdx" });
  assertEquals(await network.inputValue(), "");
  assertEquals(await send.isDisabled(), true, `${word} waits for a network`);
  await network.selectOption("sepolia");
  assertEquals(await send.isDisabled(), false, word);
  return dialog;
}

/** A payout that can't be made stands among the wallets, with why, whatever the rail is. */
async function tellsWhatWaits(
  page: Page,
  url: string,
  alice: SignedClient,
  operator: SignedClient,
): Promise<void> {
  const rule = { currency: "btc", address: "*", outcome: "hide" };
  await operator.must(200, "POST", "/admin/sandbox/payouts", rule);
  const id = await askForMuch(alice, operator, new Authenticator(DEMO_OTP_SECRET), "a wallet");
  const path = `/admin/withdraws/${id}/approve`;
  await operator.must(200, "POST", path, { reason: "alice was called" });
  await page.goto(`${url}/operate#wallets`);
  await page.getByText(/^The wallet's rail is “sandbox”/).waitFor();
  for (const name of ["Payouts that wait", "Notices of the wallet"]) {
    const row = page.getByRole("table", { name }).getByRole("row")
      .filter({ hasText: "cannot be looked up" });
    await row.locator(`a[href="#withdrawals/${id}"]`).waitFor();
  }
}

describe("the operators' networks", () => {
  it("are chosen for a deposit that is entered, and in the sandbox, and told where they are closed", () =>
    withPages(async ({ browser, url, as }) => {
      const [operator, bob] = [as("operator"), as("bob")];
      await makeDollars(operator);
      browser.expect(/status of 403 .*\/admin\/deposits/);
      const app = new Authenticator(DEMO_OTP_SECRET);
      const page = await browser.open(`${url}/operate`);
      await signInBeside(page, "operator", { app });
      await page.goto(`${url}/operate#deposits`);
      const word = "Enter a deposit";
      const entering = await open(page, word, {
        "Uid": BOB,
        "Amount received, with the fee": "5",
        "Transaction": "0xfeed",
        "Reason": "seen on the chain",
      });
      await entering.getByRole("button", { name: word, exact: true }).click();
      const asking = page.getByRole("dialog", { name: "Confirm with a code" });
      const done = page.getByText(/^Done: /);
      await asking.or(done).first().waitFor();
      if (await asking.isVisible()) {
        await asking.getByLabel("Code of your authenticator").fill(await app.code());
        await asking.getByRole("button", { name: "Confirm" }).click();
      }
      await eventually("the deposit", async () => {
        const [deposit] = await operator.must(200, "GET", "/admin/deposits?currency=usdx");
        return deposit?.network === "sepolia" && deposit.txid === "0xfeed";
      });

      await page.goto(`${url}/operate#outbox`);
      const pay = "Pay a member";
      const paying = await open(page, pay, { Uid: BOB, Amount: "7" });
      await paying.getByRole("button", { name: pay, exact: true }).click();
      await eventually("the payment", async () => {
        const all = await bob.must(200, "GET", "/backend/account/deposits?currency=usdx");
        return all.some((one: { amount: string; network: string }) =>
          one.amount === "7.0" && one.network === "sepolia"
        );
      });

      const stop = { deposit_enabled: false, reason: "its node is replaced" };
      await operator.must(200, "PATCH", "/admin/currencies/usdx/networks/sepolia", stop);
      await page.goto(`${url}/operate`);
      await page.getByText("USDX (sepolia)").waitFor();
      await tellsWhatWaits(page, url, as("alice"), operator);
    }));
});
