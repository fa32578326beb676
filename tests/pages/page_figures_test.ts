/** A short form of `deno task bench:pages`: what does not depend on the machine's load. */
import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BusyMarket } from "../bench/load/busy_market.ts";
import { MeasuredPage } from "../bench/load/page_figures.ts";
import { showsBook, TradePage } from "../support/trade_page.ts";
import { withPages } from "../support/with_pages.ts";

const BYTES_MAX = 150_000;
const SECONDS = 3;

describe("the trading page of a busy market", () => {
  it("comes in few bytes, and keeps up with the venue without growing", () =>
    withPages(async ({ browser, url, as }) => {
      using market = await BusyMarket.open(url);
      const page = await browser.open(`${url}/docs`, { width: 1680, height: 1050 });
      const measured = await MeasuredPage.of(page);
      const { bytes } = await measured.open(`${url}/trade/btcusdt`);
      assert(bytes <= BYTES_MAX, `${bytes} bytes`);
      await market.run(SECONDS);
      const before = await measured.held();
      const { framesPerSecond } = await measured.during(() => market.run(SECONDS));
      assert(framesPerSecond > 0);
      await showsBook(new TradePage(page), as("alice"));
      const after = await measured.held();
      const grown = after.heapBytes - before.heapBytes;
      assert(grown < 2_000_000 && after.nodes < 2 * before.nodes, `${grown} bytes more`);
    }));
});
