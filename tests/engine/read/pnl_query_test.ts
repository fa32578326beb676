import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { PnlRow } from "../../../src/domain/pnl/pnl.ts";
import { FoldWriter } from "../../../src/engine/fold/fold_writer.ts";
import { readPnl } from "../../../src/engine/read/pnl_query.ts";
import { openStore } from "../../../src/store/store.ts";
import { readWatermark } from "../../../src/store/rows/watermark.ts";
import { entriesOf, noPause } from "../../support/folded_events.ts";
import { logEntries } from "../../support/logged_entries.ts";
import { Prng } from "../../support/prng.ts";
import { DomainVenue, units } from "../../support/domain_venue.ts";

/** A venue that keeps what is given. */
function keeping(...currencies: string[]): DomainVenue {
  const test = new DomainVenue().withMarket("btc", "usdt").withMember("ann");
  keep(test, ...currencies);
  return test;
}

function keep(test: DomainVenue, ...currencies: string[]): void {
  test.must({ kind: "set_settings", changes: { pnlCurrencies: currencies } });
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
  it("is whole in a currency that was not shown for a while", async () => {
    const test = keeping("usdt");
    test.fund("ann", "btc", "1");
    assertEquals((await read(test)).length, 1);
    keep(test, "btc");
    test.fund("ann", "btc", "2");
    const shown = (await read(test)).map(({ pnlCurrency }) => pnlCurrency);
    assertEquals(shown, ["btc"], "only what is named is shown");
    keep(test, "usdt");
    const [row] = await read(test);
    assertEquals([row?.pnlCurrency, row?.totalCredit], ["usdt", units("3")]);
  });

  it("begins anew in a currency that an older program ceased to keep for a while", async () => {
    const test = keeping("usdt");
    test.fund("ann", "btc", "1");
    for (const currencies of [["btc"], ["usdt"]]) {
      test.sink.emit({ kind: "pnl_currencies_set", currencies, kept: currencies });
    }
    assertEquals(await read(test), []);
  });

  it("is known of a currency that others have defined and folded", async () => {
    const [ahead, behind] = [keeping("usdt").withCurrencies("eth"), keeping("usdt")];
    ahead.fund("ann", "eth", "1");
    const catchUp = () => Promise.resolve(void behind.withCurrencies("eth"));
    assertEquals((await read(ahead, behind, catchUp)).map(({ currency }) => currency), ["eth"]);
  });
});
