/**
 * Opens the trading page in Chromium while much goes on in its market, and prints what it costs.
 *
 *     deno task bench:pages [--seconds=60]
 */
import { showsBook, TradePage } from "../support/trade_page.ts";
import { taskArguments } from "../support/task_arguments.ts";
import { withPages } from "../support/with_pages.ts";
import { BusyMarket } from "./load/busy_market.ts";
import { type HeldFigures, MeasuredPage } from "./load/page_figures.ts";
import { machineText, Report } from "./load/report.ts";

const USAGE = "Usage: deno task bench:pages [--seconds=60]";
/** By then everything is compiled that will be. */
const WARM_UP_SECONDS = 10;
/** What the page holds is measured so often while the market is busy. */
const PARTS = 4;

const { seconds } = taskArguments(USAGE, (given) => ({ seconds: given.whole("seconds", 60) }));
const report = new Report();
report.add("machine", machineText());
await withPages(async ({ browser, url, as }) => {
  using market = await BusyMarket.open(url);
  const page = await browser.open(`${url}/docs`, { width: 1680, height: 1050 });
  const measured = await MeasuredPage.of(page);
  const opening = await measured.open(`${url}/trade/btcusdt`);
  report.add("cold: packed bytes (goal 150 kB)", `${(opening.bytes / 1000).toFixed(1)} kB`);
  report.add("cold: first book (goal 1 s)", `${Math.round(opening.bookMs)} ms`);
  await market.run(WARM_UP_SECONDS);
  report.add("held, warm", heldText(await measured.held()));
  for (let part = 0; part < PARTS; part++) {
    const { result, ...run } = await measured.during(() => market.run(seconds / PARTS));
    const changes = (result.bookChanges / result.seconds).toFixed(0);
    const trades = (result.trades / result.seconds).toFixed(0);
    report.add(
      `${changes} book changes/s, ${trades} trades/s for ${result.seconds.toFixed(0)} s`,
      `${run.framesPerSecond.toFixed(1)} frames/s (goal 50), busy ${percent(run.busyShare)} ` +
        `(goal 40 %), of it script ${percent(run.scriptShare)}, layout ${percent(run.layoutShare)}`,
    );
    report.add("held", heldText(await measured.held()));
  }
  await showsBook(new TradePage(page), as("alice"));
  report.add("the book at the end", "the venue's");
});
report.print();

function heldText({ heapBytes, nodes, listeners }: HeldFigures): string {
  return `${(heapBytes / 1e6).toFixed(2)} MB, ${nodes} nodes, ${listeners} listeners`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
