import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { PnlRow } from "../../src/domain/pnl.ts";
import { FoldWriter } from "../../src/engine/fold_writer.ts";
import { readPnl } from "../../src/engine/pnl_query.ts";
import { openStore } from "../../src/store/store.ts";
import { readWatermark } from "../../src/store/watermark.ts";
import { entriesOf, noPause } from "../support/folded_events.ts";
import { logEntries } from "../support/logged_entries.ts";
import { Prng } from "../support/prng.ts";
import { DomainVenue } from "../support/domain_venue.ts";

/** A venue that keeps what is given. */
function keeping(...currencies: string[]): DomainVenue {
  const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann");
  keep(test, ...currencies);
  return test;
}

function keep(test: DomainVenue, ...currencies: string[]): void {
  test.must({ kind: "set_pnl_currencies", currencies });
}

/** What a venue answers of ann where all of another's log is folded. */
async function read(
  folded: DomainVenue,
  asked: DomainVenue = folded,
  catchUp: () => Promise<void> = noPause,
): Promise<PnlRow[]> {
  const store = await openStore(":memory:");
  try {
    const writer = new FoldWriter(store, await readWatermark(store));
    const window = entriesOf(folded.sink.events, new Prng(1));
    await logEntries(store, window);
    assertEquals(await writer.write(window, noPause), true);
    return await readPnl(store, asked.venue, { member: asked.member("ann"), entries: [], catchUp });
  } finally {
    store.close();
  }
}

describe("a member's profit and loss", () => {
  it("begins anew in a currency that was not kept for a while", async () => {
    const test = keeping("usdt");
    test.fund("ann", "btc", "1");
    assertEquals((await read(test)).length, 1);
    keep(test, "btc");
    keep(test, "usdt");
    assertEquals(await read(test), []);
  });

  it("is known of a currency that others have defined and folded", async () => {
    const [ahead, behind] = [keeping("usdt").withCurrencies("eth"), keeping("usdt")];
    ahead.fund("ann", "eth", "1");
    const catchUp = () => Promise.resolve(void behind.withCurrencies("eth"));
    assertEquals((await read(ahead, behind, catchUp)).map(({ currency }) => currency), ["eth"]);
  });
});
