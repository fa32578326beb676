/** The wallet where the answer to a withdrawal is lost. */
import type { Page } from "playwright-core";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { Authenticator } from "../support/authenticator.ts";
import { eventually } from "../support/eventually.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const WIDE = { width: 1680, height: 1050 };
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
/** What somebody on the way answers, who knows nothing of the venue. */
const LOST = { status: 504, contentType: "text/html", body: "<h1>Gateway timeout</h1>" };

interface Sent {
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** Has what a page posts to a path answered on the way; returns what was sent. */
async function losing(page: Page, path: RegExp): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  await page.route(path, async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return await route.continue();
    sent.push({ body: request.postData() ?? "", headers: await request.allHeaders() });
    return await route.fulfill(LOST);
  });
  return sent;
}

/** The try that hung on the way arrives at last; returns its status. */
async function arrive(url: string, path: string, { body, headers }: Sent): Promise<number> {
  const kept = ["content-type", "cookie", "x-csrf-token", "origin"];
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    body,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => kept.includes(name))),
  });
  await answer.body?.cancel();
  return answer.status;
}

describe("a withdrawal whose answer is lost", () => {
  it("keeps the page from asking for another until its code has ended", () =>
    withPages(async ({ browser, url, as }) => {
      browser.expect(/status of 504/);
      const page = await browser.open(`${url}/wallet?tab=withdraw`, WIDE);
      const app = new Authenticator(DEMO_OTP_SECRET);
      await signInBeside(page, "alice", { app });
      const alice = as("alice");
      const beneficiary = { currency: "btc", name: "cold", data: { address: ADDRESS } };
      const { id } = await alice.must(201, "POST", "/backend/account/beneficiaries", beneficiary);
      const pin = await eventually("a pin", async () => {
        const all: { kind: string; code: string }[] = await as("operator").must(
          200,
          "GET",
          "/admin/outbox",
        );
        return all.find(({ kind }) => kind === "beneficiary_pin")?.code;
      });
      const confirmed = { pin: Number(pin) };
      await alice.must(200, "PATCH", `/backend/account/beneficiaries/${id}/activate`, confirmed);
      await page.reload();
      const path = "/api/v2/backend/account/withdraws";
      const sent = await losing(page, /account\/withdraws$/);
      const view = page.getByRole("tabpanel");
      await view.getByLabel("Currency", { exact: true }).selectOption("btc");
      await view.getByLabel("Amount of BTC").fill("0.1");
      await view.getByLabel("Code of the authenticator").fill(await app.code());
      const button = view.getByRole("button", { name: "Withdraw now" });
      await button.click();
      await view.getByText(/^Nobody knows yet whether the last withdrawal/).waitFor();
      assert(await button.isDisabled());
      await view.getByLabel("Code of the authenticator").fill("123456");
      assert(await button.isDisabled());
      await page.reload();
      await view.getByText(/^Nobody knows yet whether the last withdrawal/).waitFor();
      assertEquals(sent.length, 1);
      assertEquals(await arrive(url, path, sent[0] as Sent), 201);
      const rows = view.getByRole("table", { name: "Recent withdrawals" }).getByRole("row");
      await rows.filter({ hasText: "0.1 BTC" }).waitFor();
    }));
});
