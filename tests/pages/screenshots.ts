/** `deno task screenshots`: what pages look like, in both themes and at three widths. */
import { printLines } from "../../src/server/logger.ts";
import { type TestBrowser, THEMES, withBrowser } from "../support/chromium.ts";
import { DemoProcess } from "../support/demo_process.ts";
import { taskArguments } from "../support/task_arguments.ts";

const USAGE = `Makes pictures of pages, each in both themes and three widths.
  --paths=/,/docs           the pages (default: /)
  --into=.built/screenshots the folder
  --url=http://…            a venue that runs (default: a demo of its own, on the files built last)`;

/** A phone, a small laptop, a wide screen; in CSS pixels. */
const SIZES = [[360, 780], [1024, 768], [1680, 1050]] as const;
/** As much of a long page as Chromium draws at once, in CSS pixels. */
const HEIGHT_MAX = 4_000;
/** What a page gets to draw what its sockets bring. */
const SETTLE_MS = 1_000;

interface Pictures {
  readonly paths: readonly string[];
  readonly into: string;
  readonly url: string;
}

/** Makes the pictures of one page; returns their names. */
async function picture(
  browser: TestBrowser,
  path: string,
  { url, into }: Pictures,
): Promise<string[]> {
  const names: string[] = [];
  for (const theme of THEMES) {
    for (const [width, height] of SIZES) {
      const page = await browser.open(`${url}${path}`, { theme, width, height });
      await page.waitForTimeout(SETTLE_MS);
      const name = `${into}/${nameOf(path)}_${theme}_${width}.png`;
      const whole = await page.evaluate<number>("document.documentElement.scrollHeight");
      // A window of that height: Chromium can't draw all of a very long page.
      await page.setViewportSize({ width, height: Math.max(height, Math.min(whole, HEIGHT_MAX)) });
      await page.screenshot({ path: name });
      await page.context().close();
      names.push(name);
    }
  }
  return names;
}

/** Returns a path as part of a file's name: `trade_btcusdt` for `/trade/btcusdt`. */
function nameOf(path: string): string {
  return path.replaceAll(/[^a-z0-9]+/gi, "_").replaceAll(/^_|_$/g, "") || "start";
}

const given = taskArguments(USAGE, (words) => ({
  paths: words.text("paths", "/").split(","),
  into: words.text("into", ".built/screenshots"),
  url: words.text("url", ""),
}));
await Deno.mkdir(given.into, { recursive: true });
await withBrowser(async (browser) => {
  await using demo = given.url === "" ? await DemoProcess.start() : null;
  const pictures = { ...given, url: (demo?.url ?? given.url).replace(/\/$/, "") };
  for (const path of given.paths) printLines(await picture(browser, path, pictures));
  const { faults } = browser;
  printLines(faults.map((fault) => `fault: ${fault}`));
  // They are told; what a page looks like nevertheless, one wants to see.
  browser.expect(/^/);
});
