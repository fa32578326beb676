/** `deno task screenshots`: what pages look like, in both themes and at three widths. */
import type { Page } from "playwright-core";
import { printLines } from "../../src/server/logger.ts";
import { THEMES, withBrowser } from "../support/chromium.ts";
import { DemoProcess } from "../support/demo_process.ts";
import { taskArguments } from "../support/task_arguments.ts";
import { signInBeside } from "../support/with_pages.ts";

const VISITORS = ["stranger", "alice", "bob", "operator"] as const;
const USAGE = `Makes pictures of pages, each in both themes and at three widths.
  --paths=/,/docs             the pages (default: /)
  --as=${VISITORS.join("|")}  who looks at them, of the demo (default: stranger)
  --into=.built/screenshots   the folder
  --url=http://…              a venue that runs (default: a demo of its own, in which bots trade,
                              on the files built last)`;

/** A phone, a small laptop, a wide screen; in CSS pixels. */
const SIZES = [[360, 780], [1024, 768], [1680, 1050]] as const;
/** As much of a long page as Chromium draws at once, in CSS pixels. */
const HEIGHT_MAX = 4_000;
/** What a page gets to draw what its sockets bring. */
const SETTLE_MS = 1_000;
/** What the bots get until there is something to see. */
const LIFE_MS = 15_000;

/** Makes the pictures of one page. */
async function draw(page: Page, url: string, name: string): Promise<void> {
  for (const theme of THEMES) {
    for (const [width, height] of SIZES) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height });
      await page.goto(url);
      // Where only what is behind the # changes, that would load nothing.
      await page.reload();
      await page.waitForTimeout(SETTLE_MS);
      const whole = await page.evaluate<number>("document.documentElement.scrollHeight");
      // A window of that height: Chromium can't draw all of a very long page.
      await page.setViewportSize({ width, height: Math.max(height, Math.min(whole, HEIGHT_MAX)) });
      const path = `${name}_${theme}_${width}.png`;
      await page.screenshot({ path });
      printLines([path]);
    }
  }
}

/** Returns a path as part of a file's name: `trade_btcusdt` for `/trade/btcusdt`. */
function nameOf(path: string): string {
  return path.replaceAll(/[^a-z0-9]+/gi, "_").replaceAll(/^_|_$/g, "") || "start";
}

const given = taskArguments(USAGE, (words) => ({
  paths: words.text("paths", "/").split(","),
  visitor: words.oneOf("as", VISITORS, "stranger"),
  into: words.text("into", ".built/screenshots"),
  url: words.text("url", ""),
}));
await Deno.mkdir(given.into, { recursive: true });
await withBrowser(async (browser) => {
  await using demo = given.url === "" ? await DemoProcess.start({}, ["--bots"]) : null;
  if (demo !== null) await new Promise((resolve) => setTimeout(resolve, LIFE_MS));
  const url = (demo?.url ?? given.url).replace(/\/$/, "");
  const page = await browser.open(`${url}/signin`);
  if (given.visitor !== "stranger") await signInBeside(page, given.visitor);
  for (const path of given.paths) {
    await draw(page, `${url}${path}`, `${given.into}/${nameOf(path)}`);
  }
  await browser.closePages();
  printLines(browser.faults.map((fault) => `fault: ${fault}`));
  // They are told; what a page looks like nevertheless, one wants to see.
  browser.expect(/^/);
});
