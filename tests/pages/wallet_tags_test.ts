/** A coin whose members share an address, by clicks: one's own tag, and that of where money goes. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { eventually } from "../support/eventually.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

describe("the wallet's tags", () => {
  it("are shown with a warning, and asked for where money goes", () =>
    withPages(async ({ browser, url, as }) => {
      const [alice, operator] = [as("alice"), as("operator")];
      const tag = { name: "destination_tag", kind: "number" };
      await operator.must(201, "POST", "/admin/currencies", { id: "xrp", name: "XRP", tag });
      const page = await browser.open(`${url}/wallet`);
      await signInBeside(page, "alice");
      await page.goto(`${url}/wallet?tab=deposit&currency=xrp`);
      const view = page.getByRole("tabpanel");
      await view.getByText("all members share the address").waitFor();
      const shown = await view.locator(".address code").allInnerTexts();
      const own = await alice.must(200, "GET", "/backend/account/deposit_address/xrp");
      assertEquals(shown, [own.address, own.tag]);

      await page.goto(`${url}/wallet?tab=withdraw&currency=xrp`);
      await view.getByRole("button", { name: "Add an address" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Far away");
      await dialog.getByRole("textbox", { name: "Address", exact: true }).fill("rFarAway123456789");
      await dialog.getByLabel("Destination tag").fill("007");
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      const made = await eventually("an address", async () => {
        const all = await alice.must(200, "GET", "/backend/account/beneficiaries?currency=xrp");
        return all[0];
      });
      assertEquals(made.data, { address: "rFarAway123456789", destination_tag: "7" });
      await page.getByRole("dialog").getByText("rFarAway123456789 destination_tag=7").waitFor();

      await page.goto(`${url}/wallet?tab=deposit&currency=btc`);
      await view.getByText("Your BTC address").waitFor();
      assertEquals(await view.getByText("all members share the address").count(), 0);
    }));
});
