/** Pages in a real Chromium without a window, and what must not happen in any of them. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { assertEquals } from "@std/assert";

/** Names under which Chromium is installed. */
const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  // Nothing that a page asks of another host gets out of this machine.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
];
/** What Chromium prints where a page is kept from doing something. */
const POLICY = /Content Security Policy/;

/** Where pages are drawn in which a test fails. */
const PICTURE_MS_MAX = 10_000;
const PICTURES = new URL("../../.built/failed_pages/", import.meta.url);

/** The colours of a page. */
export const THEMES = ["light", "dark"] as const;
export type Theme = typeof THEMES[number];

/** How a page is looked at. */
export interface Look {
  /** Default: light. */
  readonly theme?: Theme;
  /** In CSS pixels; default: 1024. */
  readonly width?: number;
  readonly height?: number;
}

/** A browser for one test. */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #faults: string[] = [];
  readonly #expected: RegExp[] = [];
  /** Files with what pages looked like when a test failed. */
  readonly pictures: string[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /**
   * Opens a page for somebody of whom the browser knows nothing: no cookie, nothing stored. Every
   * request to a host other than the URL's is a fault.
   */
  async open(
    url: string,
    { theme = "light", width = 1024, height = 800 }: Look = {},
  ): Promise<Page> {
    const viewport = { width, height };
    const context = await this.#browser.newContext({ colorScheme: theme, viewport });
    this.#watch(context, new URL(url).host);
    const page = await context.newPage();
    await page.goto(url);
    return page;
  }

  /** Lets happen what a test provokes: what matches is no fault. */
  expect(fault: RegExp): void {
    this.#expected.push(fault);
  }

  /** What has happened that must not: its kind, a colon, and what Chromium says. */
  get faults(): readonly string[] {
    return this.#faults.filter((fault) => !this.#expected.some((known) => known.test(fault)));
  }

  /** Draws all open pages as they look now, as where a test fails, and closes them. */
  async drawPages(): Promise<void> {
    await Deno.mkdir(PICTURES, { recursive: true });
    for (const page of this.#browser.contexts().flatMap((context) => context.pages())) {
      const path = new URL(`${crypto.randomUUID()}.png`, PICTURES).pathname;
      try {
        await page.screenshot({ path, timeout: PICTURE_MS_MAX });
        this.pictures.push(path);
      } catch {
        // A page that hangs can't be drawn; why the test fails is told anyway.
      }
    }
    await this.closePages();
  }

  /** Closes all pages; what they have told by then counts. */
  async closePages(): Promise<void> {
    for (const context of this.#browser.contexts()) await context.close();
  }

  /** Ends the browser. */
  async close(): Promise<void> {
    await this.closePages();
    await this.#browser.close();
  }

  #watch(context: BrowserContext, host: string): void {
    const judge = (url: string) => {
      const { protocol, host: asked } = new URL(url);
      if (/^(?:http|ws)s?:$/.test(protocol) && asked !== host) this.#faults.push(`request: ${url}`);
    };
    context.on("request", (request) => judge(request.url()));
    context.on("page", (page) => page.on("websocket", (socket) => judge(socket.url())));
    context.on("console", (message) => {
      if (message.type() !== "error") return;
      const kind = POLICY.test(message.text()) ? "policy" : "console";
      this.#faults.push(`${kind}: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (thrown) => {
      const error = thrown.error();
      this.#faults.push(`error: ${error.stack ?? error.message}`);
    });
  }
}

/** Returns where Chromium is on this machine, `CHROMIUM` if that is set; null if it is not there. */
export function findChromium(): string | null {
  const named = Deno.env.get("CHROMIUM");
  if (named !== undefined) return named;
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  const places = folders.flatMap((folder) => PROGRAMS.map((name) => `${folder}/${name}`));
  return places.find(isFile) ?? null;
}

/**
 * Runs a test with a browser. Afterwards no page may have asked another host for anything, broken
 * its own policy, thrown, or written an error to its console. Where there is no Chromium, the test
 * says so and passes.
 */
export async function withBrowser(test: (browser: TestBrowser) => Promise<void>): Promise<void> {
  const program = findChromium();
  if (program === null) {
    Deno.stdout.writeSync(new TextEncoder().encode("skipped: no chromium\n"));
    return;
  }
  const browser = new TestBrowser(await launch(program));
  try {
    await test(browser);
  } catch (error) {
    await browser.drawPages();
    await browser.close();
    const told = [...browser.pictures, ...browser.faults].join("\n");
    throw new Error(`${error instanceof Error ? error.message : error}\n${told}`, { cause: error });
  }
  await browser.close();
  assertEquals(browser.faults, []);
}

async function launch(executablePath: string): Promise<Browser> {
  // As it loads, Playwright looks below /proc whether this is Windows, for which Deno would want
  // all permissions; with this it does not look.
  Deno.env.set("__IS_WSL_TEST__", "1");
  const { chromium } = await import("playwright-core");
  return await chromium.launch({ executablePath, args: ARGS });
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
