/** A coin on two networks, by clicks: where it comes in, and where it goes. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { makeDollars } from "../support/dollars.ts";
import { eventually } from "../support/eventually.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

describe("the wallet's networks", () => {
  it("are chosen for an address and for where money goes", () =>
    withPages(async ({ browser, url, as }) => {
      const [alice, operator] = [as("alice"), as("operator")];
      await makeDollars(operator);
      const page = await browser.open(`${url}/wallet`);
      await signInBeside(page, "alice");
      await page.goto(`${url}/wallet?tab=deposit&currency=usdx`);
      const view = page.getByRole("tabpanel");
      const shown = async (network: string) => {
        await view.getByText(`Send by the network ${network} alone`).waitFor();
        return await view.locator(".address code").innerText();
      };
      const first = await shown("anvil");
      await view.getByLabel("Network").selectOption("sepolia");
      const second = await shown("sepolia");
      assertNotEquals(first, second);
      const asked = "/backend/account/deposit_address/usdx?network=sepolia";
      assertEquals((await alice.must(200, "GET", asked)).address, second);

      await view.getByLabel("Amount of USDX from the faucet").fill("3");
      await view.getByRole("button", { name: "Get coins" }).click();
      const given = view.getByRole("table", { name: "Recent deposits" }).getByRole("row");
      await given.filter({ hasText: "3.000000 USDX" }).getByText("sepolia").waitFor();

      await page.goto(`${url}/wallet?tab=withdraw&currency=usdx`);
      await view.getByRole("button", { name: "Add an address" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Far away");
      await dialog.getByLabel("Network").selectOption("sepolia");
      await dialog.getByRole("textbox", { name: "Address", exact: true }).fill(
        ADDRESS.toLowerCase(),
      );
      await dialog.getByRole("button", { name: "Add", exact: true }).click();
      const pin = await eventually("a pin", async () => {
        const sent: { kind: string; code: string }[] = await operator.must(
          200,
          "GET",
          "/admin/outbox",
        );
        return sent.find(({ kind }) => kind === "beneficiary_pin")?.code;
      });
      const [made] = await alice.must(200, "GET", "/backend/account/beneficiaries?currency=usdx");
      assertEquals([made.network, made.data], ["sepolia", { address: ADDRESS }]);
      const path = `/backend/account/beneficiaries/${made.id}/activate`;
      await alice.must(200, "PATCH", path, { pin: Number(pin) });

      await page.goto(`${url}/wallet?tab=withdraw&currency=usdx`);
      await view.getByLabel("To").filter({ hasText: "Far away – sepolia" }).waitFor();
      await view.getByText("2 USDX", { exact: true }).waitFor();
      const row = view.getByRole("table", { name: "Addresses" }).getByRole("row")
        .filter({ hasText: "Far away" });
      await row.getByText("sepolia").waitFor();
      await page.goto(`${url}/wallet?tab=deposit&currency=btc`);
      await view.getByText("Your BTC address").waitFor();
      assertEquals(await view.getByLabel("Network").count(), 0, "there is no choice");
    }));

  it("are closed and opened while the page is open", () =>
    withPages(async ({ browser, url, as }) => {
      const [alice, operator] = [as("alice"), as("operator")];
      await makeDollars(operator);
      for (const network of ["anvil", "sepolia"]) {
        const path = `/backend/account/deposit_address/usdx?network=${network}`;
        await eventually("an address", async () => (await alice.must(200, "GET", path)).address);
      }
      const change = (path: string, isOpen: boolean) =>
        operator.must(200, "PATCH", `/admin/currencies/${path}`, { deposit_enabled: isOpen });
      const page = await browser.open(`${url}/wallet`);
      await signInBeside(page, "alice");
      await page.goto(`${url}/wallet?tab=deposit&currency=usdx&network=sepolia`);
      const view = page.getByRole("tabpanel");
      const address = view.getByText("Your USDX address");
      const closed = (what: string) => view.getByText(`Deposits ${what} are closed for now.`);
      await address.waitFor();
      for (
        const [path, what] of [
          ["usdx", "of this currency"],
          ["usdx/networks/sepolia", "by the network sepolia"],
        ] as const
      ) {
        await change(path, false);
        await closed(what).waitFor();
        if (path !== "usdx") {
          await view.getByLabel("Network").selectOption("anvil");
          await address.waitFor();
          await view.getByLabel("Network").selectOption("sepolia");
          await closed(what).waitFor();
        }
        await change(path, true);
        await address.waitFor();
      }
    }));

  it("have no faucet where coins are those of networks", () =>
    withPages(async ({ browser, url, as }) => {
      await makeDollars(as("operator"));
      const page = await browser.open(`${url}/wallet`);
      await signInBeside(page, "alice");
      await page.goto(`${url}/wallet?tab=deposit&currency=usdx`);
      const view = page.getByRole("tabpanel");
      await view.getByRole("heading", { name: "Recent deposits" }).waitFor();
      assertEquals(await view.getByRole("button", { name: "Get coins" }).count(), 0);
    }, {
      WALLET_RAIL: "networks",
      WALLET_NODES: "anvil=http://127.0.0.1:1",
      WALLET_SEED: "5a".repeat(32),
    }));
});
