/** Texts with markup, wherever somebody can enter one: pages show them as they are. */
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { Authenticator } from "../support/authenticator.ts";
import { ALICE, liveIn } from "../support/lived_in.ts";
import { Walk } from "../support/walk.ts";
import { type ServedPages, signInBeside, withPages } from "../support/with_pages.ts";

const HOSTILE = `</td><img src=/x onerror="document.title='owned'">'&amp;{{1}}`;
const SIZE = { width: 1680, height: 1050 };

/** What a page holds of it: markup that has come to life, and whether it is there as text. */
const LOOK = `({
  alive: document.querySelectorAll("img, iframe, object, script:not([src]), [onerror]").length,
  isOwned: document.title === "owned",
  isShown: document.documentElement.textContent.includes(${JSON.stringify(HOSTILE)}) ||
    document.querySelector('[title*="onerror="]') !== null,
})`;

interface Looked {
  readonly alive: number;
  readonly isOwned: boolean;
  readonly isShown: boolean;
}

/** Where it has to be shown. */
const PLACES = [
  "/wallet Deposit",
  "/wallet Withdraw",
  "/account Security",
  "/operate#adjustments",
  "/operate#currencies",
  "/operate#audit",
  "/operate#withdrawals/1",
  ...["Adjustments", "Sessions", "Addresses", "Notes", "Operators' acts"]
    .map((tab) => `/operate#members/${ALICE} ${tab}`),
];

/** Walks through all pages; returns where it was shown. */
async function walkAll(pages: ServedPages): Promise<ReadonlySet<string>> {
  const { browser, url } = pages;
  const shown = new Set<string>();
  const walkOf = (page: Page) =>
    new Walk(page, async (where) => {
      const { alive, isOwned, isShown } = await page.evaluate<Looked>(LOOK);
      assertEquals({ where, alive, isOwned }, { where, alive: 0, isOwned: false });
      if (isShown) shown.add(where);
    });
  const stranger = walkOf(await browser.open(url, SIZE));
  await stranger.open(`${url}/trade/${encodeURIComponent(HOSTILE)}`);
  await stranger.open(`${url}/signin?to=${encodeURIComponent(HOSTILE)}`);
  const app = new Authenticator(DEMO_OTP_SECRET);
  await liveIn(pages, app, HOSTILE);
  const alicesPage = await browser.open(url, SIZE);
  await signInBeside(alicesPage, "alice", { app, userAgent: HOSTILE });
  const alice = walkOf(alicesPage);
  for (const path of ["/trade/btcusdt", "/wallet", "/account"]) await alice.open(`${url}${path}`);
  const operatorsPage = await browser.open(url, SIZE);
  await signInBeside(operatorsPage, "operator");
  const operator = walkOf(operatorsPage);
  await operator.openViews(`${url}/operate`);
  await operator.open(`${url}/operate#members/${ALICE}`);
  await operator.open(`${url}/operate#withdrawals/1`);
  return shown;
}

describe("texts with markup", () => {
  it("are shown as they are on all pages that show them", () =>
    withPages(async (pages) => {
      const shown = await walkAll(pages);
      assertEquals(PLACES.filter((place) => !shown.has(place)), []);
    }));
});
