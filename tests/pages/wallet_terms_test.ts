/** What the wallet says of a coin with one network, by clicks, also on a phone. */
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { Authenticator } from "../support/authenticator.ts";
import { eventually } from "../support/eventually.ts";
import type { SignedClient } from "../support/http_clients.ts";
import { type ServedPages, signInBeside, withPages } from "../support/with_pages.ts";

const PHONE = { width: 360, height: 780 };
const ADDRESS = "rltc1q7706fcanltpsf5zdms4whhdjzcu299lcjrl096";
const NETWORK = "litecoin-regtest";

async function makeLitecoin(operator: SignedClient): Promise<void> {
  const litecoin = { id: "ltc", name: "Litecoin", price: "80", network: NETWORK };
  await operator.must(201, "POST", "/admin/currencies", { ...litecoin, min_confirmations: 2 });
}

/** Gives alice litecoin, and a confirmed address to send it to. */
async function giveLitecoin({ as }: ServedPages): Promise<void> {
  const [alice, operator] = [as("alice"), as("operator")];
  await makeLitecoin(operator);
  const { uid } = await alice.must(200, "GET", "/auth/resource/users/me");
  const given = { uid, currency: "ltc", amount: "5", reason: "for a test" };
  await operator.must(201, "POST", "/admin/adjustments", given);
  const asked = { currency: "ltc", name: "cold", data: { address: ADDRESS } };
  const { id } = await alice.must(201, "POST", "/backend/account/beneficiaries", asked);
  const pin = await eventually("a pin", async () => {
    const sent: { kind: string; code: string }[] = await operator.must(
      200,
      "GET",
      "/admin/outbox",
    );
    return sent.find(({ kind }) => kind === "beneficiary_pin")?.code;
  });
  const path = `/backend/account/beneficiaries/${id}/activate`;
  await alice.must(200, "PATCH", path, { pin: Number(pin) });
}

/** Has the answers to withdrawals wait on their way to a page. */
async function holdAnswers(page: Page): Promise<PromiseWithResolvers<void>> {
  const held = Promise.withResolvers<void>();
  await page.route(/account\/withdraws$/, async (route) => {
    if (route.request().method() !== "POST") return await route.continue();
    const response = await route.fetch();
    await held.promise;
    await route.fulfill({ response });
  });
  return held;
}

describe("the terms of a coin", () => {
  it("name its only network where it comes in, and say nothing where it can't", () =>
    withPages(async ({ browser, url, as }) => {
      const operator = as("operator");
      await makeLitecoin(operator);
      const euro = { id: "eur", name: "Euro", type: "fiat", precision: 2 };
      await operator.must(201, "POST", "/admin/currencies", euro);
      const page = await browser.open(`${url}/wallet`, PHONE);
      await signInBeside(page, "alice");
      const view = page.getByRole("tabpanel");
      const open = (id: string) => page.goto(`${url}/wallet?tab=deposit&currency=${id}`);
      await open("ltc");
      await view.getByText("Confirmations needed").waitFor();
      assertEquals(await view.getByLabel("Network").innerText(), NETWORK);
      assertEquals(await view.getByText("Smallest deposit").count(), 0);
      await open("eur");
      await view.getByText("This currency has no deposit addresses").waitFor();
      for (const term of ["Confirmations needed", "Fee", "Smallest deposit"]) {
        assertEquals(await view.getByText(term, { exact: true }).count(), 0, term);
      }
      await operator.must(200, "PATCH", "/admin/currencies/ltc", { min_deposit_amount: "0.5" });
      await open("ltc");
      await view.getByText("Smallest deposit").waitFor();
      await view.getByText("0.5 LTC", { exact: true }).waitFor();
    }));

  it("name it where it goes out, on a phone as well, and where it is closed", () =>
    withPages(async (pages) => {
      const { browser, url, as } = pages;
      await giveLitecoin(pages);
      const page = await browser.open(`${url}/wallet`, PHONE);
      const app = new Authenticator(DEMO_OTP_SECRET);
      await signInBeside(page, "alice", { app });
      const held = await holdAnswers(page);
      await page.goto(`${url}/wallet?tab=withdraw&currency=ltc`);
      const view = page.getByRole("tabpanel");
      await view.getByLabel("To").filter({ hasText: `cold – ${NETWORK}` }).waitFor();
      assertEquals(await view.locator("dl dd").first().innerText(), NETWORK);
      assertEquals(await view.getByText("Smallest withdrawal").count(), 0);
      await view.getByLabel("Amount of LTC").fill("5");
      await view.getByLabel("Code of the authenticator").fill(await app.code());
      await view.getByRole("button", { name: "Withdraw now" }).click();
      // The streams are faster than the answer.
      await page.getByText(/^Withdrawal: 5 LTC/).waitFor();
      await page.waitForTimeout(500);
      assertEquals(await view.getByText("You don't have as much available.").count(), 0);
      held.resolve();
      await view.getByText("0 LTC available").waitFor();
      const row = view.getByRole("table", { name: "Recent withdrawals" }).getByRole("row")
        .filter({ hasText: "5 LTC" });
      for (const told of [row.getByTitle(ADDRESS), row.getByText(NETWORK)]) {
        await told.filter({ visible: true }).waitFor();
      }
      const [{ blockchain_txid: txid }] = await eventually("a txid", async () => {
        const [made] = await as("alice").must(200, "GET", "/backend/account/withdraws");
        return made.blockchain_txid === null ? undefined : [made];
      });
      await row.getByTitle(txid).filter({ visible: true }).waitFor();
      await view.getByRole("table", { name: "Addresses" }).getByText(NETWORK).waitFor();
      const path = `/admin/currencies/ltc/networks/${NETWORK}`;
      await as("operator").must(200, "PATCH", path, { withdrawal_enabled: false });
      await view.getByText(`Withdrawals by the network ${NETWORK} are closed for now.`).waitFor();
      await as("operator").must(200, "PATCH", "/admin/currencies/ltc", {
        withdrawal_enabled: false,
      });
      await view.getByText("Withdrawals of this currency are closed for now.").waitFor();
    }));
});
