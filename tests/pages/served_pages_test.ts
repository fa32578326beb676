/** What holds for every page, in Chromium; its faults end a test by themselves. */
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import type { Env } from "../../src/edge/env.ts";
import { UnsentAnswers } from "../../src/edge/reading/unsent_answers.ts";
import { mountPages } from "../../src/pages/serving/mount_pages.ts";
import { PAGE_PATHS } from "../../src/pages/serving/page_paths.ts";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { Authenticator } from "../support/authenticator.ts";
import { seriousViolations } from "../support/axe.ts";
import { THEMES, withBrowser } from "../support/chromium.ts";
import { liveIn } from "../support/lived_in.ts";
import { Walk } from "../support/walk.ts";
import { signInBeside, withPages } from "../support/with_pages.ts";

const PATHS = Object.keys(PAGE_PATHS).map((path) => path.replace(":market", "ethusdt"));
const PHONE = { width: 360, height: 780 };
const SCREEN = { width: 1680, height: 1050 };

/** Returns what is wrong with a page as it looks now. */
async function faultsOf(page: Page): Promise<string[]> {
  const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  return [
    ...await seriousViolations(page),
    ...(tooWide > 0 ? [`${tooWide} px too wide`] : []),
  ];
}

/** A walk that notes what is wrong with pages: light on a screen, and dark on a phone. */
function judgingWalk(page: Page, found: string[]): Walk {
  return new Walk(page, async (where) => {
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize(theme === "dark" ? PHONE : SCREEN);
      found.push(...(await faultsOf(page)).map((fault) => `${theme} ${where}: ${fault}`));
    }
    await page.setViewportSize(SCREEN);
  });
}

describe("every page in a browser", () => {
  it("can be used by strangers, in both themes, and asks nobody else for anything", () =>
    withPages(async ({ browser, url }) => {
      const found: string[] = [];
      const stranger = judgingWalk(await browser.open(`${url}/`, SCREEN), found);
      for (const path of PATHS) await stranger.open(`${url}${path}`);
      assertEquals(found, []);
    }));

  it("shows members their orders so that everybody can use them", () =>
    withPages(async (pages) => {
      const { browser, url } = pages;
      const found: string[] = [];
      const app = new Authenticator(DEMO_OTP_SECRET);
      await liveIn(pages, app, "a text");
      const page = await browser.open(`${url}/`, SCREEN);
      await signInBeside(page, "alice", { app });
      await judgingWalk(page, found).open(`${url}/trade/btcusdt`);
      assertEquals(found, []);
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
