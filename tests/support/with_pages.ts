/** The pages as a demo venue serves them, in Chromium. */
import type { Page } from "playwright-core";
import { buildClient } from "../../src/server/building/build_client.ts";
import { buildPages } from "../../src/server/building/build_pages.ts";
import { BUILT } from "../../src/server/building/built_files.ts";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { type TestBrowser, withBrowser } from "./chromium.ts";
import { DemoProcess } from "./demo_process.ts";
import { SignedClient } from "./http_clients.ts";
import { otpAt } from "./otp_at.ts";

/** A browser, and the venue whose pages it shows. */
export interface ServedPages {
  readonly browser: TestBrowser;
  readonly venue: DemoProcess;
  readonly url: string;
  /** Returns a program with one of the demo's keys. */
  as(name: "alice" | "bob" | "operator"): SignedClient;
}

/** Runs a test with the pages as their sources are now; where there is no Chromium, it passes. */
export function withPages(
  test: (pages: ServedPages) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  return withBrowser(async (browser) => {
    await buildOnce();
    await using venue = await DemoProcess.start(environment);
    const { url } = venue;
    const as = (name: string) => new SignedClient(url, `demo-${name}`, `demo-${name}-secret`);
    try {
      await test({ browser, venue, url, as });
      // Before the venue, whose end is a fault for pages.
      await browser.closePages();
    } catch (error) {
      await browser.drawPages();
      throw error;
    }
  });
}

/** Signs a member of the demo in, beside the page, which then shows what it shows to members. */
export async function signInBeside(page: Page, name: "alice" | "bob"): Promise<void> {
  const { origin } = new URL(page.url());
  const answer = await page.context().request.post(`${origin}/api/v2/auth/identity/sessions`, {
    data: {
      email: `${name}@demo.invalid`,
      password: `Demo-${name}-1`,
      otp_code: otpAt(DEMO_OTP_SECRET, Date.now()),
    },
  });
  if (!answer.ok()) throw new Error(`${name} is not signed in: ${await answer.text()}`);
  await page.reload();
}

/** Builds what is older than its sources, while no other test does. */
async function buildOnce(): Promise<void> {
  await Deno.mkdir(BUILT, { recursive: true });
  using file = await Deno.open(new URL("building.lock", BUILT), { create: true, write: true });
  await file.lock(true);
  await buildClient();
  await buildPages();
}
