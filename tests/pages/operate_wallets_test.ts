/** Coins on networks as operators see them: chains beside the ledger, and what is stopped. */
import type { Locator, Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { amountParts, digitsOf, statementOf } from "../../src/pages/operate/wallets/statement.ts";
import { payoutNotice } from "../../src/pages/operate/watch/payout_notice.ts";
import { networkRows } from "../../src/pages/operate/wallets/network_rows.ts";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { AnvilNode, NO_ANVIL } from "../support/anvil_node.ts";
import { Authenticator } from "../support/authenticator.ts";
import { seriousViolations } from "../support/axe.ts";
import { THEMES } from "../support/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { itUnless } from "../support/unless.ts";
import { type ServedPages, signInBeside, withPages } from "../support/with_pages.ts";

const COLD = "0x52908400098527886E0F7030069857D2E4169EE7";
/** Where alice withdraws to. */
const PAYEE = "0xde709f2102306220921060314715629080e2fb77";
/** The wallet's own coins in wei, for fees. */
const OWN = 200_000_000_000_000_000n;
/** A payment in wei: what is behind its sixteenth digit the ledger can't have. */
const PAID = 1_500_000_000_000_000_042n;
/** More blocks than make one final. */
const DEEP = 15;

/** Has the wallet and alice be paid; what is not final yet is not swept. */
async function pay({ as }: ServedPages, node: AnvilNode): Promise<void> {
  const ether = { id: "ether", name: "Ether", network: "anvil", min_confirmations: 2 };
  // With a price, what is withdrawn needs no approval.
  const asked = { ...ether, price: "2000" };
  await as("operator").must(201, "POST", "/admin/currencies", asked);
  let to = "";
  await eventually("an address", async () => {
    const told = await as("alice").must(200, "GET", "/backend/account/deposit_address/ether");
    to = told.address ?? "";
    return to !== "";
  });
  const [{ networks: [wallet] }] = await as("operator").must(200, "GET", "/admin/wallets");
  await node.send({ to: wallet.address, value: OWN });
  await node.send({ to, value: PAID });
  await node.mine(2);
  await eventually("the deposit", async () => {
    const balance = await as("alice").must(200, "GET", "/backend/account/balances/ether");
    return balance.balance === "1.5";
  });
}

/** Returns a line of the statement of ether, as it is read. */
async function lineOf(main: Locator, name: string): Promise<string> {
  const row = main.getByRole("table", { name: "ETHER" }).getByRole("row").filter({ hasText: name });
  return await row.getByRole("cell").last().innerText();
}

/** Has alice withdraw more than the wallet's own address holds; returns the withdrawal's id. */
async function withdraw({ as }: ServedPages, app: Authenticator): Promise<number> {
  const [alice, operator] = [as("alice"), as("operator")];
  const { id: beneficiary } = await alice.must(201, "POST", "/backend/account/beneficiaries", {
    currency: "ether",
    name: "a wallet",
    data: { address: PAYEE },
  });
  const messages = await operator.must(200, "GET", "/admin/outbox");
  const { code: pin } = messages.find(({ kind }: { kind: string }) => kind === "beneficiary_pin");
  await alice.must(200, "PATCH", `/backend/account/beneficiaries/${beneficiary}/activate`, { pin });
  const asked = { currency: "ether", amount: "0.5", beneficiary_id: beneficiary };
  const otp = await app.code();
  return (await alice.must(201, "POST", "/backend/account/withdraws", { ...asked, otp })).id;
}

/** A payout that waits is told wherever an operator looks, with why; then it is given up. */
async function tellOfPayout(pages: ServedPages, page: Page, app: Authenticator): Promise<void> {
  const { url } = pages;
  const id = await withdraw(pages, app);
  const main = page.getByRole("main");
  await page.goto(`${url}/operate#withdrawals`);
  await main.getByText(/^A payout waits for coins, or for its network/).waitFor();
  await main.getByText("No other withdrawal waits for us.").waitFor();
  await page.getByRole("link", { name: /^Wallets/ }).getByText("1 waiting").waitFor();
  await page.goto(`${url}/operate#overview`);
  await main.getByRole("link", { name: /^A payout waits for coins/ }).waitFor();
  await main.getByText("All read and pay").waitFor();
  await page.goto(`${url}/operate#withdrawals/${id}`);
  await main.getByText("The payout waits, and is tried again by itself.").waitFor();
  await main.getByText(/^The wallet holds too little: send 0\.\d+ ether to 0x/).waitFor();
  assertEquals(await faultsOf(page), []);
  await main.getByRole("link", { name: "To the wallets" }).click();
  await main.getByRole("row").filter({ hasText: "too little" }).first().waitFor();
  assertEquals(await faultsOf(page), []);
  await eventually("the end of its claim", async () => {
    const answer = await pages.as("operator")
      .call("POST", `/admin/withdraws/${id}/fail`, { reason: "alice has changed her mind" });
    return answer.status === 200;
  });
}

/** Returns the tables and dialogs of which a part is out of sight to the right. */
function scrolling(page: Page): Promise<string[]> {
  return page.locator(".scroll, dialog").evaluateAll((all) =>
    all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map((one) => `${one.tagName} ${one.getAttribute("aria-label")} scrolls`)
  );
}

/** Returns what is wrong with the page, on a screen and on a phone. */
async function faultsOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: theme === "dark" ? 360 : 1280, height: 800 });
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    found.push(...await seriousViolations(page), ...(wide > 0 ? [`${wide} px too wide`] : []));
    found.push(...await scrolling(page));
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  return found;
}

/** Resumes the network by the dialog, which refuses a block that was never read. */
async function resume(page: Page, app: Authenticator): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: /^Resume/ }).click();
  const dialog = page.getByRole("dialog", { name: "Resume anvil" });
  assertEquals(await scrolling(page), []);
  const height = dialog.getByLabel("Read anew behind block");
  const send = dialog.getByRole("button", { name: "Resume", exact: true });
  await dialog.getByLabel("Reason").fill("no deposit is gone");
  await height.fill("999");
  await send.click();
  const asking = page.getByRole("dialog", { name: "Confirm with a code" });
  const refused = dialog.getByText(/^So far nothing was read/);
  await asking.or(refused).first().waitFor();
  if (await asking.isVisible()) {
    await asking.getByLabel("Code of your authenticator").fill(await app.code());
    await asking.getByRole("button", { name: "Confirm" }).click();
  }
  await refused.waitFor();
  await height.fill("10");
  await dialog.getByText(/^anvil is read anew from the block after 10 on/).waitFor();
  await send.click();
  await dialog.waitFor({ state: "hidden" });
}

/** Shows the currencies; returns the row of ether. */
async function currency(page: Page, url: string): Promise<Locator> {
  await page.goto(`${url}/operate#currencies`);
  return page.getByRole("table", { name: "Currencies" }).getByRole("row")
    .filter({ hasText: "ETHER" });
}

/** Changes ether's terms on the network, and reads of it in the audit trail. */
async function changeTerms(page: Page, url: string): Promise<void> {
  const coin = await currency(page, url);
  const asked = { name: "Change: Change ETHER on anvil" };
  await coin.getByRole("button", asked).click();
  const dialog = page.getByRole("dialog", { name: "Change ETHER on anvil" });
  assertEquals(await dialog.getByLabel("Withdrawal fee").inputValue(), "");
  assertEquals(await scrolling(page), []);
  await dialog.getByLabel("Kept ready at most").fill("2.5");
  await dialog.getByLabel("Withdrawal fee").fill("0.01");
  await dialog.getByLabel("Deposits there").uncheck();
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  await coin.getByText("Deposits: stopped (anvil)").waitFor();
  await coin.getByText("anvil: fee 0.01, 2 confirmations. At most 2.5 kept ready.").waitFor();
  assertEquals(await faultsOf(page), []);
  await page.goto(`${url}/operate#audit`);
  const trail = page.getByRole("table", { name: "Audit trail" });
  await trail.getByText("anvil hot_limit: – → 2.5").waitFor();
  assertEquals(await trail.getByText(/[{}[\]"]/).count(), 0);
}

/** Asks for currencies that can't be: each is told why, at its field. */
async function refusedCurrencies(page: Page, url: string): Promise<void> {
  await currency(page, url);
  await page.getByRole("button", { name: "New currency" }).click();
  const dialog = page.getByRole("dialog", { name: "New currency" });
  const send = dialog.getByRole("button", { name: "New currency", exact: true });
  const network = dialog.getByLabel("Network", { exact: true });
  const known = await network.evaluate((field) =>
    [...(field as unknown as { list: { options: { value: string }[] } }).list.options]
      .map(({ value }) => value)
  );
  assertEquals(known, ["anvil"]);
  const faultAt = async (label: string, text: string) => {
    await send.click();
    await dialog.getByText(text).waitFor();
    const field = dialog.getByLabel(label, { exact: true });
    assertEquals(await field.getAttribute("aria-invalid"), "true", text);
  };
  await dialog.getByLabel("Code").fill("dollar");
  await network.fill("anvil");
  await dialog.getByText("DOLLAR lives on anvil, as its own coin. That never changes.").waitFor();
  await faultAt(
    "Network",
    "The currency is there already, or another currency is this coin there.",
  );
  await dialog.getByLabel("Contract").fill(COLD);
  await dialog.getByText(`DOLLAR lives on anvil, by the contract ${COLD}.`).waitFor();
  await faultAt("Digits on the network", "A token needs the digits that its contract has.");
  await dialog.getByLabel("Digits on the network").fill("6");
  await faultAt("Contract", "There is no token's contract at this address there.");
  await network.fill("anwil");
  await faultAt("Network", "The venue knows no such network, or the currency is no coin.");
}

describe("the operators' wallets", () => {
  itUnless(NO_ANVIL)(
    "are beside the ledger, and a stopped network is resumed by clicks",
    async () => {
      await using node = await AnvilNode.start();
      await withPages(async (pages) => {
        const { browser, url } = pages;
        browser.expect(/status of (?:403|422) .*\/resume/);
        browser.expect(/status of 422 .*\/currencies/);
        await pay(pages, node);
        const app = new Authenticator(DEMO_OTP_SECRET);
        const page = await browser.open(`${url}/operate`, { width: 1280 });
        await signInBeside(page, "operator", { app });
        await page.goto(`${url}/operate#wallets`);
        const main = page.getByRole("main");
        await main.getByText("reads and pays").waitFor();
        await main.getByText("Covers what members have").waitFor();
        const network = main.getByRole("listitem").filter({ hasText: "anvil" });
        await network.getByText(COLD).waitFor();
        assertEquals(await network.getByRole("button", { name: /^Copy/ }).count(), 2);
        assertEquals(await lineOf(main, "Chains hold"), "1.700000000000000042");
        assertEquals(await lineOf(main, "Owed to members: available"), "−1.500000000000000000");
        assertEquals(await lineOf(main, "Difference"), "0.200000000000000042");
        assertEquals(await main.getByRole("button", { name: /^Resume/ }).count(), 0);
        await tellOfPayout(pages, page, app);

        await node.mine(2 * DEEP);
        const height = String(await node.height());
        await network.getByText(height, { exact: true }).waitFor();
        await node.reorganise(DEEP);
        await node.mine();
        await main.getByText("stopped, final blocks were replaced").first().waitFor();
        // Reloaded, it waits for no turn to ask the nodes.
        await page.reload();
        await main.getByText("Can't be told now").waitFor();
        assertEquals(await faultsOf(page), []);
        await network.getByText(/^Block \d+ \(0x[0-9a-f]{64}\) counted as final/).waitFor();
        await page.goto(`${url}/operate#overview`);
        await main.getByRole("link", { name: "anvil", exact: true }).waitFor();
        const coin = await currency(page, url);
        await coin.getByText("Deposits: stopped (anvil)").waitFor();
        await coin.getByText("Withdrawals: stopped (anvil)").waitFor();
        await coin.getByRole("link", { name: "anvil: stopped, final blocks were replaced" })
          .click();
        await resume(page, app);
        await main.getByText("reads and pays").waitFor();
        await page.reload();
        await main.getByText("Covers what members have").waitFor();
        await changeTerms(page, url);
        const terms = { hot_limit: "2.5", withdraw_fee: "0.01", deposit_enabled: false };
        const coins = await pages.as("operator").must(200, "GET", "/admin/currencies");
        const ether = coins.find(({ id }: { id: string }) => id === "ether");
        assertEquals(ether.networks[0], { ...ether.networks[0], ...terms });
        await refusedCurrencies(page, url);
      }, {
        WALLET_RAIL: "networks",
        WALLET_SEED: "5e".repeat(32),
        WALLET_NODES: `anvil=${node.url}`,
        WALLET_COLD: `anvil=${COLD}`,
      });
    },
  );

  it("are told to the last unit, and not at all where a network can't tell", () => {
    const there = { address: null, cold_address: null, fee: null, rests: null, height: 7 } as const;
    const wallet = {
      currency: "ether",
      networks: [
        { ...there, network: "anvil", fault: null, hot: "2.0", deposits: "0.5", cold: null },
        { ...there, network: "sepolia", fault: null, hot: "0.0", deposits: "0.0", cold: "7.25" },
      ],
      chain: "9.75",
      in_flight: { deposits: "0.5", paid: "0.000000000000000042", sent: "0.0" },
      free: "9.0",
      locked: "0.0",
      fees: "0.0",
      difference: "0.250000000000000042",
    };
    const lines = statementOf(wallet);
    assertEquals(lines.map(({ name, network, amount }) => [name, network, amount]), [
      ["hot", "anvil", "2.0"],
      ["deposits", "anvil", "0.5"],
      ["hot", "sepolia", "0.0"],
      ["deposits", "sepolia", "0.0"],
      ["coldHeld", "sepolia", "7.25"],
      ["chain", null, "9.75"],
      ["inFlight", null, "-0.5"],
      ["paid", null, "0.000000000000000042"],
      ["free", null, "-9"],
      ["locked", null, "0"],
      ["difference", null, "0.250000000000000042"],
    ]);
    assertEquals(digitsOf(lines), 18);
    assertEquals(amountParts("-1234.5", 18), ["−1\u202f234.50000000", "0000000000"]);
    assertEquals(amountParts("1.5", 2), ["1.50", ""]);
    const silent = { ...wallet, in_flight: null, chain: null, difference: null };
    assertEquals(statementOf(silent).filter(({ amount }) => amount === null).length, 4);
  });

  it("tell why a payout is not made by what was told of it in its state", () => {
    const at = { currency: "btc", network: null, txid: null, created_at: "2026-12-01T00:00:00Z" };
    const notices =
      (["payout_unbooked", "payout_parked", "payout_missing", "payout_waits"] as const)
        .map((kind) => ({ ...at, kind, id: 7, reason: kind }));
    const told = (
      ["accepted", "processing", "confirming", "errored", "skipped"] as const
    ).map((state) => payoutNotice({ id: 7, state }, notices)?.reason);
    assertEquals(told, [
      "payout_waits",
      "payout_waits",
      "payout_missing",
      "payout_parked",
      "payout_parked",
    ]);
    assertEquals(payoutNotice({ id: 7, state: "processing" }, notices.slice(0, 3)), undefined);
    assertEquals(payoutNotice({ id: 8, state: "errored" }, notices), undefined);
  });

  it("tell of each network that has a node here, or a currency", () => {
    const holding = { address: null, cold_address: null, hot: null, deposits: null, cold: null };
    const none = { ...holding, fee: null, rests: null, height: null };
    const replaced = { height: 3, hash: "0f", depth: 2, kept: 1 };
    const rows = networkRows([
      { network: "anvil", height: 7, fault: null },
      { network: "bitcoin", height: 5, fault: "reorganised", replaced },
    ], [{
      currency: "usdx",
      networks: [
        { ...none, network: "anvil", fault: "other_coin" },
        { ...none, network: "sepolia", fault: "no_node" },
      ],
      chain: null,
      in_flight: null,
      free: "0.0",
      locked: "0.0",
      fees: "0.0",
      difference: null,
    }]);
    assertEquals(rows.map(({ network, height, fault, coins }) => [network, height, fault, coins]), [
      ["anvil", 7, null, ["USDX"]],
      ["bitcoin", 5, "reorganised", []],
      ["sepolia", null, "no_node", ["USDX"]],
    ]);
    assertEquals(rows.map((row) => row.replaced), [null, replaced, null]);
  });
});
