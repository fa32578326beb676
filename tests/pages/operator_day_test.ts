/** An operator's day, by clicks: members, money, markets, and the trail of it. */
import type { Locator, Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { Authenticator } from "../support/authenticator.ts";
import { seriousViolations } from "../support/axe.ts";
import { eventually } from "../support/eventually.ts";
import type { SignedClient } from "../support/http_clients.ts";
import { askForMuch } from "../support/lived_in.ts";
import { TradePage } from "../support/trade_page.ts";
import { withPages } from "../support/with_pages.ts";

const BOB = "IDB0B0000001";
/** Longer than it takes from one dialog to the next, in ms. */
const DIALOGS_MS = 400;
const WIDE = { width: 1680, height: 1050 };

/** An operator at the page. */
class Operator {
  readonly #app: Authenticator;
  readonly #page: Page;

  constructor(page: Page, app: Authenticator) {
    this.#page = page;
    this.#app = app;
  }

  async signIn(): Promise<void> {
    const page = this.#page;
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Email address").fill("operator@demo.invalid");
    await page.getByLabel("Password", { exact: true }).fill("Demo-operator-1");
    const form = page.getByRole("form", { name: "Sign in" });
    await form.getByRole("button", { name: "Sign in" }).click();
    await form.getByLabel("One-time code").fill(await this.#app.code());
    await form.getByRole("button", { name: "Sign in" }).click();
    await this.view("Overview");
  }

  /** Opens a view from the list. */
  async view(name: string): Promise<Locator> {
    const list = this.#page.getByRole("navigation", { name: "Operate" });
    await list.getByRole("link", { name: new RegExp(`^${name}`) }).click();
    await this.#page.getByRole("heading", { level: 1, name }).waitFor();
    return this.#page.getByRole("main");
  }

  /** Opens the record of a member. */
  async record(email: string): Promise<Locator> {
    const view = await this.view("Members");
    await view.getByRole("searchbox", { name: "Uid or whole email address" }).fill(email);
    await view.getByRole("button", { name: "Find" }).click();
    await view.getByRole("table", { name: "Members" }).getByRole("link", { name: email }).click();
    await view.getByRole("heading", { level: 2, name: email }).waitFor();
    return view;
  }

  /** Fills in and confirms what a button opens; gives a fresh code where that is asked for. */
  async act(
    button: Locator,
    { word, fields = {}, reason }: {
      readonly word: string;
      readonly fields?: Readonly<Record<string, string>>;
      readonly reason: string;
    },
  ): Promise<void> {
    const page = this.#page;
    await button.click();
    const dialog = page.getByRole("dialog").first();
    for (const [label, value] of Object.entries(fields)) {
      const field = dialog.getByLabel(label, { exact: true });
      const isChoice = await field.evaluate((element) => element.tagName === "SELECT");
      await (isChoice ? field.selectOption(value) : field.fill(value));
    }
    await dialog.getByLabel(/^Reason/).fill(reason);
    assertEquals(await seriousViolations(page), []);
    await dialog.getByRole("button", { name: word, exact: true }).click();
    const asking = page.getByRole("dialog", { name: "Confirm with a code" });
    const result = dialog.getByText(/^Done\. /);
    let isCodeGiven = false;
    await eventually("an act done", async () => {
      if (await asking.isVisible()) {
        if (isCodeGiven) return false;
        isCodeGiven = true;
        await asking.getByLabel("Code of your authenticator").fill(await this.#app.code());
        await asking.getByRole("button", { name: "Confirm" }).click();
        return false;
      }
      if (await result.isVisible()) {
        await dialog.getByRole("button", { name: "Close" }).last().click();
      }
      // One dialog may be gone before the next is there.
      const isClosed = async () => await page.getByRole("dialog").count() === 0;
      if (!await isClosed()) return false;
      await page.waitForTimeout(DIALOGS_MS);
      return await isClosed();
    });
  }
}

async function decideOnMoney(
  operator: Operator,
  alice: SignedClient,
  key: SignedClient,
): Promise<void> {
  const app = new Authenticator(DEMO_OTP_SECRET);
  const id = await askForMuch(alice, key, app, "cold wallet");
  const view = await operator.view("Withdrawals");
  const row = view.getByRole("table", { name: "Withdrawals" }).getByRole("row")
    .filter({ hasText: "waits for approval" });
  await operator.act(row.getByRole("button", { name: /^Approve/ }), {
    word: "Approve",
    reason: "alice was called",
  });
  await eventually("the withdrawal paid", async () => {
    const [withdraw] = await alice.must(200, "GET", "/backend/account/withdraws");
    return withdraw.id === id && withdraw.state === "succeed";
  });
}

async function changeMember(
  operator: Operator,
  bob: SignedClient,
  key: SignedClient,
): Promise<void> {
  const record = await operator.record("bob@demo.invalid");
  await operator.act(record.getByRole("button", { name: /^Change bob|^Change: Change bob/ }), {
    word: "Change",
    fields: { Level: "2" },
    reason: "papers have expired",
  });
  assertEquals((await key.must(200, "GET", `/admin/members/${BOB}`)).level, 2);
  const before = await bob.must(200, "GET", "/backend/account/balances/usdt");
  await operator.act(record.getByRole("button", { name: /^Adjust a balance/ }), {
    word: "Adjust a balance",
    fields: { Currency: "usdt", Amount: "12.5" },
    reason: "a fee is given back",
  });
  const after = await bob.must(200, "GET", "/backend/account/balances/usdt");
  assertEquals(Number(after.balance) - Number(before.balance), 12.5);
}

async function haltMarket(operator: Operator, stranger: TradePage): Promise<void> {
  const view = await operator.view("Markets");
  const row = view.getByRole("table", { name: "Markets" }).getByRole("row")
    .filter({ hasText: "BTC/USDT" });
  await operator.act(row.getByRole("button", { name: /^Halt/ }), {
    word: "Halt",
    reason: "a strange price",
  });
  await stranger.page.getByText("Halted", { exact: true }).first().waitFor();
  await operator.act(row.getByRole("button", { name: /^Open/ }), {
    word: "Open",
    reason: "the price was right",
  });
  await stranger.page.getByText("Halted", { exact: true }).first().waitFor({ state: "hidden" });
}

describe("an operator", () => {
  it("approves, changes a level, adjusts, halts, and leaves a trail, all by clicks", () =>
    withPages(async ({ browser, url, as }) => {
      // Signing in and acts that need a fresh code are refused at first.
      browser.expect(/the server responded with a status of 40[13]/);
      const page = await browser.open(`${url}/operate`, WIDE);
      const operator = new Operator(page, new Authenticator(DEMO_OTP_SECRET));
      await operator.signIn();
      await decideOnMoney(operator, as("alice"), as("operator"));
      await changeMember(operator, as("bob"), as("operator"));
      const stranger = new TradePage(await browser.open(`${url}/trade/btcusdt`, WIDE));
      await stranger.live();
      await haltMarket(operator, stranger);
      const trail = await operator.view("Audit trail");
      const rows = trail.getByRole("table", { name: "Audit trail" }).getByRole("row");
      for (
        const reason of [
          "alice was called",
          "papers have expired",
          "a fee is given back",
          "a strange price",
          "the price was right",
        ]
      ) {
        const row = rows.filter({ hasText: reason });
        await row.getByText("operator@demo.invalid").waitFor();
      }
    }));
});
