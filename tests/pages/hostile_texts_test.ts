/** Texts with markup, wherever somebody can enter one: pages show them as they are. */
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEMO_OTP_SECRET } from "../../src/server/demo/demo_venue.ts";
import { Authenticator } from "../support/authenticator.ts";
import type { SignedClient } from "../support/http_clients.ts";
import { type ServedPages, withPages } from "../support/with_pages.ts";

const HOSTILE = `</td><img src=/x onerror="document.title='owned'">'&amp;{{1}}`;
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const ALICE = "IDA11CE00001";
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

/** Enters it wherever a member and an operator can. */
async function enterEverywhere(
  alice: SignedClient,
  operator: SignedClient,
  app: Authenticator,
): Promise<void> {
  const reason = HOSTILE;
  await operator.must(200, "PATCH", "/admin/currencies/btc", {
    name: HOSTILE,
    description: HOSTILE,
  });
  await operator.must(201, "POST", `/admin/members/${ALICE}/notes`, { text: HOSTILE });
  const adjustment = { uid: ALICE, currency: "btc", amount: "1", reason, idempotency_key: "one" };
  await operator.must(201, "POST", "/admin/adjustments", adjustment);
  const { id } = await alice.must(201, "POST", "/backend/account/beneficiaries", {
    currency: "btc",
    name: HOSTILE,
    description: HOSTILE,
    data: { address: ADDRESS },
  });
  const messages = await operator.must(200, "GET", "/admin/outbox");
  const { code: pin } = messages.find(({ kind }: { kind: string }) => kind === "beneficiary_pin");
  await alice.must(200, "PATCH", `/backend/account/beneficiaries/${id}/activate`, { pin });
  await alice.must(201, "POST", "/backend/account/withdraws", {
    currency: "btc",
    amount: "6",
    beneficiary_id: id,
    note: HOSTILE,
    otp: await app.code(),
  });
}

/** Signs somebody in with a browser that names itself so. */
async function signIn(page: Page, name: string, app: Authenticator): Promise<void> {
  const { origin } = new URL(page.url());
  const answer = await page.context().request.post(`${origin}/api/v2/auth/identity/sessions`, {
    headers: { "User-Agent": HOSTILE },
    data: {
      email: `${name}@demo.invalid`,
      password: `Demo-${name}-1`,
      otp_code: await app.code(),
    },
  });
  assertEquals(answer.status(), 200, await answer.text());
}

/** Looks at pages, and at all of their tabs. */
class Walk {
  /** Where the text was shown. */
  readonly shown = new Set<string>();
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async open(url: string): Promise<void> {
    const page = this.#page;
    await page.goto(url);
    await page.locator("main > :not(.waiting), main h1").first().waitFor();
    const { pathname, hash } = new URL(url);
    const where = decodeURIComponent(pathname + hash);
    await this.#look(where);
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await this.#look(`${where} ${await tab.innerText()}`);
    }
  }

  async #look(where: string): Promise<void> {
    // What is read begins to be read in the next frame.
    await this.#page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))",
    );
    await this.#page.getByText("Loading …").first().waitFor({ state: "detached" });
    const { alive, isOwned, isShown } = await this.#page.evaluate<Looked>(LOOK);
    assertEquals({ where, alive, isOwned }, { where, alive: 0, isOwned: false });
    if (isShown) this.shown.add(where);
  }
}

async function walkAll({ browser, url, as }: ServedPages): Promise<ReadonlySet<string>> {
  const member = new Authenticator(DEMO_OTP_SECRET);
  const stranger = new Walk(await browser.open(url, SIZE));
  await stranger.open(`${url}/trade/${encodeURIComponent(HOSTILE)}`);
  await stranger.open(`${url}/signin?to=${encodeURIComponent(HOSTILE)}`);
  await enterEverywhere(as("alice"), as("operator"), member);
  const alicesPage = await browser.open(url, SIZE);
  await signIn(alicesPage, "alice", member);
  const alice = new Walk(alicesPage);
  for (const path of ["/trade/btcusdt", "/wallet", "/account"]) await alice.open(`${url}${path}`);
  const operatorsPage = await browser.open(url, SIZE);
  await signIn(operatorsPage, "operator", new Authenticator(DEMO_OTP_SECRET));
  const operator = new Walk(operatorsPage);
  await operator.open(`${url}/operate`);
  const links: string[] = [];
  const list = operatorsPage.getByRole("navigation", { name: "Operate" });
  for (const link of await list.getByRole("link").all()) {
    links.push(await link.getAttribute("href") ?? "");
  }
  for (const link of links) await operator.open(`${url}/operate${link}`);
  await operator.open(`${url}/operate#members/${ALICE}`);
  await operator.open(`${url}/operate#withdrawals/1`);
  return new Set([...stranger.shown, ...alice.shown, ...operator.shown]);
}

describe("texts with markup", () => {
  it("are shown as they are on all pages that show them", () =>
    withPages(async (pages) => {
      const shown = await walkAll(pages);
      const places = [
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
      assertEquals(places.filter((place) => !shown.has(place)), []);
    }));
});
