import type { Page } from "playwright-core";

/** A walk through pages: each is looked at, and each of its tabs. */
export class Walk {
  readonly #page: Page;
  readonly #look: (where: string) => Promise<void>;

  /** @param look is called with the place, such as `/wallet Deposit` */
  constructor(page: Page, look: (where: string) => Promise<void>) {
    this.#page = page;
    this.#look = look;
  }

  /** Opens a page, and looks at it once it is there. */
  async open(url: string): Promise<void> {
    const page = this.#page;
    await page.goto(url);
    const { pathname, hash } = new URL(url);
    const where = decodeURIComponent(pathname + hash);
    await this.#settled();
    const tabs = await page.getByRole("tab").all();
    if (tabs.length === 0) await this.#look(where);
    for (const tab of tabs) {
      await tab.click();
      await this.#settled();
      await this.#look(`${where} ${await tab.innerText()}`);
    }
  }

  /** Opens all views of the operators' page. */
  async openViews(url: string): Promise<void> {
    await this.#page.goto(url);
    const list = this.#page.getByRole("navigation", { name: "Operate" });
    await list.waitFor();
    const links: string[] = [];
    for (const link of await list.getByRole("link").all()) {
      links.push(await link.getAttribute("href") ?? "");
    }
    for (const link of links) await this.open(`${url}${link}`);
  }

  /** Waits until the page shows what it is about, and nothing is read any more. */
  async #settled(): Promise<void> {
    const page = this.#page;
    await page.locator("main > :not(.waiting), main h1").first().waitFor();
    // What is read begins to be read in the next frame.
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))",
    );
    await page.getByText("Loading …").first().waitFor({ state: "detached" });
  }
}
