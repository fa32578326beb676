/** Money on its way out, by clicks: checked as it is typed, above the limits, and taken back. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { eventually } from "../support/eventually.ts";
import { otpAt } from "../support/otp_at.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const STEP_MS = 30_000;
/** As HTML, either would run something. */
const HOSTILE = '<img src=x onerror="document.title=`gone`">';

describe("the wallet", () => {
  it("checks what is typed, sends what is above a limit to the operator, and takes it back", () =>
    withPages(async ({ browser, url, as }) => {
      const [alice, operator] = [as("alice"), as("operator")];
      const added = await alice.must(201, "POST", "/backend/account/beneficiaries", {
        currency: "btc",
        name: HOSTILE,
        data: { address: ADDRESS },
      });
      const pin = await eventually("a pin", async () => {
        const sent: { kind: string; code: string }[] = await operator.must(
          200,
          "GET",
          "/admin/outbox",
        );
        return sent.find(({ kind }) => kind === "beneficiary_pin")?.code;
      });
      const path = `/backend/account/beneficiaries/${added.id}/activate`;
      await alice.must(200, "PATCH", path, { pin: Number(pin) });
      const page = await browser.open(`${url}/wallet`);
      await signInBeside(page, "alice");
      await page.goto(`${url}/wallet?tab=withdraw&currency=btc`);
      const view = page.getByRole("tabpanel");
      const amount = view.getByLabel("Amount of BTC");
      for (
        const [typed, fault] of [
          ["1000", "You don't have as much available."],
          ["0.123456789", "At most 8 digits after the point."],
          ["0.00001", "At least 0.0001 BTC."],
          ["1,5", "Enter a number."],
        ] as const
      ) {
        await amount.fill(typed);
        await view.getByText(fault).waitFor();
        assertEquals(await amount.getAttribute("aria-invalid"), "true");
      }
      await amount.fill("10");
      await view.getByText("This is above a limit").waitFor();
      await view.getByLabel("Note, for yourself").fill(HOSTILE);
      await view.getByLabel("Code of the authenticator")
        .fill(otpAt(DEMO_OTP_SECRET, Date.now() + STEP_MS));
      await view.getByRole("button", { name: "Withdraw now" }).click();
      const row = view.getByRole("table", { name: "Recent withdrawals" }).getByRole("row")
        .filter({ hasText: "10 BTC" });
      await row.getByText("Waiting for approval").waitFor();
      await view.getByText("90 BTC available").waitFor();
      await row.getByRole("button", { name: /^Take back/ }).click();
      await row.getByText("Cancelled").waitFor();
      await view.getByText("100 BTC available").waitFor();
      const balance = await alice.must(200, "GET", "/backend/account/balances/btc");
      assertEquals(balance, { currency: "btc", balance: "100.0", locked: "0.0" });
      await page.getByRole("tab", { name: "History" }).click();
      await view.getByRole("cell", { name: HOSTILE }).waitFor();
      assertEquals(await page.title(), "Wallet · kvenue");
      assertEquals(await page.locator("main img").count(), 0);
    }));
});
