/** What holds for every page, in Chromium; its faults end a test by themselves. */
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import type { Env } from "../../src/edge/env.ts";
import { UnsentAnswers } from "../../src/edge/reading/unsent_answers.ts";
import { mountPages } from "../../src/pages/serving/mount_pages.ts";
import { PAGE_PATHS } from "../../src/pages/serving/page_paths.ts";
import { seriousViolations } from "../support/axe.ts";
import { type TestBrowser, THEMES, withBrowser } from "../support/chromium.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const PATHS = Object.keys(PAGE_PATHS).map((path) => path.replace(":market", "ethusdt"));
const PHONE = { width: 360, height: 780 };
const SCREEN = { width: 1680, height: 1050 };

/** Waits until a page shows what it is about. */
async function settled(page: Page): Promise<void> {
  await page.locator("main > :not(.waiting), main h1").first().waitFor();
  await page.waitForLoadState("networkidle");
}

/** Returns what is wrong with a page as it looks now. */
async function looks(page: Page): Promise<string[]> {
  const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  return [
    ...await seriousViolations(page),
    ...(tooWide > 0 ? [`${tooWide} px too wide`] : []),
  ].map((fault) => `${new URL(page.url()).pathname}: ${fault}`);
}

/** Looks at all pages, light on a screen and dark on a phone, as a stranger or as a member. */
async function lookAtAll(browser: TestBrowser, url: string, name?: "alice"): Promise<string[]> {
  const found: string[] = [];
  const page = await browser.open(`${url}/`);
  if (name !== undefined) await signInBeside(page, name);
  for (const path of PATHS) {
    await page.goto(`${url}${path}`);
    await settled(page);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(theme === "dark" ? PHONE : SCREEN);
      found.push(...(await looks(page)).map((fault) => `${theme} ${fault}`));
    }
  }
  return found;
}

describe("every page in a browser", () => {
  it("can be used by everybody, in both themes, and asks nobody else for anything", () =>
    withPages(async ({ browser, url }) => {
      assertEquals(await lookAtAll(browser, url), []);
      assertEquals(await lookAtAll(browser, url, "alice"), []);
    }));

  it("says how to make the pages where they are not built", async () => {
    const app = new Hono<Env>();
    mountPages(app, null, new UnsentAnswers(() => "127.0.0.1"));
    const where = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    await using server = Deno.serve(where, (request) => app.fetch(request));
    await withBrowser(async (browser) => {
      for (const path of ["/", "/wallet", "/operate"]) {
        const page = await browser.open(`http://127.0.0.1:${server.addr.port}${path}`);
        await page.getByRole("heading", { name: "The pages are not built." }).waitFor();
        await page.getByText("deno task build").waitFor();
        assertEquals(await seriousViolations(page), []);
      }
    });
  });
});
