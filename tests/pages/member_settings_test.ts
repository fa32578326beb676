/** A member's own account, by clicks: keys, password, sessions, and what is forgotten. */
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { eventually } from "../support/eventually.ts";
import { SignedClient } from "../support/http_clients.ts";
import { otpAt } from "../support/otp_at.ts";
import { withPages } from "../support/with_pages.ts";

const EMAIL = "alice@demo.invalid";
const PASSWORD = "Demo-alice-1";
const OTHER_PASSWORD = "Correct-horse-7";
/** What Chromium notes of each call that is refused. */
const REFUSED = /status of (?:401|422)/;

const STEP_MS = 30_000;

/** How long before the end of a step the code of the one before is not used any more. */
const MARGIN_MS = 12_000;

/** Returns the second or third code of a test, which are good without a wait. */
function code(which: 2 | 3): string {
  return otpAt(DEMO_OTP_SECRET, Date.now() + (which - 2) * STEP_MS);
}

/** Returns the first one, of the step before, as long as that is good for a while. */
async function firstCode(): Promise<string> {
  const leftMs = STEP_MS - Date.now() % STEP_MS;
  if (leftMs < MARGIN_MS) await new Promise((resolve) => setTimeout(resolve, leftMs));
  return otpAt(DEMO_OTP_SECRET, Date.now() - STEP_MS);
}

async function signIn(
  page: Page,
  url: string,
  password: string,
  nextCode: () => string | Promise<string>,
): Promise<void> {
  await page.goto(`${url}/signin?to=%2Faccount`);
  await page.getByLabel("Email address").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  const field = page.getByLabel("One-time code");
  await field.waitFor();
  await field.fill(await nextCode());
  await page.keyboard.press("Enter");
  await page.waitForURL("**/account");
}

describe("a member's account", () => {
  it("has keys that are made, shown once, changed and deleted", () =>
    withPages(async ({ browser, url }) => {
      browser.expect(REFUSED);
      const page = await browser.open(url);
      await signIn(page, url, PASSWORD, firstCode);
      await page.getByRole("tab", { name: "API keys" }).click();
      await page.getByRole("button", { name: "Make a key" }).click();
      const making = page.getByRole("dialog", { name: "Make a key" });
      await making.getByLabel("Where it may be used").fill("127.0.0.1\nelsewhere");
      await making.getByText("“elsewhere” is no address.").waitFor();
      await making.getByLabel("Where it may be used").fill("127.0.0.1");
      await making.getByLabel("Trade").uncheck();
      await making.getByLabel("Code of the authenticator").fill(code(2));
      await making.getByLabel("Current password", { exact: true }).fill("wrong");
      await making.getByRole("button", { name: "Make the key" }).click();
      await making.getByText("This is not your password.").waitFor();
      await making.getByLabel("Current password", { exact: true }).fill(PASSWORD);
      await making.getByRole("button", { name: "Make the key" }).click();
      const made = page.getByRole("dialog", { name: "Your new key" });
      const kid = await made.getByLabel("Access key", { exact: true }).innerText();
      const secret = await made.getByLabel("Secret of the key", { exact: true }).innerText();
      // It stays until the secret is kept.
      await page.keyboard.press("Escape");
      await made.getByRole("button", { name: "I have kept the secret" }).click();
      await made.waitFor({ state: "detached" });
      assertEquals((await page.content()).includes(secret), false);
      const program = new SignedClient(url, kid, secret);
      await program.must(200, "GET", "/backend/account/balances");
      await program.fails(403, "authz.scope_not_permitted", "POST", "/trading/market/orders", {
        market: "btcusdt",
        side: "buy",
        type: "limit",
        price: "1",
        amount: "1",
      });
      await page.getByRole("button", { name: `Delete the key ${kid}` }).click();
      const deleting = page.getByRole("dialog");
      await deleting.getByLabel("Code of the authenticator").fill(code(3));
      await deleting.getByLabel("Current password", { exact: true }).fill(PASSWORD);
      await deleting.getByRole("button", { name: "Delete", exact: true }).click();
      await deleting.waitFor({ state: "detached" });
      await page.getByText(kid, { exact: true }).waitFor({ state: "detached" });
      assertEquals((await program.call("GET", "/backend/account/balances")).status, 401);
    }));

  it("has a password and sessions that its member ends", () =>
    withPages(async ({ browser, url }) => {
      browser.expect(REFUSED);
      const [page, other] = [await browser.open(url), await browser.open(url)];
      await signIn(other, url, PASSWORD, firstCode);
      await signIn(page, url, PASSWORD, () => code(2));
      const form = page.getByRole("form", { name: "Change the password" });
      await form.getByLabel("Current password", { exact: true }).fill(PASSWORD);
      await form.getByLabel("New password", { exact: true }).fill("abc");
      await form.getByText("Too weak").waitFor();
      await form.getByLabel("Repeat the new password", { exact: true }).fill("x");
      await form.getByText("The two passwords differ.").waitFor();
      await form.getByLabel("New password", { exact: true }).fill(OTHER_PASSWORD);
      await form.getByLabel("Repeat the new password", { exact: true }).fill(OTHER_PASSWORD);
      await form.getByRole("button", { name: "Change the password" }).click();
      await page.getByText("The password is changed.").waitFor();
      await other.reload();
      await other.getByText("Sign in to see this page.").waitFor();
      await signIn(other, url, OTHER_PASSWORD, () => code(3));
      await page.reload();
      const sessions = page.getByRole("table", { name: "Sessions" });
      await sessions.getByRole("button", { name: /^End the session/ }).click();
      await eventually("one session", async () => {
        const count = await sessions.getByRole("row").count();
        return count === 2 ? true : undefined;
      });
      await other.reload();
      await other.getByText("Sign in to see this page.").waitFor();
    }));

  it("is opened again by a code for a forgotten password", () =>
    withPages(async ({ browser, url, as }) => {
      browser.expect(REFUSED);
      const page = await browser.open(`${url}/reset`);
      await page.getByLabel("Email address").fill(EMAIL);
      await page.getByRole("button", { name: "Send a code" }).click();
      const field = page.getByLabel("Code from the message");
      await field.fill("nonsense");
      await page.getByLabel("New password", { exact: true }).fill(OTHER_PASSWORD);
      await page.getByLabel("Repeat the new password", { exact: true }).fill(OTHER_PASSWORD);
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByText("This code is wrong, or too old.").waitFor();
      assertEquals(await page.locator(":focus").getAttribute("name"), "token");
      const sentCode = await eventually("a code", async () => {
        const sent: { kind: string; code: string }[] = await as("operator")
          .must(200, "GET", "/admin/outbox");
        return sent.find(({ kind }) => kind === "password_reset")?.code;
      });
      await field.fill(sentCode);
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByText("The new password is set, and all your sessions have ended.").waitFor();
      await signIn(page, url, OTHER_PASSWORD, firstCode);
    }));
});
