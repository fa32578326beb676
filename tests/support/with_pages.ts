/** The pages as a demo venue serves them, in Chromium. */
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { Authenticator } from "./authenticator.ts";
import { buildOnce } from "./build_once.ts";
import { type TestBrowser, withBrowser } from "./chromium.ts";
import { DemoProcess } from "./demo_process.ts";
import { SignedClient } from "./http_clients.ts";

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

/** How somebody signs in. */
export interface SigningIn {
  /** Given where it is used for more; each of its codes works once. */
  readonly app?: Authenticator;
  /** What the browser calls itself. */
  readonly userAgent?: string;
}

/** Signs a member of the demo in, beside the page, which then shows what it shows to members. */
export async function signInBeside(
  page: Page,
  name: "alice" | "bob" | "operator",
  { app = new Authenticator(DEMO_OTP_SECRET), userAgent = "Mozilla/5.0 Chrome/150.0" }: SigningIn =
    {},
): Promise<void> {
  const { origin } = new URL(page.url());
  const answer = await fetch(`${origin}/api/v2/auth/identity/sessions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "User-Agent": userAgent },
    body: JSON.stringify({
      email: `${name}@demo.invalid`,
      password: `Demo-${name}-1`,
      otp_code: await app.code(),
    }),
  });
  assertEquals(answer.status, 200, await answer.text());
  const cookies = answer.headers.getSetCookie().map((text) => {
    const [, cookie = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    return { name: cookie, value, url: origin };
  });
  await page.context().addCookies(cookies);
  await page.reload();
}
