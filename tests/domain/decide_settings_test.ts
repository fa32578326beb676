import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { PNL_CURRENCIES_MAX } from "../../src/domain/limits.ts";
import type { Settings } from "../../src/domain/settings.ts";
import { DomainVenue } from "../support/domain_venue.ts";
import { refusalOf } from "../support/money_venue.ts";
import { TEST_SETTINGS } from "../support/test_settings.ts";

/** Changes settings, which must be accepted. */
function change(test: DomainVenue, changes: Partial<Settings>): void {
  test.must({ kind: "set_settings", changes });
}

/** Starts a process with these settings. */
function start(test: DomainVenue, changes: Partial<Settings>): void {
  test.must({ kind: "set_settings", changes, isFirst: true });
}

describe("settings", () => {
  it("change one by one, and the others stay as they are", () => {
    const test = new DomainVenue();
    assertEquals(test.venue.settings, TEST_SETTINGS);
    change(test, { priceBandBps: 500 });
    change(test, { openOrdersMax: 7 });
    assertEquals(test.venue.storedSettings, { priceBandBps: 500, openOrdersMax: 7 });
    assertEquals(test.venue.settings, { ...TEST_SETTINGS, priceBandBps: 500, openOrdersMax: 7 });
  });

  it("of a start count only where the log has none", () => {
    const test = new DomainVenue();
    start(test, { priceBandBps: 500 });
    start(test, { priceBandBps: 100, openOrdersMax: 7 });
    assertEquals(test.venue.storedSettings, { priceBandBps: 500, openOrdersMax: 7 });
    const { sequence } = test.venue;
    start(test, { priceBandBps: 200, openOrdersMax: 8 });
    assertEquals(test.venue.sequence, sequence, "nothing has happened");
  });

  it("of a change are an event even if nothing differs, since it is an act", () => {
    const test = new DomainVenue();
    change(test, { priceBandBps: 500 });
    const { sequence } = test.venue;
    change(test, { priceBandBps: 500 });
    assertEquals(test.venue.sequence, sequence + 1);
  });
});

describe("currencies of profit and loss", () => {
  it("exist, differ and are not too many", () => {
    const test = new DomainVenue().withCurrencies("usdt", "eur");
    const set = (...pnlCurrencies: string[]) =>
      refusalOf(test.do({ kind: "set_settings", changes: { pnlCurrencies } }));
    change(test, { pnlCurrencies: ["usdt", "eur"] });
    assertEquals(set("doge"), "currency_not_found");
    assertEquals(set("usdt", "usdt"), "pnl_currencies_invalid");
    const codes = Array.from({ length: PNL_CURRENCIES_MAX + 1 }, (_, i) => `coin${i}`);
    test.withCurrencies(...codes);
    assertEquals(set(...codes), "pnl_currencies_invalid");
    assertEquals(test.venue.pnlCurrencies, ["usdt", "eur"]);
    change(test, { pnlCurrencies: codes.slice(1) });
    assertEquals(test.venue.pnlCurrencies.length, PNL_CURRENCIES_MAX);
  });

  it("are kept on when they are no longer named, the latest of them", () => {
    const test = new DomainVenue().withCurrencies("usdt", "eur", "btc");
    change(test, { pnlCurrencies: ["usdt", "eur"] });
    change(test, { pnlCurrencies: [] });
    assertEquals([test.venue.pnlCurrencies, test.venue.pnlKept], [[], ["usdt", "eur"]]);
    change(test, { pnlCurrencies: ["btc"] });
    assertEquals(test.venue.pnlKept, ["btc", "usdt", "eur"]);
    const codes = Array.from({ length: PNL_CURRENCIES_MAX - 2 }, (_, i) => `coin${i}`);
    test.withCurrencies(...codes);
    change(test, { pnlCurrencies: codes });
    assertEquals(test.venue.pnlKept, [...codes, "btc", "usdt"]);
  });

  it("may be named by a start before they exist, and count once they do", () => {
    const test = new DomainVenue().withCurrencies("btc");
    start(test, { pnlCurrencies: ["usdt", "btc"] });
    assertEquals(test.venue.pnlCurrencies, ["btc"]);
    test.withCurrencies("eur");
    assertEquals(test.venue.pnlCurrencies, ["btc"]);
    test.withCurrencies("usdt");
    assertEquals(test.venue.pnlCurrencies, ["usdt", "btc"]);
  });

  it("of an older venue stay, whatever a newer process is started with", () => {
    const test = new DomainVenue().withCurrencies("btc", "usdt");
    // Older programs had them in the log without settings.
    test.sink.emit({ kind: "pnl_currencies_set", currencies: ["btc"], kept: ["btc"] });
    const pnl = () => [test.venue.pnlCurrencies, test.venue.storedSettings.pnlCurrencies];
    change(test, { openOrdersMax: 7 });
    test.withCurrencies("eur");
    assertEquals(pnl(), [["btc"], undefined], "nobody has named any");
    start(test, { priceBandBps: 500, pnlCurrencies: ["usdt"] });
    assertEquals(pnl(), [["btc"], ["btc"]]);
  });
});
